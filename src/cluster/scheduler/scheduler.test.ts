import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { items } from '../../../test/pod-runner.ts';
import { makeNode, makePod } from '../../../test/scheduling-objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Event } from '../../resources/builtin/events/v1-objects.ts';
import type { ResourceClaim } from '../../resources/builtin/resource/v1-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';

async function start(...nodes: string[]): Promise<TestServer> {
  const server = await startTestServer({ controllers: '*,kube-scheduler' });
  for (const name of nodes) await addNode(server, name);
  // Pods that come before the scheduler has started are all equally old.
  await server.cluster.settled();
  return server;
}

/** Nobody else takes the taint away with which nodes begin. */
async function addNode(server: TestServer, name: string, options: Parameters<typeof makeNode>[1] = {}): Promise<void> {
  await created(server, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', ...makeNode(name, options) });
  await server.patch(`/api/v1/nodes/${name}`, { spec: { taints: options.spec?.taints ?? null } });
}

async function addPod(server: TestServer, name: string, options: Parameters<typeof makePod>[1] = {}): Promise<void> {
  const { metadata, spec, ...pod } = makePod(name, options);
  const { uid: _, ...rest } = metadata;
  const containers = spec?.containers?.map((each) => ({ ...each, image: 'nginx' }));
  await created(server, PODS, {
    ...pod,
    metadata: rest,
    spec: { terminationGracePeriodSeconds: 0, ...spec, containers },
  });
}

async function settledPod(server: TestServer, name: string): Promise<Pod> {
  await server.cluster.settled();
  return (await server.request('GET', `${PODS}/${name}`)).body as Pod;
}

async function nodeOf(server: TestServer, name: string): Promise<string | undefined> {
  return (await settledPod(server, name)).spec?.nodeName;
}

function scheduled({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
}

async function eventsOf(server: TestServer, name: string): Promise<Event[]> {
  const events = await items<Event>(server, '/apis/events.k8s.io/v1/namespaces/default/events');
  return events.filter(({ regarding }) => regarding?.name === name);
}

test('the scheduler binds a pod and reports it in an event of events.k8s.io', async () => {
  await using server = await start('one');
  await addPod(server, 'web');
  const pod = await settledPod(server, 'web');
  assert.equal(pod.spec?.nodeName, 'one');
  assert.equal(scheduled(pod)?.status, 'True');
  const [event] = await eventsOf(server, 'web');
  assert.deepEqual(
    { ...event, metadata: undefined, regarding: event?.regarding?.kind, eventTime: typeof event?.eventTime },
    {
      ...{ metadata: undefined, regarding: 'Pod', eventTime: 'string' },
      ...{ type: 'Normal', reason: 'Scheduled', action: 'Binding' },
      note: 'Successfully assigned default/web to one',
      ...{ reportingController: 'default-scheduler', reportingInstance: `default-scheduler-${hostname()}` },
      ...{ deprecatedSource: {}, deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null },
    },
  );
});

test('a pod that fits on no node has a condition and an event that say why', async () => {
  await using server = await start('one', 'two');
  await addNode(server, 'tainted', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } });
  await addPod(server, 'big', { requests: { cpu: '5' } });
  const message =
    '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, ' +
    'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  const condition = scheduled(await settledPod(server, 'big'));
  assert.deepEqual(
    [condition?.status, condition?.reason, condition?.message, condition?.observedGeneration],
    ['False', 'Unschedulable', message, 1],
  );
  const [event] = await eventsOf(server, 'big');
  assert.deepEqual([event?.type, event?.reason, event?.note], ['Warning', 'FailedScheduling', message]);
});

test('an unschedulable pod is scheduled when a node with room is added', async () => {
  await using server = await start();
  await addPod(server, 'early', { requests: { cpu: '2' } });
  assert.equal(scheduled(await settledPod(server, 'early'))?.message, 'no nodes available to schedule pods');
  await addNode(server, 'small', { allocatable: { cpu: '1' } });
  assert.equal(await nodeOf(server, 'early'), undefined);
  await addNode(server, 'large');
  assert.equal(await nodeOf(server, 'early'), 'large');
});

test('an unschedulable pod is scheduled when another one is deleted', async () => {
  await using server = await start('one');
  await addPod(server, 'first', { requests: { cpu: '3' } });
  await addPod(server, 'second', { requests: { cpu: '3' } });
  assert.equal(await nodeOf(server, 'second'), undefined);
  await server.request('DELETE', `${PODS}/first`);
  assert.equal(await nodeOf(server, 'second'), 'one');
});

test('repeated FailedScheduling events of the same state are a series', async () => {
  await using server = await start('one');
  await addPod(server, 'big', { requests: { cpu: '5' } });
  await server.cluster.settled();
  for (let attempt = 0; attempt < 3; attempt++) {
    await server.clock?.advance('5m1s');
    await server.cluster.settled();
  }
  const counts = (await eventsOf(server, 'big')).map(({ series }) => series?.count);
  // The first one was about the pod before its condition was written.
  assert.deepEqual(counts.toSorted(), [2, undefined]);
});

test('a pod with another schedulerName or with scheduling gates is left alone', async () => {
  await using server = await start('one');
  await addPod(server, 'foreign', { spec: { schedulerName: 'other' } });
  await addPod(server, 'gated', { spec: { schedulingGates: [{ name: 'example.com/wait' }] } });
  assert.equal(await nodeOf(server, 'foreign'), undefined);
  assert.equal(await nodeOf(server, 'gated'), undefined);
  await server.patch(`${PODS}/gated`, { spec: { schedulingGates: null } });
  assert.equal(await nodeOf(server, 'gated'), 'one');
});

test('pods of a set are spread over nodes and zones', async () => {
  await using server = await start();
  for (const zone of ['a', 'b']) {
    for (const index of [1, 2]) {
      await addNode(server, `${zone}${index}`, { labels: { 'topology.kubernetes.io/zone': zone } });
    }
  }
  const selector = { app: 'web' };
  const ports = [{ port: 80 }];
  await created(server, '/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector, ports },
  });
  const used = new Set<string | undefined>();
  for (let index = 0; index < 4; index++) {
    await addPod(server, `web-${index}`, { labels: selector });
    used.add(await nodeOf(server, `web-${index}`));
  }
  assert.equal(used.size, 4);
});

test('a pod with a higher priority takes the place of one with a lower priority', async () => {
  await using server = await start('one');
  for (const [name, value] of [['low', 1] as const, ['high', 100] as const]) {
    await created(server, '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value });
  }
  await addPod(server, 'victim', { requests: { cpu: '3' }, spec: { priorityClassName: 'low' } });
  await addPod(server, 'small', { requests: { cpu: '1' }, spec: { priorityClassName: 'low' } });
  await server.cluster.settled();
  await addPod(server, 'preemptor', { requests: { cpu: '3' }, spec: { priorityClassName: 'high' } });
  const preemptor = await settledPod(server, 'preemptor');
  assert.equal(preemptor.spec?.nodeName, 'one');
  assert.equal((await server.request('GET', `${PODS}/victim`)).status, 404);
  assert.equal(await nodeOf(server, 'small'), 'one');
  const preempted = (await eventsOf(server, 'victim')).find(({ reason }) => reason === 'Preempted');
  assert.deepEqual(
    [preempted?.action, preempted?.note, preempted?.related?.name],
    ['Preempting', `Preempted by pod ${preemptor.metadata.uid} on node one`, 'preemptor'],
  );
});

test('a victim of preemption that takes time to end has a DisruptionTarget condition', async () => {
  await using server = await start('one');
  await created(server, '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 100 });
  await addPod(server, 'victim', { requests: { cpu: '3' }, spec: { terminationGracePeriodSeconds: 30 } });
  await server.cluster.settled();
  await addPod(server, 'preemptor', { requests: { cpu: '3' }, spec: { priorityClassName: 'high' } });
  const preemptor = await settledPod(server, 'preemptor');
  const victim = await settledPod(server, 'victim');
  const condition = victim.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  assert.deepEqual(
    [condition?.status, condition?.reason, condition?.message],
    ['True', 'PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod'],
  );
  assert.equal(preemptor.status?.nominatedNodeName, 'one');
  // The place is kept for the preemptor.
  await addPod(server, 'late', { requests: { cpu: '3' } });
  await server.request('DELETE', `${PODS}/victim?gracePeriodSeconds=0`);
  assert.equal(await nodeOf(server, 'preemptor'), 'one');
  assert.equal(await nodeOf(server, 'late'), undefined);
});

function volume(claimName: string) {
  return { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] } };
}

function claim(name: string, storageClassName: string) {
  const resources = { requests: { storage: '1Gi' } };
  return { metadata: { name }, spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources } };
}

test('a claim that waits for its first consumer gets a node, and the pod follows once it is bound', async () => {
  await using server = await start('one');
  const volumeBindingMode = 'WaitForFirstConsumer';
  await created(server, CLASSES, { metadata: { name: 'late' }, provisioner: 'example.com/disks', volumeBindingMode });
  await created(server, CLAIMS, claim('data', 'late'));
  await addPod(server, 'db', volume('data'));
  assert.equal(await nodeOf(server, 'db'), undefined);
  const { body } = await server.request('GET', `${CLAIMS}/data`);
  assert.equal((body as PersistentVolumeClaim).metadata.annotations?.['volume.kubernetes.io/selected-node'], 'one');
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  await server.patch(`${CLAIMS}/data`, { metadata: { annotations }, spec: { volumeName: 'made' } });
  assert.equal(await nodeOf(server, 'db'), 'one');
});

test('a pod whose volumes are not bound within ten minutes is tried again', async () => {
  await using server = await start('one');
  const volumeBindingMode = 'WaitForFirstConsumer';
  await created(server, CLASSES, { metadata: { name: 'late' }, provisioner: 'example.com/disks', volumeBindingMode });
  await created(server, CLAIMS, claim('data', 'late'));
  await addPod(server, 'db', volume('data'));
  await server.cluster.settled();
  await server.clock?.advance('10m1s');
  const condition = scheduled(await settledPod(server, 'db'));
  assert.deepEqual(
    [condition?.reason, condition?.message],
    ['SchedulerError', 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded'],
  );
});

test('a pod with a missing or unbound claim is not scheduled before it is bound', async () => {
  await using server = await start('one');
  await created(server, CLASSES, { metadata: { name: 'now' }, provisioner: 'example.com/disks' });
  await addPod(server, 'db', volume('data'));
  const messageOf = async () => scheduled(await settledPod(server, 'db'))?.message;
  const beginning = '0/1 nodes are available:';
  assert.equal(await messageOf(), `${beginning} persistentvolumeclaim "data" not found. not found`);
  await created(server, CLAIMS, claim('data', 'now'));
  assert.equal(await messageOf(), `${beginning} pod has unbound immediate PersistentVolumeClaims. not found`);
});

const RESOURCE = '/apis/resource.k8s.io/v1';
const RESOURCE_CLAIMS = `${RESOURCE}/namespaces/default/resourceclaims`;

/** A node with a GPU of each of these amounts of memory. */
async function addGpus(server: TestServer, nodeName: string, ...memories: string[]): Promise<void> {
  const driver = 'gpu.example.com';
  const devices = memories.map((value, index) => ({ name: `gpu-${index}`, capacity: { memory: { value } } }));
  const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
  await created(server, `${RESOURCE}/resourceslices`, {
    metadata: { name: nodeName },
    spec: { driver, pool, nodeName, devices },
  });
}

function selector(expression: string) {
  return { selectors: [{ cel: { expression } }] };
}

async function addGpuClaim(server: TestServer, name: string, exactly: object): Promise<void> {
  const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu', ...exactly } }];
  await created(server, RESOURCE_CLAIMS, { metadata: { name }, spec: { devices: { requests } } });
}

async function startWithGpus(): Promise<TestServer> {
  const server = await start('small', 'large');
  const spec = selector('device.driver == "gpu.example.com"');
  await created(server, `${RESOURCE}/deviceclasses`, { metadata: { name: 'gpu' }, spec });
  await addGpus(server, 'small', '16Gi');
  await addGpus(server, 'large', '16Gi', '80Gi');
  return server;
}

function usesClaim(resourceClaimName: string) {
  return { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName }] } };
}

test('a pod with a resource claim goes where a device matches, and the claim gets it', async () => {
  await using server = await startWithGpus();
  await addGpuClaim(
    server,
    'big',
    selector('device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("40Gi"))'),
  );
  await addPod(server, 'train', usesClaim('big'));
  const pod = await settledPod(server, 'train');
  assert.equal(pod.spec?.nodeName, 'large');
  const { metadata, status } = (await server.request('GET', `${RESOURCE_CLAIMS}/big`)).body as ResourceClaim;
  assert.deepEqual(status, {
    allocation: {
      devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'large', device: 'gpu-1' }] },
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['large'] }] }],
      },
    },
    reservedFor: [{ resource: 'pods', name: 'train', uid: pod.metadata.uid }],
  });
  assert.deepEqual(metadata.finalizers, ['resource.kubernetes.io/delete-protection']);
});

test('a device belongs to one resource claim at a time', async () => {
  await using server = await startWithGpus();
  for (const name of ['one', 'two', 'three', 'four']) {
    await addGpuClaim(server, name, {});
    await addPod(server, name, usesClaim(name));
  }
  const nodes: (string | undefined)[] = [];
  for (const name of ['one', 'two', 'three']) nodes.push(await nodeOf(server, name));
  assert.deepEqual(nodes.toSorted(), ['large', 'large', 'small']);
  const message = scheduled(await settledPod(server, 'four'))?.message;
  assert.equal(
    message,
    '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are ' +
      'available: 2 Preemption is not helpful for scheduling.',
  );
});

test('a pod waits for its resource claim and its device class', async () => {
  await using server = await start('one');
  await addPod(server, 'train', usesClaim('gpu'));
  const messageOf = async () => scheduled(await settledPod(server, 'train'))?.message ?? '';
  assert.equal(await messageOf(), '');
  await addGpuClaim(server, 'gpu', { allocationMode: 'All' });
  assert.match(await messageOf(), /request gpu: device class gpu does not exist/);
  await created(server, `${RESOURCE}/deviceclasses`, { metadata: { name: 'gpu' } });
  await addGpus(server, 'one', '8Gi', '8Gi');
  assert.equal(await nodeOf(server, 'train'), 'one');
  const { body } = await server.request('GET', `${RESOURCE_CLAIMS}/gpu`);
  assert.equal((body as ResourceClaim).status?.allocation?.devices?.results?.length, 2);
});

test('devices of a resource claim that nobody uses are given back if they keep a pod from all nodes', async () => {
  await using server = await startWithGpus();
  await addGpuClaim(server, 'gpu', {});
  await addPod(server, 'first', usesClaim('gpu'));
  const node = await nodeOf(server, 'first');
  await server.request('DELETE', `${PODS}/first`);
  // As the controller of claims does it.
  await server.patch(`${RESOURCE_CLAIMS}/gpu/status`, { status: { reservedFor: null } });
  const other = node === 'small' ? 'large' : 'small';
  const spec = { ...usesClaim('gpu').spec, nodeSelector: { 'kubernetes.io/hostname': other } };
  await addPod(server, 'second', { spec });
  assert.equal(await nodeOf(server, 'second'), other);
  const [failed] = (await eventsOf(server, 'second')).filter(({ reason }) => reason === 'FailedScheduling');
  assert.match(failed?.note ?? '', /\. deallocation of ResourceClaim completed, preemption: /);
});
