import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { systemClock } from '../server/system-clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const GROUP = 'old.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const DEFINITION = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${GROUP}`;

/** A server whose store has a definition of an old cluster, which kept all unknown fields. */
async function serverOf(schema: JsonObject | undefined): Promise<TestServer> {
  const store = new MemoryStore({ clock: systemClock });
  const definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `widgets.${GROUP}`, uid: '1', generation: 1, creationTimestamp: '2019-01-01T00:00:00Z' },
    spec: {
      ...{ group: GROUP, scope: 'Namespaced', preserveUnknownFields: true, conversion: { strategy: 'None' } },
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, ...(schema && { schema: { openAPIV3Schema: schema } }) }],
    },
    status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  };
  const key = `/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.${GROUP}`;
  await store.put(key, Buffer.from(JSON.stringify(definition)), 'absent');
  const server = await startTestServer({}, { store: Promise.resolve(store) });
  await until('widgets are served', async () => (await server.request('GET', WIDGETS)).status === 200);
  return server;
}

const widget = (fields: JsonObject) => ({
  ...{ apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name: 'a' } },
  ...fields,
});

async function structure(server: TestServer): Promise<string> {
  const { body } = await server.request('GET', DEFINITION);
  const conditions = listAt(body as ApiObject, 'status', 'conditions');
  const found = conditions.find((each) => textAt(each, 'type') === 'NonStructuralSchema');
  return found === undefined ? '' : [textAt(found, 'status'), textAt(found, 'reason'), textAt(found, 'message')].join();
}

test('a stored definition with preserveUnknownFields and no schema keeps all fields, those of an apply, too', async () => {
  await using server = await serverOf(undefined);
  const spec = { replicas: 1, deep: { er: [{ x: 1 }] } };
  const made = await server.request('POST', WIDGETS, widget({ spec }));
  assert.deepEqual((made.body as ApiObject)['spec'], spec);
  const applied = await server.patch(
    `${WIDGETS}/a?fieldManager=m&force=true`,
    widget({ spec: { replicas: 2, more: { z: true } } }),
    'application/apply-patch+yaml',
  );
  assert.equal(applied.status, 200, JSON.stringify(applied.body));
  assert.deepEqual((applied.body as ApiObject)['spec'], { ...spec, replicas: 2, more: { z: true } });
  assert.equal(
    await structure(server),
    'True,Violations,spec.preserveUnknownFields: Invalid value: true: must be false',
  );
});

test('a stored definition with a schema that is not structural validates, keeps all fields and gets a condition', async () => {
  const size = { type: 'integer', minimum: 1 };
  await using server = await serverOf({ properties: { spec: { properties: { size, inner: { properties: {} } } } } });
  const spec = { size: 1, other: 'x', inner: { odd: 1 } };
  const made = await server.request('POST', WIDGETS, widget({ spec }));
  assert.deepEqual((made.body as ApiObject)['spec'], spec);
  assert.equal((await server.request('POST', WIDGETS, widget({ spec: { size: 0 } }))).status, 422);
  const applied = await server.patch(
    `${WIDGETS}/b?fieldManager=m`,
    { ...widget({ spec }), metadata: { name: 'b' } },
    'application/apply-patch+yaml',
  );
  assert.deepEqual((applied.body as ApiObject)['spec'], spec);
  assert.match(
    await structure(server),
    /^True,Violations,\[spec\.preserveUnknownFields: .*schema\.openAPIV3Schema\.type: Required value: must not be empty at the root/,
  );
  const document = (await server.request('GET', `/openapi/v3/apis/${GROUP}/v1`)).body as JsonObject;
  const schemas = at(document, 'components', 'schemas') as JsonObject;
  const name = Object.keys(schemas).find((each) => each.endsWith('.Widget')) ?? '';
  assert.equal(at(schemas, name, 'properties', 'spec'), undefined);
});

test('a definition that ends preserveUnknownFields loses the condition NonStructuralSchema, and prunes', async () => {
  await using server = await serverOf(undefined);
  assert.notEqual(await structure(server), '');
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const changed = await server.patch(DEFINITION, { spec: { preserveUnknownFields: false, versions } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await until('the condition is gone', async () => (await structure(server)) === '');
  const { body } = await server.request('POST', WIDGETS, widget({ spec: { odd: 1 } }));
  assert.deepEqual((body as ApiObject)['spec'], {});
});
