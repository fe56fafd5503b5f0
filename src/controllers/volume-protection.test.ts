import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { startTestServer } from '../testing.ts';

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const PODS = '/api/v1/namespaces/default/pods';
const VOLUMES = '/api/v1/persistentvolumes';
const BOTH = 'persistentvolumeclaim-protection-controller,persistentvolume-protection-controller,namespace-controller';

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** Volumes of a pod named p by which it uses a claim named `data`, or `p-v`. */
const VOLUMES_BY_NAME = { name: 'v', persistentVolumeClaim: { claimName: 'data' } };
const EPHEMERAL_VOLUME = { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim.spec } } };

for (const [title, volume, name] of [
  ['a PersistentVolumeClaim that a pod on a node uses is deleted after the pod', VOLUMES_BY_NAME, 'data'],
  ['the PersistentVolumeClaim of an ephemeral volume is deleted after its pod', EPHEMERAL_VOLUME, 'p-v'],
] as const)
  test(title, async () => {
    await using server = await startTestServer({ controllers: BOTH });
    assert.equal((await server.request('POST', CLAIMS, { ...claim, metadata: { name } })).status, 201);
    const containers = [{ name: 'c', image: 'nginx' }];
    const spec = { nodeName: 'n', serviceAccountName: 'default', containers, volumes: [volume] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
    assert.equal((await server.request('POST', PODS, pod)).status, 201);
    await server.request('DELETE', `${CLAIMS}/${name}`);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const { body } = await server.request('GET', `${CLAIMS}/${name}`);
    assert.deepEqual((body as ApiObject).metadata.finalizers, ['kubernetes.io/pvc-protection']);
    await server.request('DELETE', `${PODS}/p`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    await until('the claim is gone', async () => (await server.request('GET', `${CLAIMS}/${name}`)).status === 404);
  });

test('a PersistentVolume that is not bound is deleted at once', async () => {
  await using server = await startTestServer({ controllers: BOTH });
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec };
  assert.equal((await server.request('POST', VOLUMES, volume)).status, 201);
  await server.request('DELETE', `${VOLUMES}/v`);
  await until('the volume is gone', async () => (await server.request('GET', `${VOLUMES}/v`)).status === 404);
});
