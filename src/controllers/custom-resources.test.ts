import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { systemClock } from '../server/system-clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'shop.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer', minimum: 1, default: 3 }, color: { type: 'string' } },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};

function definitionOf(spec: JsonObject = {}, version: JsonObject = {}): JsonObject {
  const names = { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, ...version }],
      ...spec,
    },
  };
}

function widget(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name }, ...more };
}

async function define(server: TestServer, definition = definitionOf()): Promise<void> {
  const { status, body } = await server.request('POST', DEFINITIONS, definition);
  assert.equal(status, 201, JSON.stringify(body));
  await served(server, WIDGETS);
}

function served(server: TestServer, path: string): Promise<unknown> {
  return until(`${path} is served`, async () => (await server.request('GET', path)).status === 200);
}

async function read(server: TestServer, path: string): Promise<ApiObject> {
  const { status, body } = await server.request('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as ApiObject;
}

/** The raw answer, for paths that are answered in text. */
async function statusOf(server: TestServer, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await server.fetch(new Request(`https://localhost${path}`, { headers }))).status;
}

test('a CustomResourceDefinition is established, and its resources are served, defaulted, pruned and validated', async () => {
  await using server = await startTestServer();
  await define(server);
  const definition = await read(server, `${DEFINITIONS}/widgets.${GROUP}`);
  assert.deepEqual(
    listAt(definition, 'status', 'conditions').map((each) => [textAt(each, 'type'), textAt(each, 'status')]),
    [
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ],
  );
  const made = await server.request('POST', WIDGETS, widget('a', { spec: { color: 'red', odd: 1 } }));
  assert.equal(made.status, 201);
  assert.deepEqual((made.body as ApiObject)['spec'], { color: 'red', size: 3 });
  const refused = await server.request('POST', WIDGETS, widget('b', { spec: { size: 0 } }));
  assert.equal(refused.status, 422);
  const causes = listAt(refused.body as JsonObject, 'details', 'causes');
  assert.deepEqual(causes, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: spec.size in body should be greater than or equal to 1',
      field: 'spec.size',
    },
  ]);
});

test('a change of the schema of a CustomResourceDefinition applies to reads at once and ends watches', async () => {
  await using server = await startTestServer();
  await define(server);
  await server.request('POST', WIDGETS, widget('a', { spec: { color: 'red' } }));
  const headers = { authorization: `Bearer ${server.token}` };
  const watching = await server.fetch(new Request(`https://localhost${WIDGETS}?watch=1`, { headers }));
  const changed = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer' }, late: { type: 'string', default: 'x' } } },
    },
  };
  await server.patch(`${DEFINITIONS}/widgets.${GROUP}`, {
    spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: changed } }] },
  });
  await until('the new schema is read by', async () => at(await read(server, `${WIDGETS}/a`), 'spec', 'late') === 'x');
  assert.deepEqual((await read(server, `${WIDGETS}/a`))['spec'], { size: 3, late: 'x' });
  assert.match(await watching.text(), /^\{"type":"ADDED"/, 'the stream ends by itself');
});

test('a custom resource is served once the status of its CustomResourceDefinition is Established', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const put = store.put.bind(store);
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  store.put = async (key, value, expected) => {
    if (value.includes('"Established"')) {
      ask();
      await told;
    }
    return put(key, value, expected);
  };
  await using server = await startTestServer({}, { store: Promise.resolve(store) });
  await server.request('POST', DEFINITIONS, definitionOf());
  await asked;
  const early = await server.fetch(
    new Request(`https://localhost${WIDGETS}`, { headers: { authorization: `Bearer ${server.token}` } }),
  );
  tell();
  assert.equal(early.status, 404);
  await served(server, WIDGETS);
  const path = `${DEFINITIONS}/widgets.${GROUP}`;
  assert.equal(listAt(await read(server, path), 'status', 'conditions').length, 2);
});

test('a CustomResourceDefinition has the reason Installing before it is established, in a separate write', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const put = store.put.bind(store);
  const said: string[] = [];
  store.put = (key, value, expected) => {
    if (key.includes('/customresourcedefinitions/')) {
      said.push(
        /"type":"Established","status":"\w+","lastTransitionTime":"[^"]*","reason":"(\w+)"/.exec(`${value}`)?.[1] ?? '',
      );
    }
    return put(key, value, expected);
  };
  await using server = await startTestServer({}, { store: Promise.resolve(store) });
  await define(server);
  assert.deepEqual(said, ['', 'Installing', 'InitialNamesAccepted']);
});

/** A definition of another resource in the same group. */
function definitionNamed(plural: string, names: JsonObject = {}): JsonObject {
  const definition = definitionOf({ names: { plural, kind: `Kind${plural}`, ...names } });
  return { ...definition, metadata: { name: `${plural}.${GROUP}` } };
}

test('the status of several CustomResourceDefinitions is updated concurrently', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const put = store.put.bind(store);
  const { promise: both, resolve: go } = Promise.withResolvers<void>();
  const installing = new Set<string>();
  store.put = async (key, value, expected) => {
    if (value.includes('"reason":"Installing"')) {
      installing.add(key);
      if (installing.size === 2) go();
      await both;
    }
    return put(key, value, expected);
  };
  await using server = await startTestServer({}, { store: Promise.resolve(store) });
  for (const plural of ['cogs', 'gears']) await server.request('POST', DEFINITIONS, definitionNamed(plural));
  for (const plural of ['cogs', 'gears']) await served(server, `/apis/${GROUP}/v1/${plural}`);
});

test('of several new CustomResourceDefinitions with the same names only one is accepted', async () => {
  await using server = await startTestServer();
  const plurals = Array.from({ length: 12 }, (_, index) => `things${'abcdefghijkl'[index]}`);
  await Promise.all(
    plurals.map((plural) => server.request('POST', DEFINITIONS, definitionNamed(plural, { shortNames: ['th'] }))),
  );
  const accepted = async (plural: string) => {
    const conditions = listAt(await read(server, `${DEFINITIONS}/${plural}.${GROUP}`), 'status', 'conditions');
    return textAt(
      conditions.find((each) => textAt(each, 'type') === 'NamesAccepted'),
      'status',
    );
  };
  await until('all are decided on', async () => !(await Promise.all(plurals.map(accepted))).includes(''));
  assert.equal((await Promise.all(plurals.map(accepted))).filter((each) => each === 'True').length, 1);
});

test('a custom resource has status and scale subresources if its CustomResourceDefinition declares them', async () => {
  await using server = await startTestServer();
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
  await define(server, definitionOf({}, { subresources: { status: {}, scale } }));
  await server.request('POST', WIDGETS, widget('a', { spec: { size: 2 }, status: { ready: 9 } }));
  assert.equal((await read(server, `${WIDGETS}/a`))['status'], undefined);
  await server.patch(`${WIDGETS}/a/status`, { status: { ready: 1 }, spec: { size: 8 } });
  assert.equal((await server.patch(`${WIDGETS}/a/scale`, { spec: { replicas: 5 } })).status, 200);
  const scaled = await read(server, `${WIDGETS}/a/scale`);
  assert.deepEqual([scaled['spec'], scaled['status']], [{ replicas: 5 }, { replicas: 1 }]);
  const { metadata, spec, status } = await read(server, `${WIDGETS}/a`);
  assert.deepEqual([metadata.generation, spec, status], [2, { size: 5 }, { ready: 1 }]);
});

test('a version of a custom resource shows the fields of its schema in objects stored in another version', async () => {
  await using server = await startTestServer();
  const old = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { color: { type: 'string' }, old: { type: 'string' } } } },
  };
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } },
    { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: { openAPIV3Schema: old } },
  ];
  await define(server, definitionOf({ versions }));
  await server.request('POST', WIDGETS, widget('a', { spec: { color: 'red', size: 4 } }));
  const beta = WIDGETS.replace('/v1/', '/v1beta1/');
  assert.deepEqual((await read(server, `${beta}/a`))['spec'], { color: 'red' });
  const made = await server.request('POST', beta, {
    ...widget('b', { spec: { color: 'blue', old: 'x' } }),
    apiVersion: `${GROUP}/v1beta1`,
  });
  assert.deepEqual((made.body as ApiObject)['spec'], { color: 'blue' }, 'the stored version has no such member');
});

test('a CustomResourceDefinition whose name another one has is served when that name is free', async () => {
  await using server = await startTestServer();
  await define(server);
  const pears = definitionOf({ names: { plural: 'pears', kind: 'Pear', shortNames: ['wd'] } });
  await server.request('POST', DEFINITIONS, { ...pears, metadata: { name: `pears.${GROUP}` } });
  const conditionsOf = async () => listAt(await read(server, `${DEFINITIONS}/pears.${GROUP}`), 'status', 'conditions');
  await until('the conflict is told', async () =>
    (await conditionsOf()).some((each) => textAt(each, 'reason') === 'ShortNamesConflict'),
  );
  assert.equal(await statusOf(server, `/apis/${GROUP}/v1/pears`), 404);
  await server.request('DELETE', `${DEFINITIONS}/widgets.${GROUP}`);
  await served(server, `/apis/${GROUP}/v1/pears`);
});

test('a deleted CustomResourceDefinition waits until all its custom resources are gone', async () => {
  await using server = await startTestServer();
  await define(server);
  await server.request('POST', WIDGETS, widget('free'));
  const held = widget('held');
  await server.request('POST', WIDGETS, { ...held, metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await server.request('DELETE', `${DEFINITIONS}/widgets.${GROUP}`);
  await until('the free object is gone', async () => (await server.request('GET', `${WIDGETS}/free`)).status === 404);
  const late = await server.request('POST', WIDGETS, widget('late'));
  assert.equal(late.status, 403);
  assert.match(textAt(late.body as JsonObject, 'message'), /custom resource definition is terminating/);
  const conditions = listAt(await read(server, `${DEFINITIONS}/widgets.${GROUP}`), 'status', 'conditions');
  assert.equal(textAt(conditions.at(-1), 'reason'), 'InstanceDeletionInProgress');
  await server.patch(`${WIDGETS}/held`, { metadata: { finalizers: null } });
  await until(
    'the definition is gone',
    async () => (await statusOf(server, `${DEFINITIONS}/widgets.${GROUP}`)) === 404,
  );
  await until('its path is gone', async () => (await statusOf(server, WIDGETS)) === 404);
  await define(server);
  assert.deepEqual((await read(server, WIDGETS))['items'], []);
});

test('a deleted CustomResourceDefinition with a finalizer reports that its custom resources are gone', async () => {
  await using server = await startTestServer();
  await define(server);
  const path = `${DEFINITIONS}/widgets.${GROUP}`;
  await server.patch(path, { metadata: { finalizers: ['example.com/hold'] } });
  await server.request('DELETE', path);
  await until('the deletion is told to be complete', async () => {
    const condition = listAt(await read(server, path), 'status', 'conditions').at(-1);
    return textAt(condition, 'reason') === 'InstanceDeletionCompleted' && textAt(condition, 'status') === 'False';
  });
});

test('a CustomResourceDefinition is deleted even if its storedVersions name none of its versions', async () => {
  await using server = await startTestServer();
  await define(server);
  const path = `${DEFINITIONS}/widgets.${GROUP}`;
  assert.equal((await server.patch(`${path}/status`, { status: { storedVersions: ['v9'] } })).status, 200);
  await server.request('DELETE', path);
  await until('the definition is gone', async () => (await statusOf(server, path)) === 404);
});

test('custom resources from before a restart are served when the server is ready', async () => {
  const store = new MemoryStore({ clock: systemClock });
  const close = store.close.bind(store);
  store.close = async () => {};
  {
    await using server = await startTestServer({}, { store: Promise.resolve(store) });
    await define(server);
    await server.request('POST', WIDGETS, widget('a', { spec: { size: 7 } }));
  }
  store.close = close;
  await using server = await startTestServer({}, { store: Promise.resolve(store) });
  assert.equal(at(await read(server, `${WIDGETS}/a`), 'spec', 'size'), 7);
});

test('a CustomResourceDefinition with an invalid webhook CA is not established until it is corrected', async () => {
  await using server = await startTestServer();
  const clientConfig = { url: 'https://a.example.com', caBundle: btoa('no certificate') };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig };
  const definition = definitionOf({ conversion: { strategy: 'Webhook', webhook } });
  assert.equal((await server.request('POST', DEFINITIONS, definition)).status, 201);
  const name = `${DEFINITIONS}/widgets.${GROUP}`;
  await until('the definition says what is wrong', async () =>
    listAt(await read(server, name), 'status', 'conditions').some(
      (each) => textAt(each, 'reason') === 'InvalidCABundle',
    ),
  );
  const { status, body } = await server.request('GET', WIDGETS);
  assert.equal(status, 500);
  assert.match(textAt(body as JsonObject, 'message'), /error resolving resource$/);
  await server.patch(name, { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } });
  await until('the definition is established', async () =>
    listAt(await read(server, name), 'status', 'conditions').some(
      (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
    ),
  );
});
