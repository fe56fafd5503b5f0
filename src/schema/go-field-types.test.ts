import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goFieldType } from './go-field-types.ts';

test('fields of named types are listed by type name, in the version of their struct', () => {
  assert.equal(goFieldType('core/v1.Container', 'imagePullPolicy'), 'v1.PullPolicy');
  assert.equal(goFieldType('networking/v1.NetworkPolicySpec', 'policyTypes'), '[]v1.PolicyType');
  assert.equal(goFieldType('autoscaling/v2.MetricSpec', 'type'), 'v2.MetricSourceType');
  assert.equal(goFieldType('core/v1.ResourceQuotaSpec', 'hard'), 'v1.ResourceList');
  assert.equal(goFieldType('meta/v1.ObjectMeta', 'uid'), 'types.UID');
  assert.equal(goFieldType('flowcontrol/v1.Subject', 'kind'), 'v1.SubjectKind');
  assert.equal(goFieldType('rbac/v1.Subject', 'kind'), undefined);
  assert.equal(goFieldType('admissionregistration/v1beta1.NamedRuleWithOperations', 'scope'), 'v1.ScopeType');
  assert.equal(goFieldType('core/v1.Container', 'image'), undefined);
  assert.equal(goFieldType('scheduling/v1beta1.PodGroupSpec', 'preemptionPolicy'), 'v1beta1.PreemptionPolicy');
  const resources = goFieldType('resource/v1.Device', 'nodeAllocatableResources');
  assert.equal(resources, 'map[v1.ResourceName]v1.NodeAllocatableResource');
});
