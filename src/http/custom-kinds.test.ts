// Custom resources whose bodies name another version or kind than the path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OBJECTS = '/apis/example.com/v1/namespaces/default/things';

const version = (name: string, field: string) => ({
  ...{ name, served: true, storage: name === 'v1', subresources: { status: {} } },
  schema: { openAPIV3Schema: { type: 'object', properties: { [field]: { type: 'integer' } } } },
});

async function serveThings(server: TestServer): Promise<void> {
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const versions = [version('v1', 'one'), { ...version('v2', 'two'), served: false }];
  await server.request('POST', CRD, {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  });
  await until('it is served', async () => (await server.request('GET', '/apis/example.com/v1/things')).status === 200);
}

async function create(server: TestServer, type: { apiVersion: string; kind: string }, query = '') {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...type, metadata: { name: 'a', extra: 1 }, one: 1, two: 2 });
  const url = `https://localhost${OBJECTS}${query}`;
  const response = await server.fetch(new Request(url, { method: 'POST', headers, body }));
  const { message } = (await response.json()) as { message: string };
  const warned = [...(response.headers.get('warning') ?? '').matchAll(/unknown field \\"([^\\]+)/g)];
  return { status: response.status, message, unknown: warned.map(([, field]) => field).join(' ') };
}

test('unknown fields of a custom resource are those of the version in the body, served or not', async () => {
  await using server = await startTestServer();
  await serveThings(server);
  for (const [apiVersion, unknown] of [
    ['example.com/v2', 'metadata.extra one'],
    ['example.com/v9', 'metadata.extra one two'],
    ['other.com/v1', 'metadata.extra'],
  ] as const) {
    const answer = await create(server, { apiVersion, kind: 'Thing' });
    assert.equal(answer.status, 400, apiVersion);
    assert.match(answer.message, /^the API version in the data \(.*\) does not match/);
    assert.equal(answer.unknown, unknown, apiVersion);
  }
  const other = await create(server, { apiVersion: 'example.com/v1', kind: 'Other' });
  assert.equal(other.status, 422);
  assert.equal(other.unknown, 'metadata.extra');
});

test('fieldValidation=Strict reports unknown fields of a custom resource before a wrong version', async () => {
  await using server = await startTestServer();
  await serveThings(server);
  const strictly = (type: { apiVersion: string; kind: string }) => create(server, type, '?fieldValidation=Strict');
  assert.equal(
    (await strictly({ apiVersion: 'example.com/v2', kind: 'Thing' })).message,
    'Thing in version "v2" cannot be handled as a Thing: strict decoding error: unknown field "metadata.extra", unknown field "one"',
  );
  assert.equal(
    (await strictly({ apiVersion: 'example.com/v1', kind: 'Other' })).message,
    'Other in version "v1" cannot be handled as a Other: strict decoding error: unknown field "metadata.extra"',
  );
});

test('a custom resource of another kind is refused when it is validated, and not as a status', async () => {
  await using server = await startTestServer();
  await serveThings(server);
  const body = (kind: string, metadata: object) => ({ apiVersion: 'example.com/v1', kind, metadata, one: 1 });
  const created = await server.request('POST', OBJECTS, body('Thing', { name: 'a' }));
  assert.equal(created.status, 201);
  const put = async (name: string, metadata: object) => {
    const answer = await server.request('PUT', `${OBJECTS}/${name}`, body('Other', metadata));
    return [answer.status, (answer.body as { message: string }).message] as const;
  };
  const { resourceVersion } = (created.body as { metadata: { resourceVersion: string } }).metadata;
  assert.deepEqual(await put('a', { name: 'a', resourceVersion }), [
    422,
    'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be Thing',
  ]);
  // Nobody is said to own anything of an object of an unknown kind.
  const status = await server.request('PUT', `${OBJECTS}/a/status`, body('Other', { name: 'a', resourceVersion }));
  assert.equal(status.status, 200);
  const answer = status.body as { kind: string; metadata: { managedFields?: unknown } };
  assert.deepEqual([answer.kind, answer.metadata.managedFields], ['Thing', undefined]);
  for (const [name, metadata, code, text] of [
    ['a', { name: 'b' }, 400, 'does not match the name on the URL'],
    ['b', { name: 'b', resourceVersion }, 404, 'not found'],
    ['a', { name: 'a' }, 422, 'must be specified for an update'],
    ['a', { name: 'a', resourceVersion: '2' }, 409, 'has been modified'],
    ['a', { name: 'a', namespace: 'other' }, 400, 'namespace'],
  ] as const) {
    const [found, message] = await put(name, metadata);
    assert.equal(found, code, message);
    assert.ok(message.includes(text), message);
  }
});
