import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

/** What every JavaScript object inherits: ordinary names for clients. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
const GROUP = 'stable.example.com';
const ODDS = `/apis/${GROUP}/v1/namespaces/default/odds`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `odds.${GROUP}` },
    spec: {
      ...{ group: GROUP, scope: 'Namespaced', names: { plural: 'odds', kind: 'Odd' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: oddSchema() } }],
    },
  };
  const { status, body } = await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    ...definition,
  });
  assert.equal(status, 201, JSON.stringify(body));
  await until('the definition is served', async () => (await server.request('GET', ODDS)).status === 200);
});
after(() => server.close());

/** An object with each of the names, `__proto__` included. */
function each(value: (name: string) => Json): JsonObject {
  return Object.fromEntries(NAMES.map((name) => [name, value(name)]));
}

function oddSchema(): JsonObject {
  const properties = (schema: (name: string) => Json) => ({ type: 'object', properties: each(schema) });
  const text = { type: 'string' };
  const listKeys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['valueOf'] };
  const items = { type: 'object', required: ['valueOf'], properties: { valueOf: text, toString: text } };
  return {
    type: 'object',
    properties: {
      plain: properties(() => text),
      numbers: properties(() => ({ type: 'integer' })),
      defaulted: properties((name) => ({ type: 'string', default: `default of ${name}` })),
      required: { ...properties(() => text), required: NAMES },
      list: { type: 'array', items, ...listKeys },
      map: { type: 'object', additionalProperties: text },
      ruled: {
        ...properties(() => text),
        'x-kubernetes-validations': [{ rule: '!has(self.constructor) && !has(self.toString)' }],
      },
    },
  };
}

const odd = (name: string, fields: JsonObject): JsonObject => ({
  ...{ apiVersion: `${GROUP}/v1`, kind: 'Odd', metadata: { name } },
  ...fields,
});

async function create(name: string, fields: JsonObject): Promise<{ status: number; body: ApiObject }> {
  const { status, body } = await server.request('POST', `${ODDS}?fieldValidation=Strict`, odd(name, fields));
  return { status, body: body as ApiObject };
}

test('properties of a custom resource named as inherited members are absent until a client sets them', async () => {
  const { status, body } = await create('absent', { plain: {}, numbers: {}, ruled: {}, map: {} });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body['plain'], {});
});

test('properties of a custom resource named as inherited members are stored, and unknown ones rejected', async () => {
  const plain = each((name) => `value of ${name}`);
  const made = await create('present', { plain, map: plain });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { body } = await server.request('GET', `${ODDS}/present`);
  for (const member of ['plain', 'map']) {
    assert.deepEqual(Object.entries((body as JsonObject)[member] as object).sort(), Object.entries(plain).sort());
  }
  const unknown = await create('unknown', { list: [{ valueOf: 'a', constructor: 'x' }] });
  assert.match(JSON.stringify(unknown.body), /unknown field \\"list\[0\].constructor\\"/);
});

test('defaults of a custom resource apply to properties named as inherited members', async () => {
  const { status, body } = await create('defaults', { defaulted: {} });
  assert.equal(status, 201, JSON.stringify(body));
  const defaulted = Object.entries(body['defaulted'] as object).sort();
  assert.deepEqual(defaulted, Object.entries(each((name) => `default of ${name}`)).sort());
});

test('required properties of a custom resource named as inherited members are required', async () => {
  const { status, body } = await create('required', { required: {} });
  assert.equal(status, 422);
  const { causes } = body['details'] as unknown as { causes: { field: string; reason: string }[] };
  const missing = causes.filter(({ reason }) => reason === 'FieldValueRequired');
  assert.deepEqual(missing.map(({ field }) => field).sort(), NAMES.map((name) => `required.${name}`).sort());
});

test('keyed lists and rules of a custom resource see own properties only', async () => {
  const list: JsonObject[] = [{ valueOf: 'a' } as unknown as JsonObject, { valueOf: 'b', toString: 'x' }];
  assert.equal((await create('list', { list })).status, 201);
  assert.equal((await create('ruled', { ruled: { constructor: 'x' } })).status, 422);
  const other = { list: [{ toString: 'x' }] };
  assert.match(JSON.stringify((await create('keyless', other)).body), /list\[0\].valueOf: Required value/);
});

test('an update that only adds properties named as inherited members ratchets and compares the existing ones', async () => {
  await create('updated', { plain: { toString: 'a' } });
  const { body } = await server.request('GET', `${ODDS}/updated`);
  const next = { ...(body as JsonObject), plain: { toString: 'a', valueOf: 'b', constructor: 'c' } };
  const updated = await server.request('PUT', `${ODDS}/updated`, next);
  assert.equal(updated.status, 200, JSON.stringify(updated.body));
  const merged = await server.patch(`${ODDS}/updated`, { plain: { toString: null, hasOwnProperty: 'd' } });
  assert.deepEqual((merged.body as JsonObject)['plain'], { valueOf: 'b', constructor: 'c', hasOwnProperty: 'd' });
});

test('server-side apply owns and removes fields named as inherited members', async () => {
  const apply = (fields: JsonObject, manager: string) =>
    server.patch(`${ODDS}/applied?fieldManager=${manager}`, odd('applied', fields), 'application/apply-patch+yaml');
  const plain = each((name) => `value of ${name}`);
  const made = await apply({ plain, map: plain }, 'one');
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const fields = JSON.stringify((made.body as ApiObject).metadata.managedFields?.[0]?.fieldsV1);
  for (const name of NAMES) assert.match(fields, new RegExp(`"f:${name}":\\{\\}.*"f:${name}":\\{\\}`), name);
  assert.equal((await apply({ plain: { constructor: 'other' } }, 'two')).status, 409);
  const less = await apply({ plain: { toString: 'kept' } }, 'one');
  assert.deepEqual((less.body as JsonObject)['plain'], { toString: 'kept' });
});

test('labels, annotations and data of a ConfigMap named as inherited members are stored like others', async () => {
  const labelled = NAMES.filter((name) => !name.startsWith('_'));
  const labels = Object.fromEntries(labelled.map((name) => [name, 'x']));
  const data = each((name) => `value of ${name}`);
  const named = (name: string, metadata: JsonObject) => ({ metadata: { name, ...metadata }, data });
  assert.equal((await server.request('POST', CONFIG_MAPS, named('plain', {}))).status, 201);
  const made = await server.request('POST', CONFIG_MAPS, named('named', { labels, annotations: labels }));
  assert.equal((made.body as ApiObject).metadata.annotations?.['constructor'], 'x');
  assert.deepEqual(Object.keys((made.body as JsonObject)['data'] as object).sort(), [...NAMES].sort());
  for (const name of labelled) {
    for (const [selector, expected] of [
      [name, ['named']],
      [`!${name}`, ['plain']],
      [`${name}=x`, ['named']],
      [`${name}!=x`, ['plain']],
      [`${name} in (x,y)`, ['named']],
      [`${name} notin (x,y)`, ['plain']],
    ] as const) {
      const { body } = await server.request('GET', `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`);
      const found = (body as unknown as { items: ApiObject[] }).items.map((item) => item.metadata.name);
      assert.deepEqual(
        found.filter((item) => item === 'named' || item === 'plain'),
        expected,
        selector,
      );
    }
  }
});

test('resources of a container named as inherited members are validated in limits and in the requests from them', async () => {
  for (const name of NAMES) {
    const resources = { limits: Object.fromEntries([[name, '1']]) };
    const pod = { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } };
    const { status, body } = await server.request('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod);
    assert.equal(status, 422, name);
    for (const kind of ['limits', 'requests']) {
      assert.ok(JSON.stringify(body).includes(`spec.containers[0].resources.${kind}[${name}]`), `${kind} ${name}`);
    }
  }
});
