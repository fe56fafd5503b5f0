import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import {
  patching,
  type SeenReview,
  startWebhook,
  type WebhookAnswer,
  type WebhookServer,
} from '../../test/webhook-server.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const GROUP = 'stable.example.com';
const path = (version: string) => `/apis/${GROUP}/${version}/namespaces/default/crontabs`;

interface CronTab extends ApiObject {
  spec: { hostPort?: string; host?: string; port?: string; size?: number };
}

function version(name: string, storage: boolean, properties: JsonObject, selectable: string[]): JsonObject {
  const spec = { type: 'object', properties };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    ...{ name, storage, served: true, schema: { openAPIV3Schema } },
    selectableFields: selectable.map((field) => ({ jsonPath: `.spec.${field}` })),
    subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  };
}

/** v1 is stored and has host and port; v1beta1 has them in one. */
async function define(server: TestServer, webhook: WebhookServer, conversionReviewVersions = ['v1']): Promise<void> {
  const text = { type: 'string' };
  const size = { type: 'integer' };
  const clientConfig = { url: `${webhook.url}/convert`, caBundle: webhook.caBundle };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crontabs.${GROUP}` },
    spec: {
      ...{ group: GROUP, scope: 'Namespaced', names: { plural: 'crontabs', kind: 'CronTab' } },
      versions: [
        version('v1', true, { host: text, port: text, size }, ['host']),
        version('v1beta1', false, { hostPort: text, size }, ['hostPort']),
      ],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions, clientConfig } },
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { status, body } = await server.request('POST', definitions, definition);
  assert.equal(status, 201, JSON.stringify(body));
  const headers = { authorization: `Bearer ${server.token}` };
  await until('the definition is served', async () => {
    const response = await server.fetch(new Request(`https://localhost${path('v1')}`, { headers }));
    await response.text();
    return response.status === 200;
  });
}

function converted(object: CronTab, desired: string): JsonObject {
  const { spec } = object;
  const [host, port] = spec.hostPort?.split(':') ?? [];
  const { size } = spec;
  const next = desired.endsWith('/v1') ? { host, port, size } : { hostPort: `${spec.host}:${spec.port}`, size };
  return { ...object, apiVersion: desired, spec: next } as JsonObject;
}

function convert({ review }: SeenReview): JsonObject {
  const { uid, desiredAPIVersion, objects } = review.request;
  const convertedObjects = (objects as unknown as CronTab[]).map((each) => converted(each, String(desiredAPIVersion)));
  const { apiVersion, kind } = review;
  return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } } as JsonObject;
}

function object(apiVersion: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: `${GROUP}/${apiVersion}`, kind: 'CronTab', metadata: { name }, spec };
}

test('a custom resource is read and written in each served version', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  const made = await server.request('POST', path('v1beta1'), object('v1beta1', 'a', { hostPort: 'one:80' }));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual((made.body as CronTab).spec, { hostPort: 'one:80' });
  assert.equal((made.body as CronTab).apiVersion, `${GROUP}/v1beta1`);
  const read = (await server.request('GET', `${path('v1')}/a`)).body as CronTab;
  assert.deepEqual([read.apiVersion, read.spec], [`${GROUP}/v1`, { host: 'one', port: '80' }]);
  assert.equal(read.metadata.resourceVersion, (made.body as CronTab).metadata.resourceVersion);
  const patched = await server.patch(`${path('v1beta1')}/a`, { spec: { hostPort: 'two:81' } });
  assert.deepEqual((patched.body as CronTab).spec, { hostPort: 'two:81' });
  const again = (await server.request('GET', `${path('v1')}/a`)).body as CronTab;
  assert.deepEqual(again.spec, { host: 'two', port: '81' });
  assert.equal(webhook.seen[0]?.url, '/convert?timeout=30s');
});

test('a conversion webhook is called for each get in another version, and once for lists and gets at resourceVersion=0', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  await server.request('GET', `${path('v1')}/a`);
  assert.equal(webhook.seen.length, 0);
  for (let count = 0; count < 3; count++) {
    await server.request('GET', `${path('v1beta1')}/a?resourceVersion=0`);
    await server.request('GET', path('v1beta1'));
  }
  assert.equal(webhook.seen.length, 1);
  for (let count = 0; count < 3; count++) await server.request('GET', `${path('v1beta1')}/a`);
  assert.equal(webhook.seen.length, 4);
});

test('a list of custom objects is converted in one ConversionReview', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  for (const name of ['a', 'b', 'c']) {
    await server.request('POST', path('v1'), object('v1', name, { host: name, port: '1' }));
  }
  const { body } = await server.request('GET', path('v1beta1'));
  const { items } = body as { items: CronTab[] };
  assert.deepEqual(
    items.map(({ spec }) => spec.hostPort),
    ['a:1', 'b:1', 'c:1'],
  );
  assert.equal(webhook.seen.length, 1);
});

/** The first events of a watch of v1beta1; `change` is called when its first event has been seen. */
async function eventsOf(server: TestServer, watched: { query: string; count: number; change: () => Promise<void> }) {
  const { query, count, change } = watched;
  const headers = { authorization: `Bearer ${server.token}` };
  const leave = new AbortController();
  const url = `https://localhost${path('v1beta1')}?watch=1${query}`;
  const watch = await server.fetch(new Request(url, { headers, signal: leave.signal }));
  assert.equal(watch.status, 200);
  let text = '';
  const seen: string[] = [];
  for await (const chunk of watch.body as AsyncIterable<Uint8Array>) {
    // What is there at the start has been shown; what comes next is shown as it comes.
    if (seen.length === 0) await change();
    text += new TextDecoder().decode(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { type: string; object: CronTab };
      seen.push(`${type} ${object.apiVersion} ${object.spec.hostPort}`);
    }
    if (seen.length >= count) break;
  }
  leave.abort();
  return seen;
}

test('a watch of a custom resource has events in the version of its path, in order', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'a', port: '1' }));
  const change = async () => {
    for (const name of ['b', 'c']) {
      await server.request('POST', path('v1'), object('v1', name, { host: name, port: '1' }));
    }
    await server.patch(`${path('v1')}/b`, { spec: { port: '2' } });
    await server.request('DELETE', `${path('v1')}/c`);
  };
  assert.deepEqual(await eventsOf(server, { query: '', count: 5, change }), [
    `ADDED ${GROUP}/v1beta1 a:1`,
    `ADDED ${GROUP}/v1beta1 b:1`,
    `ADDED ${GROUP}/v1beta1 c:1`,
    `MODIFIED ${GROUP}/v1beta1 b:2`,
    `DELETED ${GROUP}/v1beta1 c:1`,
  ]);
});

test('field selectors of a custom resource apply to the version of the request', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  const post = (name: string, host: string) =>
    server.request('POST', path('v1'), object('v1', name, { host, port: '1' }));
  for (const name of ['a', 'b', 'c', 'd']) await post(name, name === 'b' ? 'other' : 'same');
  const names = async (version: string, query: string) => {
    const { body } = await server.request('GET', `${path(version)}?${query}`);
    return (body as { items: CronTab[] }).items.map(({ metadata }) => metadata.name);
  };
  assert.deepEqual(await names('v1beta1', 'fieldSelector=spec.hostPort%3Dsame:1'), ['a', 'c', 'd']);
  assert.deepEqual(await names('v1beta1', 'fieldSelector=spec.hostPort!%3Dsame:1'), ['b']);
  assert.deepEqual(await names('v1beta1', 'fieldSelector=spec.hostPort%3Dsame:1&limit=2'), ['a', 'c']);
  assert.deepEqual(await names('v1', 'fieldSelector=spec.host%3Dsame'), ['a', 'c', 'd']);
  assert.equal((await server.request('GET', `${path('v1beta1')}?fieldSelector=spec.host%3Dsame`)).status, 400);
  const change = async () => {
    await server.patch(`${path('v1')}/b`, { spec: { host: 'same' } });
    await server.patch(`${path('v1')}/c`, { spec: { host: 'other' } });
    await server.patch(`${path('v1')}/c`, { metadata: { labels: { left: 'yes' } } });
    await post('e', 'other');
    await post('f', 'same');
  };
  const query = '&fieldSelector=spec.hostPort%3Dsame:1';
  assert.deepEqual(await eventsOf(server, { query, count: 6, change }), [
    `ADDED ${GROUP}/v1beta1 same:1`,
    `ADDED ${GROUP}/v1beta1 same:1`,
    `ADDED ${GROUP}/v1beta1 same:1`,
    `ADDED ${GROUP}/v1beta1 same:1`,
    `DELETED ${GROUP}/v1beta1 same:1`,
    `ADDED ${GROUP}/v1beta1 same:1`,
  ]);
  await server.request('DELETE', `${path('v1beta1')}?fieldSelector=spec.hostPort%3Dsame:1`);
  assert.deepEqual(await names('v1', ''), ['c', 'e']);
});

test('managers that apply in different versions keep their fields and conflict across versions', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  const apply = (to: string, manager: string, spec: JsonObject, force = '') =>
    server.patch(
      `${path(to)}/a?fieldManager=${manager}${force}`,
      object(to, 'a', spec),
      'application/apply-patch+yaml',
    );
  assert.equal((await apply('v1', 'one', { host: 'h', port: '1' })).status, 201);
  const conflict = await apply('v1beta1', 'two', { hostPort: 'other:1' });
  assert.equal(conflict.status, 409, JSON.stringify(conflict.body));
  const forced = await apply('v1beta1', 'two', { hostPort: 'other:1' }, '&force=true');
  assert.equal(forced.status, 200, JSON.stringify(forced.body));
  const read = (await server.request('GET', `${path('v1')}/a`)).body as CronTab;
  assert.deepEqual(read.spec, { host: 'other', port: '1' });
  const updated = await server.patch(`${path('v1')}/a?fieldManager=three`, { spec: { port: '7' } });
  assert.equal(updated.status, 200, JSON.stringify(updated.body));
  const managers = (updated.body as CronTab).metadata.managedFields?.map(({ manager }) => manager);
  assert.ok(managers?.includes('three'), JSON.stringify(managers));
});

test('the scale subresource of a custom resource has the version of its path', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1', size: 2 }));
  const { body } = await server.patch(`${path('v1beta1')}/a/scale`, { spec: { replicas: 5 } });
  assert.deepEqual((body as ApiObject)['spec'], { replicas: 5 });
  const read = (await server.request('GET', `${path('v1')}/a`)).body as CronTab;
  assert.deepEqual(read.spec, { host: 'h', port: '1', size: 5 });
});

test('admission webhooks and policies see a custom object in the version of their rules', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook(convert);
  await using hook = await startWebhook((seen) => patching(seen, { op: 'replace', path: '/spec/host', value: 'set' }));
  await define(server, webhook);
  const rule = { apiGroups: [GROUP], apiVersions: ['v1'], operations: ['CREATE'], resources: ['crontabs'] };
  const admission = '/apis/admissionregistration.k8s.io/v1';
  await server.request('POST', `${admission}/mutatingwebhookconfigurations`, {
    metadata: { name: 'm' },
    webhooks: [
      {
        ...{ name: 'h.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', rules: [rule] },
        clientConfig: { url: hook.url, caBundle: hook.caBundle },
      },
    ],
  });
  const made = await server.request('POST', path('v1beta1'), object('v1beta1', 'a', { hostPort: 'one:80' }));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual((made.body as CronTab).spec, { hostPort: 'set:80' });
  const shown = hook.seen[0]?.review.request['object'] as unknown as CronTab;
  assert.deepEqual(shown.spec, { host: 'one', port: '80' });
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "object.spec.port != '81'" }],
  };
  await server.request('POST', `${admission}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  const binding = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } };
  await server.request('POST', `${admission}/validatingadmissionpolicybindings`, binding);
  const denied = await server.request('POST', path('v1beta1'), object('v1beta1', 'b', { hostPort: 'two:81' }));
  assert.equal(denied.status, 422, JSON.stringify(denied.body));
});

test('a conversion webhook can change only labels and annotations of the metadata', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook((seen) => {
    const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
    for (const { metadata } of answer.response.convertedObjects) {
      metadata.labels = { made: 'up' };
      metadata.generation = 77;
      metadata.finalizers = ['a/b'];
    }
    return answer as unknown as JsonObject;
  });
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  const { metadata } = (await server.request('GET', `${path('v1beta1')}/a`)).body as CronTab;
  assert.deepEqual([metadata.labels, metadata.generation, metadata.finalizers], [{ made: 'up' }, 1, undefined]);
});

test('the answer to a ConversionReview of v1beta1 may omit its kind and apiVersion', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook((seen) => {
    assert.equal(seen.review['apiVersion'], 'apiextensions.k8s.io/v1beta1');
    const { convertedObjects } = convert(seen)['response'] as JsonObject;
    return { response: { result: { status: 'Success' }, convertedObjects } } as JsonObject;
  });
  await define(server, webhook, ['v1beta1']);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  assert.equal(((await server.request('GET', `${path('v1beta1')}/a`)).body as CronTab).spec.hostPort, 'h:1');
});

test('an invalid response of a conversion webhook is an error with its reason', async () => {
  const what = `conversion webhook for ${GROUP}/v1, Kind=CronTab`;
  const cases: readonly [answer: (seen: SeenReview) => WebhookAnswer, message: string][] = [
    [() => ({ status: 503, text: '' }), `${what} failed: the server is currently unable to handle the request`],
    [({ review: { apiVersion, kind } }) => ({ apiVersion, kind }), `${what} failed: no response provided`],
    [
      ({ review: { apiVersion, kind, request } }) =>
        ({
          apiVersion,
          kind,
          response: { uid: request['uid'], result: { status: 'Failure', message: 'no' } },
        }) as JsonObject,
      `${what} failed: no`,
    ],
    [
      ({ review: { apiVersion, kind, request } }) =>
        ({ apiVersion, kind, response: { uid: request['uid'], result: { status: 'Success' } } }) as JsonObject,
      `${what} returned 0 objects, expected 1`,
    ],
    [
      (seen) => {
        const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
        answer.response.convertedObjects[0]!.metadata.name = 'other';
        return answer as unknown as JsonObject;
      },
      `${what} returned invalid object: must have the same name: a != other`,
    ],
    [
      (seen) => {
        const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
        answer.response.convertedObjects[0]!.kind = 'Other';
        return answer as unknown as JsonObject;
      },
      `${what} returned invalid object at index 0: invalid kind (expected CronTab, received Other)`,
    ],
    [
      (seen) => {
        const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
        (answer.response.convertedObjects as unknown[])[0] = null;
        return answer as unknown as JsonObject;
      },
      'unexpected end of JSON input',
    ],
    [
      (seen) => {
        const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
        answer.response.convertedObjects[0]!.metadata.labels = 'x' as unknown as Record<string, string>;
        return answer as unknown as JsonObject;
      },
      `${what} returned invalid metadata: invalid metadata.labels of type string in converted object`,
    ],
    [
      (seen) => {
        const answer = convert(seen) as { response: { convertedObjects: CronTab[] } };
        answer.response.convertedObjects[0]!.metadata.labels = { a: 5 as unknown as string };
        return answer as unknown as JsonObject;
      },
      `${what} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    ],
    [
      ({ review: { apiVersion } }) => ({ apiVersion, kind: 'Other' }) as JsonObject,
      `${what} failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"`,
    ],
  ];
  for (const [answer, message] of cases) {
    await using server = await startTestServer();
    await using webhook = await startWebhook(answer);
    await define(server, webhook, ['v7', 'v1']);
    await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
    for (const at of [`${path('v1beta1')}/a`, path('v1beta1')]) {
      const { status, body } = await server.request('GET', `${at}?limit=9`);
      assert.deepEqual([status, (body as JsonObject)['message']], [500, message]);
    }
    assert.equal((await server.request('GET', `${path('v1')}/a`)).status, 200);
    assert.equal((await server.request('POST', path('v1beta1'), object('v1beta1', 'b', {}))).status, 500);
  }
});

test('a get has the current result of the conversion webhook, as does a later write', async () => {
  let suffix = '';
  await using server = await startTestServer();
  await using webhook = await startWebhook((seen) => {
    const review = convert(seen);
    const [object] = (review as { response: { convertedObjects: CronTab[] } }).response.convertedObjects;
    if (object?.spec.hostPort !== undefined) object.spec.hostPort += suffix;
    return review;
  });
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  for (const each of ['', '0', '1', '0']) {
    suffix = each;
    const { body } = await server.request('GET', `${path('v1beta1')}/a`);
    assert.equal((body as CronTab).spec.hostPort, `h:1${each}`);
  }
});

/** Defines CronTabs with an object that is stored, and has the webhook go away. */
async function defineAndLose(server: TestServer): Promise<string> {
  const webhook = await startWebhook(convert);
  await define(server, webhook);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  await webhook[Symbol.asyncDispose]();
  return `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.${GROUP}`;
}

test('a CustomResourceDefinition whose conversion webhook is gone is deleted with its objects', async () => {
  await using server = await startTestServer();
  const definition = await defineAndLose(server);
  assert.equal((await server.request('GET', `${path('v1beta1')}/a`)).status, 500);
  assert.equal((await server.request('DELETE', definition)).status, 200);
  await until('the definition is gone', async () => (await server.request('GET', definition)).status === 404);
});

test('a CustomResourceDefinition is deleted even if an admission webhook for its objects is gone', async () => {
  await using server = await startTestServer();
  const definition = await defineAndLose(server);
  const clientConfig = { url: 'https://127.0.0.1:9/deny' };
  const rules = [{ apiGroups: [GROUP], apiVersions: ['*'], operations: ['DELETE'], resources: ['crontabs'] }];
  const configuration = {
    metadata: { name: 'gone' },
    webhooks: [{ name: 'gone.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig, rules }],
  };
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  assert.equal((await server.request('POST', configurations, configuration)).status, 201);
  assert.equal((await server.request('DELETE', `${path('v1')}/a`)).status, 500);
  assert.equal((await server.request('DELETE', definition)).status, 200);
  await until('the definition is gone', async () => (await server.request('GET', definition)).status === 404);
});

test('lists and watches fail with 429 while a conversion webhook is unavailable, and gets and pages with 500', async () => {
  await using server = await startTestServer();
  await defineAndLose(server);
  const reason =
    /^storage is \(re\)initializing: failed to list stable.example.com\/v1beta1, Kind=CronTab: conversion webhook for stable.example.com\/v1, Kind=CronTab failed: /;
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  for (const [query, accept, expected] of [
    ['', '*/*', 429],
    ['', table, 429],
    ['', metadata, 429],
    ['?resourceVersion=0', '*/*', 429],
    ['?watch=1', '*/*', 429],
    ['?watch=1&resourceVersion=0', table, 429],
    ['?limit=5', '*/*', 500],
    ['/a', '*/*', 500],
    ['/a', table, 500],
  ] as const) {
    const headers = { authorization: `Bearer ${server.token}`, accept };
    const url = `https://localhost${path('v1beta1')}${query}`;
    const response = await server.fetch(new Request(url, { headers }));
    const { message } = (await response.json()) as { message: string };
    assert.equal(response.status, expected, `${query} ${accept}`);
    if (expected !== 429) continue;
    assert.match(message, reason);
    assert.equal(response.headers.get('retry-after'), '1');
  }
  assert.equal((await server.request('GET', path('v1'))).status, 200);
});

test('an update whose managers a conversion webhook fails to convert drops them, and an apply fails', async () => {
  await using server = await startTestServer();
  let fails = false;
  await using webhook = await startWebhook((seen) => (fails ? {} : convert(seen)));
  await define(server, webhook);
  await server.request('POST', path('v1beta1'), object('v1beta1', 'a', { hostPort: 'h:1' }));
  fails = true;
  const at = `${path('v1')}/a?fieldManager=m&force=true`;
  const applied = await server.patch(at, object('v1', 'a', { host: 'b' }), 'application/apply-patch+yaml');
  assert.equal(applied.status, 500, JSON.stringify(applied.body));
  const { spec, metadata } = (await server.patch(`${path('v1')}/a`, { spec: { host: 'b' } })).body as CronTab;
  assert.deepEqual([spec, metadata.managedFields], [{ host: 'b', port: '1' }, undefined]);
});

test('all objects of a custom resource are deleted in another version, unless the conversion webhook fails', async () => {
  await using server = await startTestServer();
  let fails = false;
  await using webhook = await startWebhook((seen) => (fails ? {} : convert(seen)));
  await define(server, webhook);
  for (const name of ['a', 'b']) {
    await server.request('POST', path('v1'), object('v1', name, { host: 'h', port: '1' }));
  }
  assert.equal((await server.request('DELETE', path('v1beta1'))).status, 200);
  assert.deepEqual(((await server.request('GET', path('v1'))).body as { items: object[] }).items, []);
  await server.request('POST', path('v1'), object('v1', 'a', { host: 'h', port: '1' }));
  fails = true;
  const { status, body } = await server.request('DELETE', path('v1beta1'));
  assert.equal(status, 500);
  assert.match(
    String((body as JsonObject)['message']),
    /^conversion webhook for stable.example.com\/v1, Kind=CronTab failed: /,
  );
  assert.equal((await server.request('GET', `${path('v1')}/a`)).status, 200);
});
