import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIMS, claim, eventsAbout, PODS, podWith, post, read } from '../../../test/volume-objects.ts';
import { startTestServer } from '../../testing.ts';

const SPEC = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const POD = podWith('user', {
  ephemeral: { volumeClaimTemplate: { metadata: { labels: { of: 'pod' } }, spec: SPEC } },
});
const CONTROLLERS = '*,ephemeral-volume-controller';

test('a generic ephemeral volume of a pod becomes a claim that the pod controls', async () => {
  await using server = await startTestServer({ controllers: CONTROLLERS });
  await post(server, PODS, POD);
  const { metadata, spec } = await read(server, `${CLAIMS}/user-data`);
  const { uid } = (await read(server, `${PODS}/user`)).metadata;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'user', uid, controller: true, blockOwnerDeletion: true };
  assert.deepEqual(metadata.ownerReferences, [owner]);
  assert.deepEqual((metadata as { labels?: object }).labels, { of: 'pod' });
  assert.deepEqual(spec['resources'], SPEC.resources);
});

test('a claim that has the name of an ephemeral volume but belongs to nobody is in its way until it is deleted', async () => {
  await using server = await startTestServer({ controllers: CONTROLLERS });
  await post(server, CLAIMS, claim('user-data'));
  await post(server, PODS, POD);
  assert.deepEqual(await eventsAbout(server, 'Pod', 'user'), [
    'FailedBinding: ephemeral volume data: PVC default/user-data was not created for pod default/user (pod is not owner)',
  ]);
  await server.patch(`${CLAIMS}/user-data`, { metadata: { finalizers: null } });
  await server.request('DELETE', `${CLAIMS}/user-data`);
  await server.cluster.settled();
  assert.equal((await read(server, `${CLAIMS}/user-data`)).metadata.ownerReferences?.length, 1);
});

test('an ephemeral volume of a pod on a simulated node is there while the pod is', async () => {
  await using server = await startTestServer({ nodes: 1 });
  await server.cluster.settled();
  await post(server, PODS, POD);
  assert.equal((await read(server, `${PODS}/user`)).status.phase, 'Running');
  await server.request('DELETE', `${PODS}/user`);
  await server.cluster.settled();
  await server.clock!.advance('31s');
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${CLAIMS}/user-data`)).status, 404);
});
