// Rules at the edges, where one kind looks and another does not: each as kube-apiserver decides it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { behaviourContext, builtinResource } from '../../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';

const CONTEXT = behaviourContext();

function object(body: JsonObject): ApiObject {
  return { metadata: { name: 'a' }, ...body } as ApiObject;
}

function created(resource: string, body: JsonObject): string[] {
  const { validate, validateCreate } = builtinResource(resource).behaviour;
  const found = [...(validate?.(object(body), CONTEXT) ?? []), ...(validateCreate?.(object(body), CONTEXT) ?? [])];
  return found.map(({ field }) => field);
}

function changed(resource: string, next: JsonObject, previous: JsonObject): string[] {
  const { validate, validateUpdate } = builtinResource(resource).behaviour;
  const of = validateUpdate?.(object(next), object(previous), CONTEXT) ?? [];
  return [...(validate?.(object(next), CONTEXT) ?? []), ...of].map(({ field }) => field);
}

describe('rules at the edges', () => {
  it('ranges of service addresses are looked at when they are new, and compared one by one', () => {
    const ranges = (...cidrs: string[]) => ({ spec: { cidrs } });
    const resource = 'servicecidrs.networking.k8s.io';
    assert.deepEqual(created(resource, ranges('x')), ['spec.cidrs[0]']);
    assert.deepEqual(changed(resource, ranges('x'), ranges('10.0.0.0/24')), ['spec.cidrs[0]']);
    assert.deepEqual(changed(resource, ranges('10.0.0.0/24', 'fd00::/64'), ranges('10.0.0.0/24')), []);
    assert.deepEqual(changed(resource, ranges('10.0.0.0/24'), ranges('10.0.0.0/24', 'fd00::/64')), ['spec.cidrs']);
  });

  it('a second source of a volume is too many, but for a flexVolume', () => {
    const volume = (source: JsonObject) => ({
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' }, ...source },
    });
    assert.deepEqual(created('persistentvolumes', volume({})), []);
    assert.deepEqual(created('persistentvolumes', volume({ cephfs: { monitors: [] } })), ['spec.cephFS']);
    assert.deepEqual(created('persistentvolumes', volume({ local: { path: '/b' } })), ['spec.local']);
    assert.deepEqual(created('persistentvolumes', volume({ flexVolume: {} })), ['spec.flexVolume.driver']);
  });

  it('a volume inline is one of a CSI driver, for any node', () => {
    const attachment = (inlineVolumeSpec: JsonObject) => ({
      spec: { attacher: 'a.example.com', nodeName: 'n', source: { inlineVolumeSpec } },
    });
    const place = 'spec.source.inlineVolumeSpec';
    const csi = { driver: 'a.example.com', volumeHandle: 'v' };
    const modes = { accessModes: ['ReadWriteOnce'] };
    const resource = 'volumeattachments.storage.k8s.io';
    assert.deepEqual(created(resource, attachment({ ...modes, csi })), []);
    assert.deepEqual(created(resource, attachment({ ...modes, csi, volumeMode: 'Filesystem' })), []);
    assert.deepEqual(created(resource, attachment({ ...modes, hostPath: { path: '/a' } })), [`${place}.csi`]);
    assert.deepEqual(created(resource, attachment({ ...modes, csi, nodeAffinity: {}, volumeMode: 'Block' })), [
      `${place}.nodeAffinity`,
      `${place}.volumeMode`,
    ]);
  });

  it('a metric is called anything, and chosen by any selector', () => {
    const scaler = (metric: JsonObject) => ({
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 2,
        metrics: [metric],
      },
    });
    const target = { type: 'AverageValue', averageValue: '1' };
    const selector = { matchLabels: { '*': '*' } };
    for (const metric of [
      { type: 'Resource', resource: { name: 'any thing', target } },
      { type: 'Pods', pods: { metric: { name: 'm', selector }, target } },
    ]) {
      assert.deepEqual(created('horizontalpodautoscalers.autoscaling', scaler(metric)), []);
    }
  });

  it('a claim gives back what it has not got', () => {
    const claim = (storage: string, status: JsonObject = {}) => ({
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      status: { phase: 'Bound', ...status },
    });
    const got = { capacity: { storage: '2Gi' } };
    assert.deepEqual(changed('persistentvolumeclaims', claim('1Gi'), claim('3Gi')), []);
    assert.deepEqual(changed('persistentvolumeclaims', claim('1Gi', got), claim('3Gi', got)), [
      'spec.resources.requests.storage',
    ]);
  });

  it('a role that gathers others names them, whatever is wrong besides', () => {
    const role = { rules: [{ verbs: [] }], aggregationRule: {} };
    const found = created('clusterroles.rbac.authorization.k8s.io', role);
    assert.ok(found.includes('aggregationRule.clusterRoleSelectors') && found.length > 1);
  });
});
