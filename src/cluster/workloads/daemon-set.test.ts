import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items, runPods } from '../../../test/pod-runner.ts';
import type { ControllerRevision } from '../../resources/builtin/apps/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { nodeOf } from './daemon-pods.ts';
import { templateOf } from './revisions.ts';

const SETS = '/apis/apps/v1/namespaces/default/daemonsets';
const PODS = '/api/v1/namespaces/default/pods';

async function addNode(server: TestServer, name: string, spec: Node['spec'] = {}, labels = {}): Promise<void> {
  await server.request('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec });
  // Admission taints new nodes until they are ready.
  await server.patch(`/api/v1/nodes/${name}`, { spec: { taints: spec.taints ?? null } });
}

function template(image: string, spec: object = {}) {
  return { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image }], ...spec } };
}

async function start(spec: object = {}): Promise<TestServer> {
  const server = await startTestServer({ controllers: '*,daemonset-controller' });
  for (const name of ['n1', 'n2', 'n3']) await addNode(server, name);
  const set = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent:1'), ...spec },
  };
  assert.equal((await server.request('POST', SETS, set)).status, 201);
  await runPods(server);
  return server;
}

async function nodesOfPods(server: TestServer): Promise<(string | undefined)[]> {
  return (await items<Pod>(server, PODS)).map(nodeOf).sort();
}

async function status(server: TestServer): Promise<Record<string, number>> {
  return ((await server.request('GET', `${SETS}/agent`)).body as { status: Record<string, number> }).status;
}

test('a DaemonSet has a pod on each node, and on nodes that come later', async () => {
  await using server = await start();
  assert.deepEqual(await nodesOfPods(server), ['n1', 'n2', 'n3']);
  await addNode(server, 'n4');
  await runPods(server);
  assert.deepEqual(await nodesOfPods(server), ['n1', 'n2', 'n3', 'n4']);
  const { desiredNumberScheduled, numberReady, numberAvailable, updatedNumberScheduled } = await status(server);
  assert.deepEqual([desiredNumberScheduled, numberReady, numberAvailable, updatedNumberScheduled], [4, 4, 4, 4]);
});

test('a ControllerRevision keeps the template of a DaemonSet with its members in the order of their names', async () => {
  await using server = await start();
  const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const [revision] = await items<ControllerRevision>(server, revisions);
  const container = {
    ...{ image: 'agent:1', imagePullPolicy: 'IfNotPresent', name: 'agent', resources: {} },
    ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  };
  const spec = {
    ...{ containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: 'Always' },
    ...{ schedulerName: 'default-scheduler', securityContext: {}, terminationGracePeriodSeconds: 30 },
  };
  const template = { $patch: 'replace', metadata: { labels: { app: 'agent' } }, spec };
  assert.equal(JSON.stringify(revision?.data), JSON.stringify({ spec: { template } }));
});

test('a DaemonSet leaves out nodes whose taints it does not tolerate, and leaves nodes that get one', async () => {
  await using server = await start();
  await addNode(server, 'n4', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
  await server.patch('/api/v1/nodes/n1', { spec: { taints: [{ key: 'bad', effect: 'NoExecute' }] } });
  await runPods(server);
  assert.deepEqual(await nodesOfPods(server), ['n2', 'n3']);
});

test('a rolling update of a DaemonSet replaces one pod at a time by default', async () => {
  await using server = await start();
  await server.patch(`${SETS}/agent`, { spec: { template: template('agent:2') } });
  await server.cluster.settled();
  const deleting = (await items<Pod>(server, PODS)).filter(({ spec }) => spec?.containers?.[0]?.image === 'agent:2');
  assert.ok(deleting.length <= 1, 'more than one pod was replaced at once');
  await runPods(server);
  const images = (await items<Pod>(server, PODS)).map(({ spec }) => spec?.containers?.[0]?.image);
  assert.deepEqual(images, ['agent:2', 'agent:2', 'agent:2']);
});

test("revisions of pods that still run count towards a DaemonSet's revisionHistoryLimit", async () => {
  await using server = await start({ revisionHistoryLimit: 1 });
  const images = async () => {
    const revisions = await items<ControllerRevision>(server, '/apis/apps/v1/namespaces/default/controllerrevisions');
    return revisions.map((each) => templateOf(each).spec?.containers?.[0]?.image).sort();
  };
  await server.patch(`${SETS}/agent`, { spec: { template: template('agent:2') } });
  await runPods(server);
  assert.deepEqual(await images(), ['agent:1', 'agent:2']);
  await server.patch(`${SETS}/agent`, {
    spec: { template: template('agent:3'), updateStrategy: { type: 'OnDelete' } },
  });
  await server.cluster.settled();
  assert.deepEqual(await images(), ['agent:2', 'agent:3']);
});

test('with a surge, the new pod of a DaemonSet runs before the old one goes', async () => {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  await using server = await start({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
  await server.patch(`${SETS}/agent`, { spec: { template: template('agent:2') } });
  await server.cluster.settled();
  assert.equal((await items(server, PODS)).length, 4);
  await runPods(server);
  assert.deepEqual(await nodesOfPods(server), ['n1', 'n2', 'n3']);
});
