// Tests of what webhooks see of requests to subresources: mutating ones the object that the client sent, validating ones what
// the server makes of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configure, create, named, QUIET } from '../../../test/admission-webhooks.ts';
import { until } from '../../../test/until.ts';
import { patching, respond, type SeenReview, startWebhook, type WebhookServer } from '../../../test/webhook-server.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { at } from '../../resources/value.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default/deployments';
const POD = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const DEPLOYMENT = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: POD.spec },
  },
};

const rulesFor = (...resources: string[]) => [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources }];

async function follow(server: TestServer, webhook: WebhookServer, resources: string[], rest: JsonObject = {}) {
  const rules = rulesFor(...resources);
  await configure(server, 'mutating', [{ at: webhook, path: '/mutating', rules, ...rest }]);
  await configure(server, 'validating', [{ at: webhook, path: '/validating', rules, ...rest }]);
}

const agreeing = () => startWebhook((seen) => respond(seen, { allowed: true }));

/** What both phases saw of the last request: the values at a path of their requests. */
function lastSeen({ seen }: WebhookServer, ...path: string[]): (Json | undefined)[] {
  const last = (phase: string) => seen.findLast(({ url }) => url.startsWith(`/${phase}`))?.review.request ?? null;
  return [at(last('mutating'), ...path), at(last('validating'), ...path)];
}

test('a TokenRequest is completed after mutating webhooks, which also see those that are rejected', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await agreeing();
  await follow(server, webhook, ['serviceaccounts/token']);
  const accounts = `${CORE}/serviceaccounts`;
  await server.request('POST', accounts, { metadata: { name: 'a' } });
  assert.equal((await server.request('POST', `${accounts}/a/token`, { spec: {} })).status, 201);
  assert.deepEqual(lastSeen(webhook, 'object', 'metadata', 'name'), [undefined, 'a']);
  const [sent, completed] = lastSeen(webhook, 'object', 'spec', 'audiences');
  assert.equal(sent ?? null, null);
  assert.equal((completed as string[]).length, 1);
  const refused = [{ spec: { expirationSeconds: 1 } }, { metadata: { name: 'b' } }];
  for (const [index, body] of refused.entries()) {
    assert.equal((await server.request('POST', `${accounts}/a/token`, { spec: {}, ...body })).status, 422);
    assert.equal(webhook.seen.length, 3 + index);
  }
});

test('names and UIDs that a webhook sets in a TokenRequest must be those of the ServiceAccount', async () => {
  await using server = await startTestServer(QUIET);
  let patch: JsonObject = {};
  await using webhook = await startWebhook((seen) => patching(seen, patch));
  await configure(server, 'mutating', [{ at: webhook, rules: rulesFor('serviceaccounts/token') }]);
  await server.request('POST', `${CORE}/serviceaccounts`, { metadata: { name: 'a' } });
  const answerTo = async (path: string, value: Json) => {
    patch = { op: 'add', path, value };
    return (await server.request('POST', `${CORE}/serviceaccounts/a/token`, { spec: {} })).status;
  };
  assert.equal(await answerTo('/metadata/name', 'b'), 422);
  assert.equal(await answerTo('/metadata/namespace', 'b'), 422);
  assert.equal(await answerTo('/metadata/uid', 'b'), 409);
  assert.equal(await answerTo('/spec', {}), 201);
});

test('subresources restore fields that they cannot change after mutating webhooks', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await agreeing();
  await follow(server, webhook, ['pods/*', 'deployments/*', 'namespaces/*']);
  await server.request('POST', `${CORE}/pods`, POD);
  await server.request('POST', APPS, DEPLOYMENT);
  const put = async (path: string, subresource: string, changes: JsonObject) => {
    const { body } = await server.request('GET', path);
    const { status, metadata } = body as ApiObject;
    const changed = { ...(body as ApiObject), ...changes, status, metadata: { ...metadata, labels: { a: 'b' } } };
    assert.equal((await server.request('PUT', `${path}/${subresource}`, changed)).status, 200);
  };
  await put(`${APPS}/d`, 'status', { spec: { ...DEPLOYMENT.spec, replicas: 7 } });
  assert.deepEqual(lastSeen(webhook, 'object', 'spec', 'replicas'), [7, 1]);
  for (const subresource of ['resize', 'ephemeralcontainers']) {
    await put(`${CORE}/pods/p`, subresource, {});
    assert.deepEqual(lastSeen(webhook, 'object', 'metadata', 'labels'), [{ a: 'b' }, undefined], subresource);
  }
  await server.request('PUT', '/api/v1/namespaces/default/finalize', {
    metadata: { name: 'default' },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
  });
  assert.deepEqual(lastSeen(webhook, 'object', 'status', 'phase'), ['Terminating', 'Active']);
});

test('a namespaceSelector matches a subresource of a namespace by the stored labels of that namespace', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await agreeing();
  await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'n', labels: { watched: 'yes' } } });
  const namespaceSelector = { matchLabels: { watched: 'yes' } };
  await follow(server, webhook, ['namespaces/finalize'], { namespaceSelector });
  const body = { metadata: { name: 'n' }, spec: { finalizers: ['kubernetes'] } };
  await server.request('PUT', '/api/v1/namespaces/n/finalize', body);
  assert.equal(webhook.seen.length, 2);
});

test('mutating webhooks see the managedFields of a Scale, and validating ones those of the scaled object', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await agreeing();
  await follow(server, webhook, ['deployments/scale']);
  await server.request('POST', APPS, { ...DEPLOYMENT, spec: { ...DEPLOYMENT.spec, replicas: 1 } });
  const body = { metadata: { name: 'd', labels: { a: 'b' } }, spec: { replicas: 3 } };
  assert.equal((await server.request('PUT', `${APPS}/d/scale`, body)).status, 200);
  const entries = (which: string) =>
    lastSeen(webhook, which, 'metadata', 'managedFields').map((each) => (each as JsonObject[] | undefined)?.length);
  assert.deepEqual(entries('object'), [1, undefined]);
  assert.deepEqual(entries('oldObject'), [1, undefined]);
  assert.deepEqual(lastSeen(webhook, 'object', 'metadata', 'labels'), [{ a: 'b' }, undefined]);
  assert.deepEqual(lastSeen(webhook, 'object', 'status', 'selector'), [undefined, 'a=b']);
});

test('a Scale as a mutating webhook leaves it is validated', async () => {
  await using server = await startTestServer(QUIET);
  let patch: JsonObject = {};
  await using webhook = await startWebhook((seen) => patching(seen, patch));
  await configure(server, 'mutating', [{ at: webhook, rules: rulesFor('deployments/scale') }]);
  await server.request('POST', APPS, DEPLOYMENT);
  const answerTo = async (path: string, value: Json) => {
    patch = { op: 'add', path, value };
    const body = { metadata: { name: 'd' }, spec: { replicas: 3 } };
    return (await server.request('PUT', `${APPS}/d/scale`, body)).body as JsonObject;
  };
  const negative = await answerTo('/spec/replicas', -1);
  assert.match(String(negative['message']), /^Scale\.autoscaling "d" is invalid: spec\.replicas/);
  assert.equal((await answerTo('/metadata/uid', 'u'))['code'], 409);
});

test('evictions and bindings reach webhooks before their names are compared', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await agreeing();
  await follow(server, webhook, ['pods/eviction', 'pods/binding', 'bindings']);
  await server.request('POST', `${CORE}/pods`, POD);
  const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', deleteOptions: { dryRun: ['All'] } };
  const ofOther = { ...eviction, metadata: { name: 'other' } };
  assert.equal((await server.request('POST', `${CORE}/pods/p/eviction`, ofOther)).status, 400);
  assert.equal(webhook.seen.length, 1);
  await server.request('POST', `${CORE}/pods/p/eviction`, { ...eviction, metadata: { name: 'p' } });
  assert.deepEqual(lastSeen(webhook, 'object', 'apiVersion'), ['policy/v1', 'policy/v1']);
  assert.deepEqual(lastSeen(webhook, 'dryRun'), [false, false]);
  const binding = { metadata: { name: 'p' }, target: { name: 'n' } };
  assert.equal((await server.request('POST', `${CORE}/bindings`, binding)).status, 201);
  assert.deepEqual(lastSeen(webhook, 'resource', 'resource'), ['bindings', 'bindings']);
  assert.deepEqual(lastSeen(webhook, 'subResource'), [undefined, undefined]);
});

test('mutating webhooks see updates of outdated objects, and creates without identity', async () => {
  await using server = await startTestServer(QUIET);
  const seen: SeenReview[] = [];
  await using webhook = await startWebhook((one) => {
    seen.push(one);
    return respond(one, { allowed: true });
  });
  await configure(server, 'mutating', [{ at: webhook }]);
  await create(server, { metadata: { name: 'a', uid: 'u', creationTimestamp: '2020-01-01T00:00:00Z' } });
  const sent = (member: string) => at(seen[0]!.review.request, 'object', 'metadata', member) ?? null;
  assert.deepEqual([sent('uid'), sent('creationTimestamp')], [null, null]);
  const outdated = { metadata: { name: 'a', resourceVersion: '999999' } };
  assert.equal((await server.request('PUT', `${CORE}/configmaps/a`, outdated)).status, 409);
  assert.equal(seen.length, 2);
});

test('a webhook may not move an object to another namespace', async () => {
  await using server = await startTestServer(QUIET);
  await create(server, named('a'));
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'add', path: '/metadata/namespace', value: 'other' }),
  );
  await configure(server, 'mutating', [{ at: webhook }]);
  assert.equal((await server.request('PUT', `${CORE}/configmaps/a`, named('a', { x: 'y' }))).status, 400);
});

test('metadata of a wrong type that a webhook gives a custom resource is dropped, and a status update keeps its kind', async () => {
  await using server = await startTestServer();
  const things = '/apis/example.com/v1/things';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await until('the resource is served', async () => (await server.request('GET', things)).status === 200);
  let patch: JsonObject = {};
  await using webhook = await startWebhook((seen) => patching(seen, patch));
  await configure(server, 'mutating', [{ at: webhook, rules: rulesFor('things', 'things/status') }]);
  const answerTo = async (path: string, value: Json) => {
    patch = { op: 'add', path, value };
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', labels: { l: 'm' } } };
    const { status, body } = await server.request('POST', `${things}?dryRun=All`, object);
    return { status, body: body as JsonObject };
  };
  for (const [name, value] of [
    ['labels', 'x'],
    ['labels', { a: 1 }],
    ['finalizers', [1]],
  ] as const) {
    const { status, body } = await answerTo(`/metadata/${name}`, value as Json);
    assert.deepEqual([status, at(body, 'metadata', name)], [201, undefined]);
  }
  assert.equal((await answerTo('/metadata/name', 1)).status, 422);
  assert.equal((await answerTo('/metadata', 'x')).body['message'], `Internal error occurred: ${UNSET}`);
  patch = { op: 'test', path: '/kind', value: 'Thing' };
  const { body: made } = await server.request('POST', things, {
    ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'b' } },
  });
  patch = { op: 'replace', path: '/kind', value: 'Other' };
  const updated = await server.request('PUT', `${things}/b/status`, { ...(made as JsonObject), status: { a: 1 } });
  assert.deepEqual([updated.status, at(updated.body as JsonObject, 'kind')], [200, 'Thing']);
  const { body } = await answerTo('/metadata/resourceVersion', '7');
  assert.equal(at(body, 'metadata', 'resourceVersion'), '7');
});

const UNSET = 'system metadata was not initialized';
