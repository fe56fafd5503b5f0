import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items, runPods } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const PODS = '/api/v1/namespaces/default/pods';

interface Item {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { replicas?: number; containers: { image: string }[] };
  status: Record<string, number> & { phase?: string; conditions: { type: string; status: string; reason: string }[] };
}

/** A server on which Deployments and ReplicaSets are reconciled; the test is the kubelet. */
function start(): Promise<TestServer> {
  return startTestServer({ controllers: '*,deployment-controller,replicaset-controller' });
}

function deployment(spec: object = {}, image = 'nginx:1') {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template, ...spec },
  };
}

async function read(server: TestServer): Promise<Item> {
  return (await server.request('GET', `${DEPLOYMENTS}/web`)).body as Item;
}

function reasons({ status }: Item): Record<string, string> {
  return Object.fromEntries(status.conditions.map((each) => [each.type, `${each.status} ${each.reason}`]));
}

test('a Deployment has a ReplicaSet with its pods, and is available when they are ready', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment());
  await server.cluster.settled();
  const before = await read(server);
  assert.deepEqual(reasons(before), {
    Available: 'False MinimumReplicasUnavailable',
    Progressing: 'True ReplicaSetUpdated',
  });
  assert.equal(before.status.unavailableReplicas, 3);
  await runPods(server);
  const after = await read(server);
  assert.deepEqual(reasons(after), {
    Available: 'True MinimumReplicasAvailable',
    Progressing: 'True NewReplicaSetAvailable',
  });
  const { replicas, readyReplicas, updatedReplicas, availableReplicas, observedGeneration } = after.status;
  assert.deepEqual(
    { replicas, readyReplicas, updatedReplicas, availableReplicas, observedGeneration },
    { replicas: 3, readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 1 },
  );
  assert.equal(after.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
});

test('a rolling update never has more pods than the surge allows, nor fewer available ones than it must', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment({ replicas: 4 }));
  await runPods(server);
  await server.patch(`${DEPLOYMENTS}/web`, { spec: deployment({ replicas: 4 }, 'nginx:2').spec });
  await runPods(server);
  const sets = await items<Item>(server, SETS);
  const sizes = sets.map(({ metadata, spec, status }) => [
    metadata.annotations?.['deployment.kubernetes.io/revision'],
    spec.replicas,
    status.readyReplicas ?? 0,
  ]);
  assert.deepEqual(sizes.sort(), [
    ['1', 0, 0],
    ['2', 4, 4],
  ]);
  let [most, fewest] = [0, 4];
  const metadata = { namespace: 'default', name: 'web' };
  for (const { object } of server.history({ apiVersion: 'apps/v1', kind: 'Deployment', metadata })) {
    const { status } = object as Item;
    if ((status?.['observedGeneration'] ?? 0) < 2) continue;
    most = Math.max(most, status['replicas'] ?? 0);
    fewest = Math.min(fewest, status['availableReplicas'] ?? 0);
  }
  assert.deepEqual({ most, fewest }, { most: 5, fewest: 3 });
});

test('the strategy Recreate ends all old pods before it creates new ones', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment({ strategy: { type: 'Recreate' } }));
  await runPods(server);
  await server.patch(`${DEPLOYMENTS}/web`, { spec: { template: deployment({}, 'nginx:2').spec.template } });
  await runPods(server);
  const images = (await items<Item>(server, PODS)).map(({ spec }) => spec.containers[0]?.image);
  assert.deepEqual(images, ['nginx:2', 'nginx:2', 'nginx:2']);
});

test('a Deployment keeps as many old ReplicaSets as its history limit says', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment({ replicas: 1, revisionHistoryLimit: 1 }));
  await runPods(server);
  for (const image of ['nginx:2', 'nginx:3', 'nginx:4']) {
    await server.patch(`${DEPLOYMENTS}/web`, { spec: { template: deployment({}, image).spec.template } });
    await runPods(server);
  }
  const revisions = (await items<Item>(server, SETS)).map(
    ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'],
  );
  assert.deepEqual(revisions.sort(), ['3', '4']);
});

test('a Deployment that makes no progress until its deadline says so', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment({ progressDeadlineSeconds: 60 }));
  await server.cluster.settled();
  server.clock!.advance('2m');
  await server.cluster.settled();
  assert.equal(reasons(await read(server))['Progressing'], 'False ProgressDeadlineExceeded');
});

test('a paused Deployment is scaled, but its new template is not rolled out', async () => {
  await using server = await start();
  await server.request('POST', DEPLOYMENTS, deployment());
  await runPods(server);
  const paused = { ...deployment({}, 'nginx:2').spec, paused: true, replicas: 5 };
  await server.patch(`${DEPLOYMENTS}/web`, { spec: paused });
  await runPods(server);
  const images = (await items<Item>(server, PODS)).map(({ spec }) => spec.containers[0]?.image);
  assert.deepEqual(images, Array(5).fill('nginx:1'));
  assert.equal(reasons(await read(server))['Progressing'], 'Unknown DeploymentPaused');
});

test('the revision of a Deployment continues that of a ReplicaSet which it adopts, with all digits', async () => {
  await using server = await start();
  const { template, selector } = deployment().spec;
  const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
  const metadata = { name: 'old', annotations, labels: template.metadata.labels };
  const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { replicas: 1, selector, template } };
  assert.equal((await server.request('POST', SETS, set)).status, 201);
  await server.request('POST', DEPLOYMENTS, deployment({}, 'nginx:2'));
  await runPods(server);
  const revision = (await read(server)).metadata.annotations?.['deployment.kubernetes.io/revision'];
  assert.equal(revision, '3546343826724305833');
});
