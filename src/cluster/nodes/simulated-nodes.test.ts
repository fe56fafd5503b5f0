import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { CLUSTER_CONTROLLERS } from '../../controllers/controller-names.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
/** Nothing but nodes: tests bind pods themselves. */
const OTHERS = Object.keys(CLUSTER_CONTROLLERS).filter((name) => name !== 'node-simulation');
const ONLY_NODES = ['*', ...OTHERS.map((name) => `-${name}`)].join();

interface Event {
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: object;
}

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ nodes: 1, controllers: ONLY_NODES, ...options });
  await server.cluster.settled();
  return server;
}

async function get<T>(server: TestServer, path: string): Promise<T> {
  return (await server.request('GET', path)).body as T;
}

function pod(name: string, spec: object = {}, metadata: object = {}) {
  const containers = [{ name: 'main', image: 'app:1' }];
  return { metadata: { name, ...metadata }, spec: { nodeName: 'node-1', containers, ...spec } };
}

/** Creates a pod on node-1 and waits until nothing more happens to it. */
async function run(server: TestServer, ...[name, spec, metadata]: Parameters<typeof pod>): Promise<Pod> {
  await created(server, PODS, pod(name, spec, metadata));
  await server.cluster.settled();
  return read(server, name);
}

function read(server: TestServer, name: string): Promise<Pod> {
  return get<Pod>(server, `${PODS}/${name}`);
}

/** In short: its phase, and the states of its containers. */
function textOf({ status }: Pod): string {
  const states = (status?.containerStatuses ?? []).map(({ state, ready, restartCount }) => {
    const { running, waiting, terminated } = state ?? {};
    const ended = terminated && `${terminated.reason} ${terminated.exitCode}`;
    return `${running ? 'running' : (waiting?.reason ?? ended)}${ready ? ' ready' : ''} ${restartCount}`;
  });
  return [status?.phase, status?.reason, ...states].filter((each) => each !== undefined).join('; ');
}

async function eventsOf(server: TestServer, kind: string, name: string): Promise<string[]> {
  const { items } = await get<{ items: Event[] }>(server, '/api/v1/events');
  return items
    .filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
    .sort();
}

function conditionsOf({ status }: Node): Record<string, string> {
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status: value, reason }) => [type, `${value} ${reason}`]),
  );
}

test('a simulated node registers like a kubelet and renews its lease', async () => {
  await using server = await start({ nodes: 2 });
  const node = await get<Node>(server, '/api/v1/nodes/node-2');
  assert.equal(node.metadata.labels?.['kubernetes.io/hostname'], 'node-2');
  assert.equal(node.status?.addresses?.[0]?.address, '10.199.0.2');
  assert.equal(node.status?.nodeInfo?.kubeletVersion, 'v1.34.4');
  assert.deepEqual(conditionsOf(node), {
    MemoryPressure: 'False KubeletHasSufficientMemory',
    DiskPressure: 'False KubeletHasNoDiskPressure',
    PIDPressure: 'False KubeletHasSufficientPID',
    Ready: 'True KubeletReady',
  });
  assert.ok(
    (await eventsOf(server, 'Node', 'node-2')).includes('Normal NodeReady: Node node-2 status is now: NodeReady'),
  );
  const renewed = async () =>
    Date.parse((await get<{ spec: { renewTime: string } }>(server, `${LEASES}/node-2`)).spec.renewTime);
  const before = await renewed();
  await server.clock?.advance('1m');
  assert.ok((await renewed()) - before >= 50_000);
  const [{ manager } = {}] = node.metadata.managedFields ?? [];
  assert.equal(manager, 'kubelet');
});

test('the status of a simulated node that has not changed is reported every five minutes', async () => {
  await using server = await start();
  const versions = () => server.history({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }).length;
  const before = versions();
  await server.clock?.advance('290s');
  assert.equal(versions(), before);
  await server.clock?.advance('11s');
  assert.equal(versions(), before + 1);
});

test('a pod on a simulated node runs, with one write of its status, until it is deleted', async () => {
  await using server = await start();
  const running = await run(server, 'web');
  assert.equal(textOf(running), 'Running; running ready 0');
  assert.equal(running.status?.podIP, '10.200.0.2');
  assert.equal(running.status?.hostIP, '10.199.0.1');
  const history = server.history({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'web' } });
  assert.equal(history.length, 2);
  assert.equal((await server.request('DELETE', `${PODS}/web`)).status, 200);
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${PODS}/web`)).status, 404);
  const events = await eventsOf(server, 'Pod', 'web');
  assert.ok(events.includes('Normal Killing: Stopping container main'), events.join('\n'));
  assert.equal((await run(server, 'next')).status?.podIP, '10.200.0.3');
});

test('a pod of the host network has the address of its simulated node', async () => {
  await using server = await start();
  const { status } = await run(server, 'host', { hostNetwork: true });
  assert.deepEqual([status?.podIP, status?.hostIP], ['10.199.0.1', '10.199.0.1']);
});

test('a deleted pod stays until its preStop hook has slept', async () => {
  await using server = await start();
  const lifecycle = { preStop: { sleep: { seconds: 10 } } };
  await run(server, 'slow', { containers: [{ name: 'main', image: 'app', lifecycle }] });
  await server.request('DELETE', `${PODS}/slow`);
  await server.clock?.advance('9s');
  assert.equal(textOf(await read(server, 'slow')), 'Running; running ready 0');
  await server.clock?.advance('2s');
  assert.equal((await server.request('GET', `${PODS}/slow`)).status, 404);
});

test('a deleted pod with a finalizer has ended, and is gone when the finalizer is', async () => {
  await using server = await start();
  await run(server, 'kept', { restartPolicy: 'Never' }, { finalizers: ['example.com/keep'] });
  await server.request('DELETE', `${PODS}/kept`);
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'kept')), 'Failed; Error 143 0');
  await server.patch(`${PODS}/kept`, { metadata: { finalizers: [] } });
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${PODS}/kept`)).status, 404);
});

test('a pod waits for the ConfigMap that its container refers to', async () => {
  await using server = await start();
  const envFrom = [{ configMapRef: { name: 'settings' } }];
  const waiting = await run(server, 'web', { containers: [{ name: 'main', image: 'app', envFrom }] });
  assert.equal(textOf(waiting), 'Pending; CreateContainerConfigError 0');
  await created(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' } });
  await server.clock?.advance('1m');
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a pod waits for its claim to be bound, and an event says so after two minutes', async () => {
  await using server = await start();
  const accessModes = ['ReadWriteOnce'];
  const spec = { accessModes, resources: { requests: { storage: '1Gi' } }, storageClassName: '' };
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  await created(server, claims, { metadata: { name: 'data' }, spec });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const waiting = await run(server, 'web', { volumes });
  assert.equal(textOf(waiting), 'Pending; ContainerCreating 0');
  assert.deepEqual(await eventsOf(server, 'Pod', 'web'), []);
  await server.clock?.advance('123s');
  const what = 'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[]';
  const why = 'failed to process volumes=[data]: error processing PVC default/data: PVC is not bound';
  assert.deepEqual(await eventsOf(server, 'Pod', 'web'), [`Warning FailedMount: ${what}, ${why}`]);
  await server.patch(`${claims}/data/status`, { status: { phase: 'Bound' } });
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a pod waits for the Secret of its volume', async () => {
  await using server = await start();
  const volumes = [{ name: 'keys', secret: { secretName: 'keys' } }];
  const waiting = await run(server, 'web', { volumes });
  assert.equal(textOf(waiting), 'Pending; ContainerCreating 0');
  assert.deepEqual(await eventsOf(server, 'Pod', 'web'), [
    'Warning FailedMount: MountVolume.SetUp failed for volume "keys" : secret "keys" not found',
  ]);
  await created(server, '/api/v1/namespaces/default/secrets', { metadata: { name: 'keys' } });
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a simulated node rejects a pod that requests more than it has', async () => {
  await using server = await start();
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '9' } } }];
  const rejected = await run(server, 'big', { containers });
  assert.equal(rejected.status?.reason, 'OutOfcpu');
  const amounts = 'requested: 9000, used: 0, capacity: 8000';
  assert.equal(rejected.status?.message, `Pod was rejected: Node didn't have enough resource: cpu, ${amounts}`);
});

test('a test makes a container fail, and a pod succeed', async () => {
  await using server = await start();
  await run(server, 'server');
  server.cluster.pods.fail('default', 'server', { exitCode: 9 });
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'server')), 'Running; running ready 1');
  server.cluster.pods.fail('default', 'server', { reason: 'OOMKilled', exitCode: 137 });
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'server')), 'Running; CrashLoopBackOff 1');
  await run(server, 'task', { restartPolicy: 'Never' });
  server.cluster.pods.succeed('default', 'task');
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'task')), 'Succeeded; Completed 0 0');
  assert.throws(() => server.cluster.pods.succeed('default', 'other'), /pod default\/other is not on a simulated node/);
});

test('a test decides whether a pod is ready', async () => {
  await using server = await start();
  const readinessProbe = { exec: { command: ['check'] } };
  await run(server, 'web', { containers: [{ name: 'main', image: 'app', readinessProbe }] });
  server.cluster.pods.setReady('default', 'web', false);
  await server.cluster.settled();
  const unready = await read(server, 'web');
  assert.equal(unready.status?.conditions?.find(({ type }) => type === 'Ready')?.reason, 'ContainersNotReady');
  const events = await eventsOf(server, 'Pod', 'web');
  assert.ok(events.includes('Warning Unhealthy: Readiness probe failed: the container is not ready'));
  server.cluster.pods.setReady('default', 'web', true);
  await server.cluster.settled();
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a simulated node that is stopped reports nothing, and its pods stay as they are', async () => {
  await using server = await start();
  const before = await run(server, 'web');
  server.cluster.nodes.stop('node-1');
  await server.cluster.settled();
  const lease = await get<object>(server, `${LEASES}/node-1`);
  await server.request('DELETE', `${PODS}/web`);
  await server.clock?.advance('5m');
  assert.deepEqual(await get<object>(server, `${LEASES}/node-1`), lease);
  assert.deepEqual((await read(server, 'web')).status, before.status);
  server.cluster.nodes.start('node-1');
  await server.cluster.settled();
  assert.equal((await server.request('GET', `${PODS}/web`)).status, 404);
  assert.notDeepEqual(await get<object>(server, `${LEASES}/node-1`), lease);
});

test('a simulated node under memory pressure evicts pods without requests', async () => {
  await using server = await start();
  const containers = [{ name: 'main', image: 'app', resources: { requests: { memory: '1Gi' } } }];
  await run(server, 'modest', { containers });
  await run(server, 'greedy');
  await server.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'keelson.dev/pressure': 'memory' } } });
  await server.clock?.advance('30s');
  assert.equal(
    conditionsOf(await get<Node>(server, '/api/v1/nodes/node-1'))['MemoryPressure'],
    'True KubeletHasInsufficientMemory',
  );
  const evicted = await read(server, 'greedy');
  assert.equal(textOf(evicted), 'Failed; Evicted; Completed 0 0');
  assert.equal(evicted.status?.conditions?.[0]?.type, 'DisruptionTarget');
  assert.equal(textOf(await read(server, 'modest')), 'Running; running ready 0');
});

test('a running pod is resized, if its simulated node has room', async () => {
  await using server = await start();
  const resources = (cpu: string) => ({
    containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }],
  });
  await run(server, 'web', resources('1'));
  const resize = async (cpu: string) => {
    const patch = { spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] } };
    const type = 'application/strategic-merge-patch+json';
    assert.equal((await server.patch(`${PODS}/web/resize`, patch, type)).status, 200);
    await server.cluster.settled();
    const { status } = await read(server, 'web');
    const [container] = status?.containerStatuses ?? [];
    const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
    return {
      cpu: container?.resources?.requests?.['cpu'],
      pending: pending?.reason,
      restarts: container?.restartCount,
    };
  };
  assert.deepEqual(await resize('2'), { cpu: '2', pending: undefined, restarts: 0 });
  assert.deepEqual(await resize('9'), { cpu: '2', pending: 'Infeasible', restarts: 0 });
  await run(server, 'other', resources('5'));
  assert.deepEqual(await resize('4'), { cpu: '2', pending: 'Deferred', restarts: 0 });
  await server.request('DELETE', `${PODS}/other`);
  await server.cluster.settled();
  assert.deepEqual(await resize('3'), { cpu: '3', pending: undefined, restarts: 0 });
});

test('an ephemeral container is started in a running pod', async () => {
  await using server = await start();
  await run(server, 'web');
  const ephemeralContainers = [{ name: 'debug', image: 'busybox', stdin: true }];
  const type = 'application/strategic-merge-patch+json';
  await server.patch(`${PODS}/web/ephemeralcontainers`, { spec: { ephemeralContainers } }, type);
  await server.cluster.settled();
  const [debug] = (await read(server, 'web')).status?.ephemeralContainerStatuses ?? [];
  assert.ok(debug?.state?.running !== undefined);
});

test('only a node with the annotation of Keelson or of KWOK is simulated', async () => {
  await using server = await start();
  await created(server, '/api/v1/nodes', {
    metadata: { name: 'mine', annotations: { 'keelson.dev/simulated': 'true' } },
  });
  await created(server, '/api/v1/nodes', { metadata: { name: 'fake', annotations: { 'kwok.x-k8s.io/node': 'fake' } } });
  await created(server, '/api/v1/nodes', { metadata: { name: 'real' } });
  await server.cluster.settled();
  assert.equal((await get<Node>(server, '/api/v1/nodes/mine')).status?.addresses?.[0]?.address, '10.199.0.2');
  assert.equal((await get<Node>(server, '/api/v1/nodes/fake')).status?.addresses?.[0]?.address, '10.199.0.3');
  assert.equal((await get<Node>(server, '/api/v1/nodes/real')).status?.addresses, undefined);
  assert.equal(textOf(await run(server, 'web', { nodeName: 'mine' })), 'Running; running ready 0');
  assert.equal((await run(server, 'other', { nodeName: 'real' })).status?.phase, 'Pending');
});

test('pods on simulated nodes take time if delays are realistic', async () => {
  await using server = await start({ nodeDelays: 'realistic' });
  const pending = await run(server, 'web');
  assert.equal(textOf(pending), 'Pending; ContainerCreating 0');
  await server.clock?.advance('5s');
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('simulated nodes and their pods go on after the server was restarted', async () => {
  await using server = await start();
  const before = await run(server, 'web', {
    restartPolicy: 'OnFailure',
    containers: [{ name: 'main', image: 'app', command: ['sleep', '60'] }],
  });
  await server.rewind(server.snapshot());
  await server.cluster.settled();
  assert.deepEqual((await read(server, 'web')).status, before.status);
  assert.equal((await run(server, 'next')).status?.podIP, '10.200.0.3');
  await server.clock?.advance('61s');
  assert.equal(textOf(await read(server, 'web')), 'Succeeded; Completed 0 0');
});

test('a wrong annotation of a pod is reported in an event', async () => {
  await using server = await start();
  await run(server, 'web', {}, { annotations: { 'keelson.dev/crash-after': 'soon' } });
  const events = await eventsOf(server, 'Pod', 'web');
  const message = 'annotation keelson.dev/crash-after has no effect: "soon" is not a duration such as 30s';
  assert.ok(events.includes(`Warning InvalidSimulation: ${message}`));
});

test('a simulated node that is lost by its annotation recovers without it', async () => {
  await using server = await start();
  const annotate = async (lost: string | null) => {
    await server.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'keelson.dev/lost': lost } } });
    await server.cluster.settled();
  };
  await annotate('true');
  assert.equal((await run(server, 'web')).status?.phase, 'Pending');
  await annotate(null);
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a simulated node that starts slowly becomes ready later', async () => {
  await using server = await start();
  const annotations = { 'keelson.dev/simulated': 'true', 'keelson.dev/slow-start': '30s' };
  await created(server, '/api/v1/nodes', { metadata: { name: 'slow', annotations } });
  const ready = async () => conditionsOf(await get<Node>(server, '/api/v1/nodes/slow'))['Ready'];
  await server.clock?.advance('20s');
  assert.equal(await ready(), 'False KubeletNotReady');
  await server.clock?.advance('11s');
  assert.equal(await ready(), 'True KubeletReady');
});

test('the pods of a simulated node that was deleted do not go on', async () => {
  await using server = await start();
  const command = ['sleep', '30'];
  await run(server, 'web', { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app', command }] });
  await server.request('DELETE', '/api/v1/nodes/node-1');
  await server.clock?.advance('1m');
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
});

test('a test evicts a pod, and sets a condition of a simulated node', async () => {
  await using server = await start();
  await run(server, 'web');
  server.cluster.pods.evict('default', 'web', 'enough');
  server.cluster.nodes.setCondition('node-1', 'Ready', 'False');
  await server.cluster.settled();
  const evicted = await read(server, 'web');
  assert.deepEqual([evicted.status?.reason, evicted.status?.message], ['Evicted', 'enough']);
  assert.equal(conditionsOf(await get<Node>(server, '/api/v1/nodes/node-1'))['Ready'], 'False KubeletNotReady');
  assert.ok((await eventsOf(server, 'Pod', 'web')).includes('Warning Evicted: enough'));
});

test('an image that was pulled is in the status of its simulated node', async () => {
  await using server = await start();
  await run(server, 'web');
  await server.clock?.advance('11s');
  const { status } = await get<Node>(server, '/api/v1/nodes/node-1');
  assert.equal(status?.images?.[0]?.names?.[1], 'docker.io/library/app:1');
});

test('a container whose resize policy demands it is restarted when its pod is resized', async () => {
  await using server = await start({ nodeDelays: 'realistic' });
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const resources = { requests: { cpu: '1' } };
  await run(server, 'web', { containers: [{ name: 'main', image: 'app', resources, resizePolicy }] });
  await server.clock?.advance('10s');
  const patch = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] } };
  await server.patch(`${PODS}/web/resize`, patch, 'application/strategic-merge-patch+json');
  await server.cluster.settled();
  const resizing = await read(server, 'web');
  assert.ok(resizing.status?.conditions?.some(({ type }) => type === 'PodResizeInProgress'));
  await server.clock?.advance('10s');
  const resized = await read(server, 'web');
  assert.equal(textOf(resized), 'Running; running ready 1');
  assert.equal(resized.status?.containerStatuses?.[0]?.resources?.requests?.['cpu'], '2');
  assert.ok(!resized.status?.conditions?.some(({ type }) => type === 'PodResizeInProgress'));
  const events = await eventsOf(server, 'Pod', 'web');
  assert.ok(events.includes('Normal Killing: Container main resize requires restart'), events.join('\n'));
});

test('pods that are deleted while their node reports about them end', async () => {
  // Its writes take turns of the event loop, so that others come in between.
  using folder = mkdtempDisposableSync(join(tmpdir(), 'keelson-nodes-'));
  await using server = await startTestServer({ nodes: 1, store: 'embedded', dataDir: folder.path });
  const pods = '/api/v1/namespaces/default/pods';
  const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  for (const name of names)
    await server.request('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  await server.cluster.settled();
  const change = async (name: string, index: number) => {
    // Something to report, and a little later the deletion.
    const conditions = [{ type: 'Ready', status: 'False' }];
    const patching = server.patch(`${pods}/${name}/status`, { status: { conditions } });
    for (let turn = 0; turn < index % 8; turn++) await new Promise(setImmediate);
    await Promise.all([patching, server.request('DELETE', `${pods}/${name}`)]);
  };
  await Promise.all(names.map(change));
  await server.clock!.advance('2s');
  const { items } = (await server.request('GET', pods)).body as { items: { metadata: { name: string } }[] };
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    [],
  );
});

test('a status of a pod that could not be written is written later', async () => {
  await using server = await start();
  const registration = '/apis/admissionregistration.k8s.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['pods/status'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'false' }] };
  await created(server, `${registration}/validatingadmissionpolicies`, { metadata: { name: 'never' }, spec });
  const binding = { metadata: { name: 'never' }, spec: { policyName: 'never', validationActions: ['Deny'] } };
  await created(server, `${registration}/validatingadmissionpolicybindings`, binding);
  await created(server, PODS, pod('web'));
  await server.clock?.advance('1s');
  assert.equal(textOf(await read(server, 'web')), 'Pending');
  await server.request('DELETE', `${registration}/validatingadmissionpolicybindings/never`);
  await server.clock?.advance('2m');
  assert.equal(textOf(await read(server, 'web')), 'Running; running ready 0');
  assert.equal((await eventsOf(server, 'Pod', 'web')).filter((event) => event.includes('Started')).length, 1);
});

test('the names of the events of a pod are in the order in which they happened', async () => {
  await using server = await start();
  await run(server, 'web');
  const { items } = await get<{ items: (Event & { metadata: { name: string } })[] }>(
    server,
    '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=web',
  );
  const sorted = items.toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  assert.deepEqual(
    sorted.map(({ reason }) => reason),
    ['Pulling', 'Pulled', 'Created', 'Started'],
  );
});
