import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Status } from '../../api/status.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** The code of an answer, and what it says. */
function told({ status, body }: { status: number; body: unknown }): [number, string] {
  return [status, (body as Status).message ?? ''];
}

/** Sends a body as the text that it is. */
async function postText(server: TestServer, path: string, text: string): Promise<[number, string]> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const request = new Request(`https://localhost${path}?dryRun=All`, { method: 'POST', headers, body: text });
  const response = await server.fetch(request);
  return told({ status: response.status, body: await response.json() });
}

test('a JSON member that a later one of the same name replaces must have the right type as well', async () => {
  await using server = await startTestServer();
  const post = (members: string) => postText(server, `${NAMESPACE}/configmaps`, `{"metadata":{"name":"a"},${members}}`);
  assert.equal((await post('"immutable":null,"immutable":true'))[0], 201);
  assert.equal((await post('"unknown":1,"unknown":"x"'))[0], 201);
  const read = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal';
  assert.deepEqual(await post('"immutable":"x","immutable":true'), [
    400,
    `${read} string into Go struct field ConfigMap.immutable of type bool`,
  ]);
  assert.equal((await post('"metadata":{"labels":{"a":1},"labels":{"a":"b"}}'))[0], 400, 'inside merged objects, too');
  assert.equal((await post('"metadata":{"finalizers":["a.b/c",1],"finalizers":["a.b/d"]}'))[0], 400);
});

test('the template generation in the annotation of a DaemonSet must be an integer', async () => {
  await using server = await startTestServer();
  const set = (count: string) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'a', annotations: { 'deprecated.daemonset.template.generation': count } },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    },
  });
  const path = `${APPS}/daemonsets`;
  const why = 'strconv.ParseInt: parsing "x": invalid syntax';
  assert.deepEqual(told(await server.request('POST', path, set('x'))), [
    400,
    `DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`,
  ]);
  const long = told(await server.request('POST', path, set('9223372036854775808')));
  assert.match(long[1], /value out of range$/);
  const made = await server.request('POST', path, set('+5'));
  const { annotations } = (made.body as { metadata: { annotations: Record<string, string> } }).metadata;
  assert.equal(annotations['deprecated.daemonset.template.generation'], '5');
  const { metadata } = set('x');
  assert.equal((await server.patch(`${path}/a`, { metadata })).status, 422);
  assert.deepEqual(told(await server.patch(`${path}/a`, { metadata }, STRATEGIC)), [500, why]);
  assert.deepEqual(told(await server.patch(`${path}/a?fieldManager=a&force=true`, set('x'), APPLY)), [
    500,
    `failed to convert to unversioned (/a; apps/v1, Kind=DaemonSet): ${why}`,
  ]);
});

test('the revision in the annotation of a Deployment must be an integer, or empty, and is not part of metadata alone', async () => {
  await using server = await startTestServer();
  const name = 'deprecated.deployment.rollback.to';
  const deployment = (revision: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', annotations: { [name]: revision, other: 'b' } },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    },
  });
  const path = `${APPS}/deployments`;
  const why = `failed to parse annotation[${name}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`;
  assert.deepEqual(told(await server.request('POST', path, deployment('x'))), [
    400,
    `Deployment in version "v1" cannot be handled as a Deployment: ${why}`,
  ]);
  const annotations = (answer: { body: unknown }) => (answer.body as ApiObject).metadata.annotations;
  assert.deepEqual(annotations(await server.request('POST', path, deployment('+05'))), { [name]: '5', other: 'b' });
  const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  const headers = { authorization: `Bearer ${server.token}`, accept };
  const alone = await server.fetch(new Request(`https://localhost${path}/a`, { headers }));
  assert.deepEqual(annotations({ body: await alone.json() }), { other: 'b' });
  const { metadata } = deployment('x');
  assert.equal((await server.patch(`${path}/a`, { metadata })).status, 422);
  assert.deepEqual(told(await server.patch(`${path}/a`, { metadata }, STRATEGIC)), [500, why]);
  assert.deepEqual(annotations(await server.request('PUT', `${path}/a`, deployment(''))), { other: 'b' });
});

test('annotations that held init containers are kept in no pod and no template', async () => {
  await using server = await startTestServer();
  const former = {
    'pod.beta.kubernetes.io/init-containers': '[]',
    'pod.alpha.kubernetes.io/init-containers': '[]',
    'pod.beta.kubernetes.io/init-container-statuses': '[]',
    'pod.alpha.kubernetes.io/init-container-statuses': '[]',
  };
  const spec = { containers: [{ name: 'a', image: 'b' }] };
  const pod = await server.request('POST', `${NAMESPACE}/pods`, { metadata: { name: 'a', annotations: former }, spec });
  const { metadata } = pod.body as ApiObject;
  assert.deepEqual([pod.status, metadata.annotations], [201, undefined]);
  assert.doesNotMatch(JSON.stringify(metadata.managedFields), /annotations/);
  const template = { metadata: { labels: { a: 'b' }, annotations: { ...former, own: 'c' } }, spec };
  for (const [path, body] of [
    [`${NAMESPACE}/podtemplates`, { template }],
    [`${NAMESPACE}/replicationcontrollers`, { spec: { template } }],
    [`${APPS}/deployments`, { spec: { selector: { matchLabels: { a: 'b' } }, template } }],
  ] as const) {
    const made = await server.request('POST', path, { metadata: { name: 'a', annotations: former }, ...body });
    const { template: top, spec: inner, metadata } = made.body as ApiObject & JsonObject;
    const kept = (top ?? (inner as JsonObject)['template']) as typeof template;
    assert.deepEqual([kept.metadata.annotations, metadata.annotations], [{ own: 'c' }, former], path);
  }
});

test('a strategic merge patch converts any integers to bytes, and does not merge inside a RawExtension', async () => {
  await using server = await startTestServer();
  await server.request('POST', `${NAMESPACE}/secrets`, { metadata: { name: 'a' } });
  const patched = await server.patch(`${NAMESPACE}/secrets/a`, { data: { a: [256, -1] } }, STRATEGIC);
  assert.deepEqual((patched.body as { data: object }).data, { a: 'AP8=' });
  const [, fault] = told(await server.patch(`${NAMESPACE}/secrets/a`, { data: { a: [1.5] } }, STRATEGIC));
  assert.match(fault, /cannot convert float64 to uint8$/);
  const revision = { metadata: { name: 'a' }, revision: 1, data: { spec: { a: 1 } } };
  await server.request('POST', `${APPS}/controllerrevisions`, revision);
  const path = `${APPS}/controllerrevisions/a`;
  assert.deepEqual(told(await server.patch(path, { data: { spec: { b: 1 } } }, STRATEGIC)), [
    500,
    'unable to find api field in struct RawExtension for the json field "spec"',
  ]);
  assert.equal((await server.patch(path, { data: {} }, STRATEGIC)).status, 200);
});

test('an empty map is a change of the parameters of a StorageClass, but not of the data of a ConfigMap', async () => {
  await using server = await startTestServer();
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  await server.request('POST', classes, { metadata: { name: 'a' }, provisioner: 'a.b' });
  assert.deepEqual(told(await server.patch(`${classes}/a`, { parameters: {} })), [
    422,
    'StorageClass.storage.k8s.io "a" is invalid: parameters: Forbidden: updates to parameters are forbidden.',
  ]);
  const maps = `${NAMESPACE}/configmaps`;
  await server.request('POST', maps, { metadata: { name: 'a' }, immutable: true });
  assert.equal((await server.patch(`${maps}/a`, { data: {} })).status, 200);
  assert.equal((await server.patch(`${maps}/a`, { binaryData: {} })).status, 422);
});

test('a patch that gives two ports of a Service the same node port is rejected before validation', async () => {
  await using server = await startTestServer();
  const services = `${NAMESPACE}/services`;
  const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] };
  await server.request('POST', services, { metadata: { name: 'a' }, spec });
  assert.deepEqual(told(await server.patch(`${services}/a`, { spec: { ports: [{ port: 80 }, { port: 81 }] } })), [
    500,
    'duplicate nodePort: {TCP 30080}',
  ]);
});

test('a conditions annotation that is not a list of objects gives a HorizontalPodAutoscaler no conditions', async () => {
  await using server = await startTestServer();
  const annotations = { 'autoscaling.alpha.kubernetes.io/conditions': '[1]' };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const body = { metadata: { name: 'a', annotations }, spec: { maxReplicas: 5, scaleTargetRef } };
  const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
  assert.equal((await server.request('POST', path, body)).status, 201);
});

test('a dry-run delete that removes the last finalizer returns an empty object', async () => {
  await using server = await startTestServer();
  const maps = `${NAMESPACE}/configmaps`;
  await server.request('POST', maps, { metadata: { name: 'a', finalizers: ['orphan'] }, data: { a: '1' } });
  const shown = await server.request('DELETE', `${maps}/a?dryRun=All&propagationPolicy=Background`);
  assert.deepEqual(shown, { status: 200, body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} } });
  const events = `${NAMESPACE}/events`;
  const involvedObject = { namespace: 'default' };
  await server.request('POST', events, { metadata: { name: 'a', finalizers: ['orphan'] }, involvedObject });
  assert.equal(told(await server.request('DELETE', `${events}/a`))[0], 200);
  assert.equal((await server.request('GET', `${events}/a`)).status, 404, 'nobody asks for dependents of events');
});

test('an apply with a UID to a missing object is rejected before anything else is checked', async () => {
  await using server = await startTestServer();
  const metadata = { name: 'a', namespace: 'other', uid: 'u' };
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const path = `${NAMESPACE}/configmaps/a?fieldManager=a`;
  assert.equal((await server.patch(path, applied, APPLY)).status, 409);
});

test('empty allowedTopologies of a StorageClass are reported as duplicates', async () => {
  await using server = await startTestServer();
  const body = { metadata: { name: 'a' }, provisioner: 'a.b', allowedTopologies: [{}, {}] };
  const { body: refused } = await server.request('POST', '/apis/storage.k8s.io/v1/storageclasses', body);
  assert.equal((refused as Status).details?.causes?.length, 5);
});

test('a patch that removes resourceVersion from a Lease is rejected', async () => {
  await using server = await startTestServer();
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  await server.request('POST', leases, { metadata: { name: 'a' } });
  assert.equal((await server.patch(`${leases}/a`, { metadata: { labels: { a: 'b' } } })).status, 200);
  assert.deepEqual(told(await server.patch(`${leases}/a`, { metadata: { resourceVersion: null } })), [
    422,
    'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ]);
});
