import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import { eventsAbout, PODS, post, read, type StoredItem } from '../../../test/volume-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const GROUP = '/apis/resource.k8s.io/v1';
const CLAIMS = `${GROUP}/namespaces/default/resourceclaims`;
const TEMPLATES = `${GROUP}/namespaces/default/resourceclaimtemplates`;
const SPEC = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus' } }] } };
const TEMPLATE = { metadata: { name: 'gpu' }, spec: { metadata: { labels: { of: 'pod' } }, spec: SPEC } };
const TEMPLATE_ENTRY = { name: 'accelerator', resourceClaimTemplateName: 'gpu' };
/** The slice of a driver that has one device on the only node. */
const SLICE = {
  metadata: { name: 'gpus' },
  spec: {
    ...{ driver: 'gpus.example.com', nodeName: 'node-1' },
    pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'gpu-0' }],
  },
};

interface ClaimItem extends StoredItem {
  status: StoredItem['status'] & { allocation?: object; reservedFor?: { name: string }[] };
}

function pod(name: string, entry: object = TEMPLATE_ENTRY) {
  const containers = [{ name: 'main', image: 'nginx' }];
  const spec = { containers, resourceClaims: [entry], restartPolicy: 'Never', terminationGracePeriodSeconds: 1 };
  return { metadata: { name }, spec };
}

async function startControlled(): Promise<TestServer> {
  return await startTestServer({ controllers: '*,resourceclaim-controller' });
}

async function startLiving(): Promise<TestServer> {
  const server = await startTestServer({ nodes: 1 });
  await server.cluster.settled();
  await post(server, `${GROUP}/deviceclasses`, { metadata: { name: 'gpus' }, spec: {} });
  await post(server, `${GROUP}/resourceslices`, SLICE);
  return server;
}

async function remove(server: TestServer, path: string): Promise<void> {
  await server.request('DELETE', path);
  await server.cluster.settled();
  await server.clock!.advance('5s');
  await server.cluster.settled();
}

test('a ResourceClaim is made from a template for each pod, and named in the status of the pod', async () => {
  await using server = await startControlled();
  await post(server, TEMPLATES, TEMPLATE);
  await post(server, PODS, pod('one'));
  await post(server, PODS, pod('two'));
  const claims = await items<ClaimItem>(server, CLAIMS);
  assert.equal(claims.length, 2);
  const [{ metadata, spec } = assert.fail()] = claims;
  assert.match(metadata.name, /^one-accelerator-\w{5}$/);
  assert.deepEqual(metadata.annotations, { 'resource.kubernetes.io/pod-claim-name': 'accelerator' });
  assert.deepEqual(metadata.ownerReferences?.[0]?.name, 'one');
  assert.deepEqual(Object.keys(spec), ['devices']);
  const { status } = await read(server, `${PODS}/one`);
  assert.deepEqual(status['resourceClaimStatuses'], [{ name: 'accelerator', resourceClaimName: metadata.name }]);
});

test('a pod whose ResourceClaimTemplate is missing gets an event, and its claim once the template exists', async () => {
  await using server = await startControlled();
  await post(server, PODS, pod('one'));
  const fault = 'resource claim template "gpu": resourceclaimtemplate.resource.k8s.io "gpu" not found';
  assert.deepEqual(await eventsAbout(server, 'Pod', 'one'), [
    `FailedResourceClaimCreation: PodResourceClaim accelerator: ${fault}`,
  ]);
  await post(server, TEMPLATES, TEMPLATE);
  assert.equal((await items(server, CLAIMS)).length, 1);
});

test('a pod waits without an event until its ResourceClaim is there', async () => {
  await using server = await startLiving();
  await post(server, PODS, pod('one', { name: 'gpu', resourceClaimName: 'shared' }));
  assert.deepEqual(await eventsAbout(server, 'Pod', 'one'), []);
  await post(server, CLAIMS, { metadata: { name: 'shared' }, spec: SPEC });
  assert.equal((await read(server, `${PODS}/one`)).status.phase, 'Running');
});

test('a long name of a pod is shortened in the name of its ResourceClaim', async () => {
  await using server = await startControlled();
  await post(server, TEMPLATES, TEMPLATE);
  await post(server, PODS, pod('p'.repeat(60)));
  const [claim] = await items<ClaimItem>(server, CLAIMS);
  assert.ok(claim!.metadata.name.length <= 63, claim!.metadata.name);
  assert.match(claim!.metadata.name, /^p+-accel/);
});

test('a ResourceClaim is reserved for its pods, and loses its devices with the last of them', async () => {
  await using server = await startLiving();
  await post(server, CLAIMS, { metadata: { name: 'shared' }, spec: SPEC });
  const entry = { name: 'gpu', resourceClaimName: 'shared' };
  await post(server, PODS, pod('one', entry));
  await post(server, PODS, pod('two', entry));
  const shared = (await read(server, `${CLAIMS}/shared`)) as ClaimItem;
  assert.deepEqual(shared.status.reservedFor?.map(({ name }) => name).sort(), ['one', 'two']);
  await remove(server, `${PODS}/one`);
  const kept = (await read(server, `${CLAIMS}/shared`)) as ClaimItem;
  assert.deepEqual(
    kept.status.reservedFor?.map(({ name }) => name),
    ['two'],
  );
  assert.ok(kept.status.allocation !== undefined);
  await remove(server, `${PODS}/two`);
  const free = (await read(server, `${CLAIMS}/shared`)) as ClaimItem;
  assert.deepEqual([free.status?.reservedFor, free.status?.allocation], [undefined, undefined]);
  assert.equal(free.metadata.finalizers, undefined);
});

test('a ResourceClaim that was made for a pod goes when the pod has ended', async () => {
  await using server = await startLiving();
  await post(server, TEMPLATES, TEMPLATE);
  await post(server, PODS, pod('one'));
  assert.equal((await read(server, `${PODS}/one`)).status.phase, 'Running');
  const [claim] = await items<ClaimItem>(server, CLAIMS);
  assert.equal(claim?.status.reservedFor?.[0]?.name, 'one');
  server.cluster.pods.succeed('default', 'one');
  await server.cluster.settled();
  await server.clock!.advance('5s');
  await server.cluster.settled();
  assert.deepEqual(await items(server, CLAIMS), []);
});

test('a ResourceClaim is reserved for a pod that was given its node without the scheduler', async () => {
  await using server = await startControlled();
  await post(server, CLAIMS, { metadata: { name: 'shared' }, spec: SPEC });
  const results = [{ request: 'gpu', driver: 'gpus.example.com', pool: 'node-1', device: 'gpu-0' }];
  const status = { allocation: { devices: { results } } };
  assert.equal((await server.patch(`${CLAIMS}/shared/status`, { status })).status, 200);
  const placed = pod('one', { name: 'gpu', resourceClaimName: 'shared' });
  await post(server, PODS, { ...placed, spec: { ...placed.spec, nodeName: 'node-1' } });
  const shared = (await read(server, `${CLAIMS}/shared`)) as ClaimItem;
  assert.equal(shared.status.reservedFor?.[0]?.name, 'one');
});
