import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items, runPods } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const SETS = '/apis/apps/v1/namespaces/default/statefulsets';
const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';

interface Item {
  metadata: { name: string; labels: Record<string, string>; ownerReferences?: { kind: string; name: string }[] };
  spec: { containers: { image: string }[] };
  status: Record<string, unknown>;
}

/** A server with a StatefulSet of three pods that run. */
async function start(spec: object = {}): Promise<{ server: TestServer; order: string[] }> {
  const server = await startTestServer({ controllers: '*,statefulset-controller' });
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: template('db:1'),
      ...spec,
    },
  };
  assert.equal((await server.request('POST', SETS, set)).status, 201);
  return { server, order: await runPods(server) };
}

function template(image: string) {
  return { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image }] } };
}

async function status(server: TestServer): Promise<Record<string, unknown>> {
  return ((await server.request('GET', `${SETS}/db`)).body as Item).status;
}

test('pods of a StatefulSet are created in the order of their ordinals, each when the one before is ready', async () => {
  const { server, order } = await start();
  await using _ = server;
  assert.deepEqual(order, ['db-0', 'db-1', 'db-2']);
  const { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas, collisionCount } =
    await status(server);
  assert.deepEqual(
    { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas, collisionCount },
    { replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3, updatedReplicas: 3, collisionCount: 0 },
  );
});

test('an update of a StatefulSet replaces its pods from the last to the first', async () => {
  const { server } = await start();
  await using _ = server;
  await server.patch(`${SETS}/db`, { spec: { template: template('db:2') } });
  assert.deepEqual(await runPods(server), ['db-2', 'db-1', 'db-0']);
  const { currentRevision, updateRevision } = await status(server);
  assert.equal(currentRevision, updateRevision);
});

test('pods below the partition of a StatefulSet keep their revision', async () => {
  const { server } = await start();
  await using _ = server;
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
  await server.patch(`${SETS}/db`, { spec: { template: template('db:2'), updateStrategy } });
  await runPods(server);
  await server.request('DELETE', `${PODS}/db-0`);
  await runPods(server);
  const images = (await items<Item>(server, PODS)).map(({ spec }) => spec.containers[0]?.image);
  assert.deepEqual(images, ['db:1', 'db:1', 'db:2']);
});

test('a StatefulSet that is scaled down loses its last pods, and their claims if the policy says so', async () => {
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const { server } = await start({
    volumeClaimTemplates: [claim],
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
  });
  await using _ = server;
  const names = async (path: string) => (await items<Item>(server, path)).map(({ metadata }) => metadata.name);
  assert.deepEqual(await names(CLAIMS), ['data-db-0', 'data-db-1', 'data-db-2']);
  await server.patch(`${SETS}/db`, { spec: { replicas: 1 } });
  await runPods(server);
  assert.deepEqual(await names(PODS), ['db-0']);
  const ended = (await items<Item & { metadata: { deletionTimestamp?: string } }>(server, CLAIMS)).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  assert.deepEqual(
    ended.map(({ metadata }) => metadata.name),
    ['data-db-0'],
  );
});

test('with parallel management, pods of a StatefulSet do not wait for each other', async () => {
  const { server, order } = await start({ podManagementPolicy: 'Parallel' });
  await using _ = server;
  assert.deepEqual(order.sort(), ['db-0', 'db-1', 'db-2']);
});

test('a StatefulSet with the policy Parallel tries only its first pod when a quota refuses it, and owns the claim of that pod', async () => {
  await using server = await startTestServer({ controllers: '*,statefulset-controller,resourcequota-controller' });
  const quota = { metadata: { name: 'q' }, spec: { hard: { 'limits.memory': '1Gi' } } };
  await server.request('POST', '/api/v1/namespaces/default/resourcequotas', quota);
  await server.cluster.settled();
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const spec = {
    ...{ replicas: 3, serviceName: 'db', podManagementPolicy: 'Parallel', template: template('db:1') },
    selector: { matchLabels: { app: 'db' } },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
  };
  await server.request('POST', SETS, { metadata: { name: 'db' }, spec });
  await server.cluster.settled();
  const claims = await items<Item>(server, CLAIMS);
  const owners = claims.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.map(({ kind }) => kind)]);
  assert.deepEqual(await items(server, PODS), []);
  assert.deepEqual(owners, [['data-db-0', ['StatefulSet']]]);
});
