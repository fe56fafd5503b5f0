import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const GROUP = 'apply.example.com';
const THINGS = `/apis/${GROUP}/v1/things`;

async function define(server: TestServer): Promise<void> {
  const named = { type: 'object', properties: { name: { type: 'string' } } };
  const properties = {
    port: { 'x-kubernetes-int-or-string': true },
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        one: named,
        list: { type: 'array', items: named },
        map: { type: 'object', additionalProperties: named },
      },
    },
    closed: named,
    status: { type: 'object' },
  };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  });
  await until('it is served', async () => (await server.request('GET', THINGS)).status === 200);
}

const thing = (more: object) => ({ apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'a' }, ...more });

describe('applied custom objects', () => {
  async function apply(server: TestServer, more: object) {
    const response = await server.fetch(
      new Request(`https://localhost${THINGS}/a?fieldManager=m&fieldValidation=Ignore`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify(thing(more)),
      }),
    );
    const body = (await response.json()) as {
      message: string;
      metadata: { managedFields: { fieldsV1: object }[]; generation: number };
    };
    return { status: response.status, body };
  }

  test('what an int-or-string holds is for validation to judge', async () => {
    await using server = await startTestServer();
    await define(server);
    for (const [port, type] of [
      [['x'], 'array'],
      [{ x: 1 }, 'object'],
      [true, 'boolean'],
    ]) {
      const { status, body } = await apply(server, { port });
      assert.equal(status, 422);
      assert.ok(body.message.includes(`port in body must be of type integer,string: "${type}"`), body.message);
    }
  });

  test('everything in an object that keeps unknown fields may have some', async () => {
    await using server = await startTestServer();
    await define(server);
    const { status, body } = await apply(server, {
      open: { one: { name: 'x', more: 1 }, list: [{ more: 1 }], map: { k: { more: 1 } } },
    });
    assert.equal(status, 201, body.message);
    assert.deepEqual(body.metadata.managedFields[0]?.fieldsV1, {
      'f:open': {
        'f:list': {},
        'f:map': { 'f:k': { '.': {}, 'f:more': {} } },
        'f:one': { 'f:more': {}, 'f:name': {} },
      },
    });
    const refused = await apply(server, { closed: { more: 1 } });
    assert.equal(refused.status, 500);
    assert.match(refused.body.message, /\.closed\.more: field not declared in schema$/);
  });

  test('an empty status is another than none, where it is not a subresource', async () => {
    await using server = await startTestServer();
    await define(server);
    await server.request('POST', THINGS, thing({}));
    const { body } = await apply(server, { status: {} });
    assert.equal(body.metadata.generation, 2);
  });
});

test('what a patch leaves of the type of a custom object is judged after fields, names and versions', async () => {
  await using server = await startTestServer();
  await define(server);
  await server.request('POST', THINGS, thing({}));
  const patched = async (patch: object) => {
    const response = await server.fetch(
      new Request(`https://localhost${THINGS}/a?fieldValidation=Strict`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify(patch),
      }),
    );
    return response.status;
  };
  for (const apiVersion of [null, 'x/v1']) {
    assert.equal(await patched({ apiVersion, metadata: { type: 1 } }), 422);
    assert.equal(await patched({ apiVersion, metadata: { name: 'b' } }), 400);
    assert.equal(await patched({ apiVersion, metadata: { resourceVersion: '1' } }), 409);
  }
  assert.equal(await patched({ apiVersion: null }), 500);
  assert.equal(await patched({ kind: 'Other' }), 422);
});
