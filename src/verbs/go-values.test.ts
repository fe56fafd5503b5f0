// Values in errors as releases before 1.34 write them. The expected texts are answers of kube-apiserver 1.31.14.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError, fieldErrorBody } from '../api/errors.ts';
import { HeldText } from '../api/quoted-value.ts';
import { inReleaseWords } from './release-errors.ts';

/** The value of an error as a minor release of Kubernetes 1 tells it. */
function told(field: string, value: unknown, detail = 'no', minor = 31): string {
  const found = [fieldError.invalid(field, value, detail)];
  const [only] = inReleaseWords(found, { minor, custom: false, group: '', kind: 'Any' });
  assert.ok(only !== undefined);
  return fieldErrorBody(only).slice('Invalid value: '.length, -`: ${detail}`.length);
}

test('releases before 1.34 write a label selector as a struct', () => {
  const nil = 'MatchExpressions:[]v1.LabelSelectorRequirement(nil)';
  assert.equal(told('spec.selector', {}), `v1.LabelSelector{MatchLabels:map[string]string(nil), ${nil}}`);
  assert.equal(
    told('spec.selector', { matchLabels: { tier: 'front', app: 'web' } }),
    `v1.LabelSelector{MatchLabels:map[string]string{"app":"web", "tier":"front"}, ${nil}}`,
  );
  const matchExpressions = [{ key: 'app', operator: 'In' }];
  assert.equal(
    told('spec.selector', { matchExpressions }),
    'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{' +
      'v1.LabelSelectorRequirement{Key:"app", Operator:"In", Values:[]string(nil)}}}',
  );
  assert.equal(told('spec.selector', {}, 'no', 34), '{}');
});

test('releases before 1.34 write a quantity as a struct where they hold one', () => {
  const quantity = (value: number, scale: number, text: string, format = 'DecimalSI') =>
    `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, ` +
    `d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${text}", Format:"${format}"}`;
  assert.equal(told('spec.hard[pods]', '500m', 'must be an integer'), quantity(500, -3, '500m'));
  assert.equal(told('spec.limits[0].min[cpu]', '2', 'min value 2 is greater than max value 1'), quantity(2, 0, '2'));
  const huge = 'default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi';
  const field = 'spec.limits[0].defaultRequest[hugepages-2Mi]';
  assert.equal(told(field, '2Mi', huge), quantity(2_097_152, 0, '2Mi', 'BinarySI'));
  assert.equal(told('spec.metrics[0].object.target.value', '-1', 'must be positive'), quantity(-1, 0, '-1'));
  assert.equal(told('spec.hard[cpu]', '-1', 'must be greater than or equal to 0'), '"-1"');
  assert.equal(
    told('spec.capacity', { memory: '1Gi' }),
    `core.ResourceList{"memory":${quantity(1_073_741_824, 0, '1Gi', 'BinarySI')}}`,
  );
});

test('releases before 1.34 write a number or percentage as a struct, except one that is negative', () => {
  const field = 'spec.strategy.rollingUpdate.maxSurge';
  assert.equal(told(field, 0), 'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}');
  assert.equal(told(field, '101%'), 'intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}');
  assert.equal(told(field, -1, 'must be greater than or equal to 0'), '-1');
});

test('releases before 1.34 name the types of lists whose items are names of their own', () => {
  assert.equal(told('spec.scopes', ['Fast']), '[]core.ResourceQuotaScope{"Fast"}');
  assert.equal(told('spec.scopes', undefined), '[]core.ResourceQuotaScope(nil)');
  assert.equal(told('spec.policyTypes', ['Egress']), '[]networking.PolicyType{"Egress"}');
});

test('releases before 1.32 quote the whole toleration that has a needless value', () => {
  const held = new HeldText('b', { key: 'a', operator: 'Exists', value: 'b' });
  assert.equal(
    told('spec.tolerations[0].operator', held),
    'core.Toleration{Key:"a", Operator:"Exists", Value:"b", Effect:"", TolerationSeconds:(*int64)(nil)}',
  );
  assert.equal(told('spec.tolerations[0].operator', held, 'no', 32), '"b"');
  assert.equal(told('spec.tolerations[0].operator', held, 'no', 34), '"b"');
});

test('releases before 1.34 write owners and validation rules as structs', () => {
  assert.equal(
    told('metadata.ownerReferences', { apiVersion: 'v1', kind: 'Event', name: 'o', uid: 'u' }),
    'v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"o", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}',
  );
  const rule = { Rule: 'self > 5', Message: '', MessageExpression: '', Reason: null, FieldPath: '' };
  assert.equal(
    told('spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule', rule),
    'apiextensions.ValidationRule{Rule:"self > 5", Message:"", MessageExpression:"", ' +
      'Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}',
  );
});

test('releases before 1.34 write a selector of nodes as a map', () => {
  assert.equal(told('spec.nodeSelector', {}), 'map[string]string{}');
});

test('releases before 1.34 write names of resources in statuses without quotes, and 1.31 has one text for all', () => {
  const field = 'status.containerStatuses[0].allocatedResourcesStatus[0].name';
  const found = (minor: number) => {
    const error = fieldError.invalid(field, 'a', "must match one of the container's resource requests");
    const [only] = inReleaseWords([error], { minor, custom: false, group: '', kind: 'Pod' });
    return only === undefined ? '' : fieldErrorBody(only);
  };
  assert.equal(found(31), "Invalid value: a: must match one of the container's resource requirements");
  assert.equal(found(32), "Invalid value: a: must match one of the container's resource requests");
  assert.equal(found(34), 'Invalid value: "a": must match one of the container\'s resource requests');
});

test('releases before 1.34 quote a restart policy of a resize, and not the name of its resource', () => {
  const field = 'spec.containers[0].resizePolicy';
  assert.equal(told(field, 'disk', 'supported values: "cpu", "memory"'), 'disk');
  assert.equal(told(field, 'Maybe', 'supported values: "NotRequired", "RestartContainer"'), '"Maybe"');
  assert.equal(told(field, '', "must be 'NotRequired' when `restartPolicy` is 'Never'"), '""');
});

test('releases before 1.34 write an absent event time as the zero time, and absent CIDRs as a nil list', () => {
  assert.equal(told('eventTime', undefined), '0001-01-01 00:00:00 +0000 UTC');
  assert.equal(told('spec.cidrs', undefined), '[]string(nil)');
});
