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

test('managed fields of a version that is not served are kept, and those of a removed one block an apply', async () => {
  await using server = await startTestServer();
  await define(server);
  await server.request('POST', `${THINGS}?fieldManager=first`, thing({ port: 1 }));
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${GROUP}`;
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { port: { 'x-kubernetes-int-or-string': true }, size: { type: 'integer' } },
    },
  };
  const change = async (versions: object[]) => {
    assert.equal((await patch(server, path, 'merge-patch+json', { spec: { versions } })).status, 200);
    await until('v2 is served alone', async () => (await server.request('GET', THINGS)).status === 404);
  };
  const v2 = { name: 'v2', served: true, storage: true, schema };
  const applied = { apiVersion: `${GROUP}/v2`, kind: 'Thing', size: 1 };
  const apply = () => patch(server, `/apis/${GROUP}/v2/things/a?fieldManager=second`, 'apply-patch+yaml', applied);

  await change([{ name: 'v1', served: false, storage: false, schema }, v2]);
  const { status, body } = await apply();
  assert.equal(status, 200);
  const { managedFields } = (body as { metadata: { managedFields: { apiVersion: string; manager: string }[] } })
    .metadata;
  assert.deepEqual(
    managedFields.map(({ apiVersion, manager }) => [apiVersion, manager]),
    [
      [`${GROUP}/v2`, 'second'],
      [`${GROUP}/v1`, 'first'],
    ],
  );

  await patch(server, `${path}/status`, 'merge-patch+json', { status: { storedVersions: ['v2'] } });
  await change([v2]);
  await until('v1 is gone', async () => (await apply()).status === 500);
  const refused = (await apply()).body as { message: string };
  assert.equal(refused.message, `request to convert CR to an invalid group/version: ${GROUP}/v1`);
});

async function patch(server: TestServer, path: string, type: string, value: object) {
  const response = await server.fetch(
    new Request(`https://localhost${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': `application/${type}` },
      body: JSON.stringify(value),
    }),
  );
  return { status: response.status, body: await response.json() };
}

describe('an apply of a custom resource', () => {
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

  test('an apply of a custom resource leaves the type of an int-or-string to validation', async () => {
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

  test('an apply of a custom resource owns unknown fields anywhere below x-kubernetes-preserve-unknown-fields', async () => {
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

  test('an apply of a custom resource with an empty status increases the generation if status is not a subresource', async () => {
    await using server = await startTestServer();
    await define(server);
    await server.request('POST', THINGS, thing({}));
    const { body } = await apply(server, { status: {} });
    assert.equal(body.metadata.generation, 2);
  });
});

test('a patch that changes apiVersion or kind of a custom resource is rejected after fields and names', async () => {
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

test('null in an apply of a custom resource is a value, and null in a create is dropped', async () => {
  await using server = await startTestServer();
  await define(server);
  const object = thing({ closed: { name: null } });
  const apply = (force = '') =>
    server.patch(`${THINGS}/a?fieldManager=m${force}`, object, 'application/apply-patch+yaml');
  for (const { status, body } of [await apply(), await apply('&force=true')]) {
    assert.equal(status, 422);
    assert.match(
      (body as { message: string }).message,
      /closed\.name: Invalid value: "null": closed\.name in body must be of type string: "null"$/,
    );
  }
  const made = await server.request('POST', THINGS, object);
  assert.deepEqual([made.status, (made.body as { closed: object }).closed], [201, {}]);
  assert.equal((await apply()).status, 422);
});
