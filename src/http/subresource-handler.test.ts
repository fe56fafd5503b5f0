import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../api/status.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { PROTOBUF_TYPE, protobufBytes } from './response/protobuf-bytes.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

interface Pod {
  readonly metadata: Record<string, unknown>;
  readonly spec: Record<string, unknown> & { containers: Record<string, unknown>[] };
  readonly status: { readonly conditions?: readonly Record<string, unknown>[] };
}

async function serverWithPod(spec: object = {}, metadata: object = {}): Promise<TestServer> {
  const server = await startTestServer();
  await server.request('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } });
  await addPod(server, 'web', spec, metadata);
  return server;
}

async function addPod(server: TestServer, name: string, spec: object = {}, metadata: object = {}): Promise<void> {
  const pod = {
    metadata: { name, labels: { app: 'web' }, ...metadata },
    spec: { containers: [{ name: 'main', image: 'x:1' }], ...spec },
  };
  const { status, body } = await server.request('POST', `${NAMESPACE}/pods`, pod);
  assert.equal(status, 201, JSON.stringify(body));
}

async function podOf(server: TestServer, name = 'web'): Promise<Pod> {
  return (await server.request('GET', `${NAMESPACE}/pods/${name}`)).body as Pod;
}

/** Posts to a pod's subresource: the code, and what was said. */
async function post(server: TestServer, path: string, body: object): Promise<[number, Status]> {
  const answer = await server.request('POST', `${NAMESPACE}/${path}`, body);
  return [answer.status, answer.body as Status];
}

async function run(server: TestServer, name: string, ready: boolean): Promise<void> {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  await server.patch(`${NAMESPACE}/pods/${name}/status`, { status: { phase: 'Running', conditions } }, MERGE);
}

async function addBudget(server: TestServer, status: object, spec: object = {}): Promise<void> {
  const selector = { matchLabels: { app: 'web' } };
  await server.request('POST', BUDGETS, { metadata: { name: 'web' }, spec: { minAvailable: 1, selector, ...spec } });
  const said = { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, ...status };
  await server.patch(`${BUDGETS}/web/status`, { status: said }, MERGE);
}

test('a binding assigns a pod to a node once, at either path, and sets PodScheduled', async () => {
  await using server = await serverWithPod();
  await addPod(server, 'other');
  const target = { kind: 'Node', name: 'n1' };
  const [code, status] = await post(server, 'pods/web/binding', { metadata: { name: 'web' }, target });
  assert.deepEqual([code, status.status], [201, 'Success']);
  assert.equal((await post(server, 'bindings', { metadata: { name: 'other' }, target }))[0], 201);
  for (const name of ['web', 'other']) {
    const pod = await podOf(server, name);
    assert.equal(pod.spec['nodeName'], 'n1');
    assert.equal(pod.metadata['generation'], 1);
    assert.equal(pod.status.conditions?.[0]?.['type'], 'PodScheduled');
  }
  const [again, refused] = await post(server, 'pods/web/binding', { metadata: { name: 'web' }, target });
  assert.equal(again, 409);
  assert.match(refused.message ?? '', /pod web is already assigned to node "n1"/);
});

test('a binding of a pod with scheduling gates, or of a deleted pod, is rejected', async () => {
  await using server = await serverWithPod({ schedulingGates: [{ name: 'example.com/wait' }] });
  await addPod(server, 'ending', {}, { finalizers: ['example.com/hold'] });
  await server.request('DELETE', `${NAMESPACE}/pods/ending`);
  const target = { kind: 'Node', name: 'n1' };
  const gated = await post(server, 'pods/web/binding', { metadata: { name: 'web' }, target });
  assert.match(gated[1].message ?? '', /pod web has non-empty .spec.schedulingGates/);
  const ending = await post(server, 'pods/ending/binding', { metadata: { name: 'ending' }, target });
  assert.match(ending[1].message ?? '', /pod ending is being deleted, cannot be assigned to a host/);
});

test('an eviction decrements disruptionsAllowed of the PodDisruptionBudget until there are none', async () => {
  await using server = await serverWithPod();
  await addPod(server, 'other');
  for (const name of ['web', 'other']) await run(server, name, true);
  await addBudget(server, { disruptionsAllowed: 1 });
  const [tried] = await post(server, 'pods/web/eviction?dryRun=All', { metadata: { name: 'web' } });
  assert.equal(tried, 201);
  const [first] = await post(server, 'pods/web/eviction', { metadata: { name: 'web' } });
  const [second, refused] = await post(server, 'pods/other/eviction', { metadata: { name: 'other' } });
  assert.deepEqual([first, second], [201, 429]);
  assert.equal(refused.details?.causes?.[0]?.reason, 'DisruptionBudget');
  const budget = (await server.request('GET', `${BUDGETS}/web`)).body as { status: Record<string, unknown> };
  assert.equal(budget.status['disruptionsAllowed'], 0);
  assert.deepEqual(Object.keys(budget.status['disruptedPods'] as object), ['web']);
  assert.equal((await server.request('GET', `${NAMESPACE}/pods/web`)).status, 404);
});

test('concurrent evictions never exceed disruptionsAllowed', async () => {
  await using server = await serverWithPod();
  const names = ['web', 'a', 'b', 'c', 'd'];
  for (const name of names.slice(1)) await addPod(server, name);
  for (const name of names) await run(server, name, true);
  await addBudget(server, { disruptionsAllowed: 2, currentHealthy: 5 });
  const answers = await Promise.all(names.map((name) => post(server, `pods/${name}/eviction`, { metadata: { name } })));
  assert.deepEqual(answers.map(([code]) => code).sort(), [201, 201, 429, 429, 429]);
});

test('an eviction waits for a PodDisruptionBudget with an old observedGeneration, unless the pod is not ready', async () => {
  await using server = await serverWithPod();
  await run(server, 'web', false);
  await addBudget(server, { observedGeneration: 0, disruptionsAllowed: 0, currentHealthy: 0 });
  const [behind, refused] = await post(server, 'pods/web/eviction', { metadata: { name: 'web' } });
  assert.deepEqual([behind, refused.details?.retryAfterSeconds], [429, 10]);
  const status = { observedGeneration: 1, currentHealthy: 1 };
  await server.patch(`${BUDGETS}/web/status`, { status }, MERGE);
  assert.equal((await post(server, 'pods/web/eviction', { metadata: { name: 'web' } }))[0], 201);
});

test('an eviction gives a running pod the condition DisruptionTarget', async () => {
  await using server = await serverWithPod({ nodeName: 'n1' });
  await run(server, 'web', true);
  await post(server, 'pods/web/eviction', { metadata: { name: 'web' }, deleteOptions: { gracePeriodSeconds: 7 } });
  const { metadata, status } = await podOf(server);
  assert.equal(metadata['deletionGracePeriodSeconds'], 7);
  const { lastTransitionTime, ...condition } = status.conditions?.[1] ?? {};
  assert.match(String(lastTransitionTime), /Z$/);
  assert.deepEqual(condition, {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  });
});

test('an ephemeralcontainers update adds a container and changes nothing else', async () => {
  await using server = await serverWithPod();
  const change = {
    metadata: { labels: { more: 'x' } },
    spec: { containers: [{ name: 'main', image: 'y:1' }], ephemeralContainers: [{ name: 'look', image: 'busybox:1' }] },
  };
  const path = `${NAMESPACE}/pods/web/ephemeralcontainers`;
  const { status } = await server.patch(path, change, STRATEGIC);
  assert.equal(status, 200);
  const { metadata, spec } = await podOf(server);
  assert.deepEqual([metadata['generation'], metadata['labels']], [2, { app: 'web' }]);
  assert.equal(spec.containers[0]?.['image'], 'x:1');
  assert.equal((spec['ephemeralContainers'] as unknown[]).length, 1);
  const removed = await server.patch(path, { spec: { ephemeralContainers: null } }, MERGE);
  assert.equal(removed.status, 422);
});

test('a resize update changes only the resources of containers', async () => {
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  await using server = await serverWithPod({ containers: [{ name: 'main', image: 'x:1', resources }] });
  const path = `${NAMESPACE}/pods/web/resize`;
  const containers = [{ name: 'main', image: 'other', resources: { requests: { cpu: '2' } } }];
  const { status, body } = await server.patch(path, { spec: { containers } }, STRATEGIC);
  assert.equal(status, 200, JSON.stringify(body));
  const [container] = (await podOf(server)).spec.containers;
  assert.equal(container?.['image'], 'x:1');
  assert.deepEqual(container?.['resources'], { requests: { cpu: '2', memory: '1Gi' } });
  const none = { spec: { containers: [{ name: 'main', resources: null }] } };
  assert.equal((await server.patch(path, none, STRATEGIC)).status, 422);
});

test('component statuses report the store, in lists, Tables and one by one', async () => {
  await using server = await startTestServer();
  const one = await server.request('GET', '/api/v1/componentstatuses/etcd-0');
  assert.deepEqual(one.body, {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  });
  const query = 'fieldSelector=metadata.name%3Detcd-0';
  const list = (await server.request('GET', `/api/v1/componentstatuses?${query}`)).body as { items: unknown[] };
  assert.equal(list.items.length, 1);
  const missing = await server.request('GET', '/api/v1/componentstatuses/none');
  assert.match(JSON.stringify(missing.body), /componentstatus \\"none\\" not found/);
});

test('bindings and evictions are accepted in protobuf, as schedulers and drains send them', async () => {
  await using server = await serverWithPod();
  const metadata = { name: 'web' };
  const sent = {
    binding: { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n1' } },
    eviction: { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions: { gracePeriodSeconds: 5 } },
  };
  for (const [name, object] of Object.entries(sent)) {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': PROTOBUF_TYPE };
    const body = new Uint8Array(protobufBytes(object));
    const url = `https://localhost${NAMESPACE}/pods/web/${name}`;
    assert.equal((await server.fetch(new Request(url, { method: 'POST', headers, body }))).status, 201, name);
  }
  const { metadata: kept, spec } = await podOf(server);
  assert.deepEqual([spec['nodeName'], kept['deletionGracePeriodSeconds']], ['n1', 5]);
});

test('some subresources are not available as Tables, whether or not the object exists', async () => {
  await using server = await serverWithPod();
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = { accept, authorization: `Bearer ${server.token}` };
  const code = async (path: string) =>
    (await server.fetch(new Request(`https://localhost${path}`, { headers: table }))).status;
  assert.equal(await code(`${NAMESPACE}/pods/web/status`), 200);
  for (const path of [
    `${NAMESPACE}/pods/web/resize`,
    `${NAMESPACE}/pods/absent/ephemeralcontainers`,
    '/apis/apiregistration.k8s.io/v1/apiservices/v1./status',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/absent/status',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests/absent/approval',
    '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/absent/status',
  ]) {
    assert.equal(await code(path), 406, path);
  }
});

test('an update of status creates a missing Service, as an apply does a missing ValidatingAdmissionPolicy', async () => {
  await using server = await startTestServer();
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } };
  const made = await server.request('PUT', `${NAMESPACE}/services/web/status`, service);
  assert.equal(made.status, 201);
  const labelled = await server.patch(`${NAMESPACE}/services/web`, { metadata: { labels: { a: 'b' } } }, MERGE);
  for (const { body } of [made, labelled]) {
    assert.equal((body as { spec: { clusterIP?: string } }).spec.clusterIP, undefined, 'given nothing');
  }
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'none' },
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['nothings'] }],
      },
      validations: [{ expression: 'true' }],
    },
  };
  assert.equal((await server.request('PUT', `${policies}/none/status`, policy)).status, 404);
  const applied = await server.patch(`${policies}/none/status?fieldManager=a`, policy, 'application/apply-patch+yaml');
  assert.equal(applied.status, 201);
  const absent = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const path = '/apis/apps/v1/namespaces/default/deployments/web/status';
  assert.equal((await server.request('PUT', path, absent)).status, 404);
});

test('ephemeralcontainers and resize updates ignore metadata like status, and Scale has no owner references', async () => {
  await using server = await serverWithPod({}, { generateName: 'web-' });
  const pod = `${NAMESPACE}/pods/web`;
  const late = { metadata: { deletionGracePeriodSeconds: 1 } };
  for (const name of ['ephemeralcontainers', 'resize']) {
    assert.equal((await server.patch(`${pod}/${name}`, late, STRATEGIC)).status, 422, name);
    const labelled = await server.patch(`${pod}/${name}`, { metadata: { labels: { b: 'c' } } }, STRATEGIC);
    assert.deepEqual((labelled.body as Pod).metadata['labels'], { app: 'web' }, name);
  }
  const ports = { spec: { ephemeralContainers: [{ name: 'debug', image: 'x:1', ports: [] }] } };
  assert.equal((await server.patch(`${pod}/ephemeralcontainers`, ports, STRATEGIC)).status, 422, 'even none');
  const conditions = { status: { conditions: [{ type: 'Ready', observedGeneration: -1 }] } };
  assert.equal((await server.patch(`${pod}/status`, conditions, STRATEGIC)).status, 422);
  const controllers = `${NAMESPACE}/replicationcontrollers`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'x:1' }] } };
  await server.request('POST', controllers, { metadata: { name: 'a' }, spec: { selector: { a: 'b' }, template } });
  const reset = { metadata: { managedFields: [{}] } };
  assert.equal((await server.patch(`${controllers}/a/scale`, reset, MERGE)).status, 200);
});
