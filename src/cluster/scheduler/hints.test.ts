import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInfo, makeNode } from '../../../test/scheduling-objects.ts';
import type { ClusterChange } from './cluster-change.ts';
import { interested, mayHelp } from './hints.ts';

const node = (options: Parameters<typeof makeNode>[1], before?: Parameters<typeof makeNode>[1]): ClusterChange => ({
  ...{ of: 'node', node: makeNode('one', options) },
  before: before === undefined ? undefined : makeNode('one', before),
});

test('a node that only reports that it is alive wakes no pod', () => {
  assert.deepEqual(interested(node({}, {})), []);
  assert.ok(interested(node({ labels: { a: 'b' } }, {})).includes('NodeAffinity'));
});

test('a node helps a pod if it now tolerates, selects or fits what it did not before', () => {
  const taints = [{ key: 'k', effect: 'NoSchedule' }];
  const pod = makeInfo('p', { requests: { cpu: '2' }, spec: { nodeSelector: { disk: 'ssd' } } });
  assert.equal(mayHelp('TaintToleration', pod, node({}, { spec: { taints } })), true);
  assert.equal(mayHelp('TaintToleration', pod, node({ spec: { taints } })), false);
  assert.equal(mayHelp('NodeAffinity', pod, node({ labels: { disk: 'ssd' } }, {})), true);
  assert.equal(mayHelp('NodeAffinity', pod, node({ labels: { disk: 'hdd' } }, {})), false);
  assert.equal(
    mayHelp('NodeResourcesFit', pod, node({ allocatable: { cpu: '2' } }, { allocatable: { cpu: '1' } })),
    true,
  );
  assert.equal(mayHelp('NodeResourcesFit', pod, node({ labels: { a: 'b' } }, {})), false);
});

test('pods that come, change or go help those that are about them', () => {
  const term = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const near = makeInfo('near', { spec: { affinity: { podAffinity: required } } });
  const far = makeInfo('far', { spec: { affinity: { podAntiAffinity: required } } });
  const db = makeInfo('db', { labels: { app: 'db' } });
  const renamed = makeInfo('db', { labels: { app: 'web' } });
  const came: ClusterChange = { of: 'pod', pod: db, before: undefined };
  assert.equal(mayHelp('InterPodAffinity', near, came), true);
  assert.equal(mayHelp('InterPodAffinity', far, came), false);
  assert.equal(mayHelp('InterPodAffinity', far, { of: 'pod', pod: renamed, before: db }), true);
  assert.equal(mayHelp('InterPodAffinity', far, { of: 'gone pod', pod: db }), true);
  assert.equal(mayHelp('InterPodAffinity', far, { of: 'gone pod', pod: renamed }), false);
  assert.equal(mayHelp('InterPodAffinity', db, { of: 'gone pod', pod: far }), true);
});

test('a pod that only changes its status on a node wakes no pod, one that needs less does', () => {
  const [large, small] = ['2', '1'].map((cpu) => makeInfo('p', { requests: { cpu } }));
  assert.deepEqual(interested({ of: 'pod', pod: large!, before: large! }), []);
  assert.ok(interested({ of: 'pod', pod: small!, before: large! }).includes('NodeResourcesFit'));
});

test('a claim helps the pods that use it', () => {
  const object = { metadata: { namespace: 'default', name: 'data' } };
  const change: ClusterChange = { of: 'persistentvolumeclaims', object, before: undefined };
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  assert.equal(mayHelp('VolumeBinding', makeInfo('p', { spec: { volumes } }), change), true);
  assert.equal(mayHelp('VolumeBinding', makeInfo('p'), change), false);
});

test('a change of its claim does not help a pod that may not share the claim', () => {
  const object = { metadata: { namespace: 'default', name: 'data' } };
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = makeInfo('p', { spec: { volumes } });
  const change: ClusterChange = { of: 'persistentvolumeclaims', object, before: object };
  const filters = ['VolumeRestrictions', 'NodeVolumeLimits', 'VolumeBinding', 'VolumeZone'] as const;
  assert.deepEqual(
    filters.filter((filter) => mayHelp(filter, pod, change)),
    ['VolumeBinding', 'VolumeZone'],
  );
  const made = filters.filter((filter) => mayHelp(filter, pod, { ...change, before: undefined }));
  assert.deepEqual(made, filters);
});
