import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const GROUP = 'answers.example.com';
const THINGS = `/apis/${GROUP}/v1/things`;

async function define(server: TestServer, version: object = {}): Promise<void> {
  const spec = {
    type: 'object',
    example: { size: 1 },
    maxProperties: 2,
    properties: { size: { type: 'integer', enum: [1, 2] }, name: { type: 'string' } },
  };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', properties: { ready: { type: 'integer' } } } },
    },
  };
  const { status, body } = await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} }, ...version }],
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  await until('it is served', async () => (await ask(server, THINGS)).status === 200);
}

async function ask(server: TestServer, path: string) {
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' };
  const response = await server.fetch(new Request(`https://localhost${path}`, { headers }));
  return { status: response.status, text: await response.text(), warning: response.headers.get('warning') };
}

const ANY = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const thing = (more: object) => ({ apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'a' }, ...more });

describe('responses about custom resources', () => {
  test('responses about custom resources have their members sorted by name, in lists, too', async () => {
    await using server = await startTestServer();
    await define(server);
    await server.request('POST', THINGS, thing({ spec: { size: 1, name: 'x' } }));
    const { text } = await ask(server, THINGS);
    assert.match(text, /^\{"apiVersion":"[^"]*","items":\[\{"apiVersion":"[^"]*","kind":"Thing","metadata":\{/);
    assert.match(text, /"spec":\{"name":"x","size":1\}/);
    assert.match(text, /\],"kind":"ThingList","metadata":\{"continue":"","resourceVersion":"\d+"\}\}\n$/);
  });

  test('responses about custom resources end with a newline, like those about built-in resources', async () => {
    await using server = await startTestServer();
    await define(server);
    await server.request('POST', THINGS, thing({ spec: { size: 1 } }));
    for (const path of [`${THINGS}/a`, '/api/v1/namespaces/default', '/apis/autoscaling/v1']) {
      const { text } = await ask(server, path);
      assert.match(text, /[\]}]\}\n$/, path);
    }
  });

  test('responses about custom resources report invalid fields beside unknown ones', async () => {
    await using server = await startTestServer();
    await define(server);
    const spec = { size: 1.5, name: 1, other: 'x', more: 'y' };
    const { body } = await server.request('POST', THINGS, thing({ spec: { ...spec } }));
    const { causes } = (body as { details: { causes: { field: string; message: string }[] } }).details;
    // As a whole number 1.5 is one that is listed.
    assert.deepEqual(causes.map(({ field }) => field).sort(), ['spec.name', 'spec.size'], JSON.stringify(causes));
  });

  test('responses about custom resources show a status update that owns the labels that it sends and cannot change', async () => {
    await using server = await startTestServer();
    await define(server);
    await server.request('POST', THINGS, thing({ spec: { size: 1 } }));
    const { body } = await server.patch(`${THINGS}/a/status`, { metadata: { labels: { a: 'b' } } });
    const { metadata } = body as { metadata: { labels?: unknown; managedFields: Record<string, unknown>[] } };
    assert.equal(metadata.labels, undefined);
    const said = metadata.managedFields.find(({ subresource }) => subresource === 'status');
    assert.deepEqual(said?.['fieldsV1'], { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
  });

  test('responses about custom resources have a warning about a deprecated version, even for a path that does not exist', async () => {
    await using server = await startTestServer();
    await define(server, { deprecated: true });
    const { status, warning } = await ask(server, `${THINGS}/a/scale`);
    assert.equal(status, 404);
    assert.match(warning ?? '', /Thing is deprecated/);
  });
});

test('PartialObjectMetadata of a custom resource has its fields in the order of the type', async () => {
  await using server = await startTestServer();
  await define(server);
  await server.request('POST', THINGS, {
    apiVersion: `${GROUP}/v1`,
    kind: 'Thing',
    metadata: { name: 'a', labels: { a: 'b' } },
  });
  for (const form of ['PartialObjectMetadata', 'Table']) {
    const headers = {
      authorization: `Bearer ${server.token}`,
      accept: `application/json;as=${form};v=v1;g=meta.k8s.io`,
    };
    const response = await server.fetch(new Request(`https://localhost${THINGS}/a`, { headers }));
    assert.match(
      await response.text(),
      /"metadata":\{"name":"a","uid":.*"labels":.*"managedFields":\[\{"manager":/,
      form,
    );
  }

  test('responses about custom resources warn about new finalizers without a domain', async () => {
    await using server = await startTestServer();
    await define(server);
    const withFinalizers = (finalizers: string[]) => thing({ metadata: { name: 'a', finalizers } });
    const write = async (method: string, path: string, body: object, type = 'application/json') => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': type };
      const init = { method, headers, body: JSON.stringify(body) };
      const response = await server.fetch(new Request(`https://localhost${path}`, init));
      return response.headers.get('warning');
    };
    const why = 'to avoid accidental conflicts with other finalizer writers';
    const warned = await write('POST', THINGS, withFinalizers(['x', 'a.b', 'example.com/y', 'orphan']));
    assert.ok(
      warned?.includes(`\\"a.b\\": prefer a domain-qualified finalizer name including a path (/) ${why}`),
      warned ?? '',
    );
    assert.ok(warned?.includes(`\\"x\\": prefer a domain-qualified finalizer name ${why}`));
    const patch = { metadata: { finalizers: ['x', 'z'] } };
    const changed = await write('PATCH', `${THINGS}/a`, patch, 'application/merge-patch+json');
    assert.match(changed ?? '', /^299 - "metadata.finalizers: \\"z\\": prefer [^,]*$/);
  });

  test('responses about custom resources quote a body without a kind as it was sent', async () => {
    await using server = await startTestServer();
    await define(server);
    const post = async (query: string, body: string, type = 'application/json') => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': type };
      const request = new Request(`https://localhost${THINGS}${query}`, { method: 'POST', headers, body });
      return ((await (await server.fetch(request)).json()) as { message: string }).message;
    };
    const body = `{"apiVersion": "${GROUP}/v1",  "metadata": {}}`;
    const why = `Object 'Kind' is missing in '${body}'`;
    assert.ok(
      (await post('', body)).startsWith(`the object provided is unrecognized (must be of type Thing): ${why} (`),
    );
    assert.equal(
      await post('?fieldValidation=Ignore', body),
      `Thing in version "v1" cannot be handled as a Thing: ${why}`,
    );
    const yaml = `apiVersion: ${GROUP}/v1\n`;
    assert.ok((await post('', yaml, 'application/yaml')).includes(`is missing in '${yaml}'`));
  });

  test('bookmarks of a custom resource with Scale have no replicas, and the uid in a status or Scale patch is ignored', async () => {
    await using server = await startTestServer();
    const replicas = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
    await define(server, { subresources: { status: {}, scale: replicas } });
    await server.request('POST', THINGS, thing({ spec: { size: 1 } }));
    const query = 'watch=1&timeoutSeconds=1&allowWatchBookmarks=true&fieldSelector=metadata.name=none';
    const watch = ask(server, `${THINGS}?${query}`);
    await until('the watch ends', async () => {
      server.clock?.advance('1s');
      return Promise.race([watch.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);
    });
    const [bookmark = '{}'] = (await watch).text.split('\n');
    assert.deepEqual(Object.keys(JSON.parse(bookmark).object), ['kind', 'apiVersion', 'metadata']);
    for (const path of [`${THINGS}/a/status`, `${THINGS}/a/scale`]) {
      const { status } = await server.patch(path, { metadata: { uid: 'another' } });
      assert.equal(status, 200, path);
    }
    assert.equal((await server.patch(`${THINGS}/a/scale`, { apiVersion: null })).status, 200);
    assert.equal((await ask(server, `${THINGS}/a/status/further`)).status, 200);
  });

  test('a patch of the Scale of a custom resource without replicas must set them', async () => {
    await using server = await startTestServer();
    const replicas = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
    await define(server, { subresources: { status: {}, scale: replicas } });
    await server.request('POST', THINGS, thing({}));
    const patched = async (body: object) => {
      const { status, body: answer } = await server.patch(`${THINGS}/a/scale`, body);
      return status === 200 ? status : (answer as { message: string }).message;
    };
    for (const body of [{}, { spec: {} }, { metadata: { labels: { a: 'b' } } }, { status: { replicas: 1 } }]) {
      assert.equal(await patched(body), 'the spec replicas field ".spec.size" cannot be empty');
    }
    assert.equal(await patched({ spec: { replicas: 2 } }), 200);
    assert.equal(await patched({}), 200);
  });

  test('the Table of a custom Scale without replicas has an empty cell', async () => {
    await using server = await startTestServer();
    const replicas = { specReplicasPath: '.spec.count', statusReplicasPath: '.status.ready' };
    await define(server, { subresources: { status: {}, scale: replicas }, schema: { openAPIV3Schema: ANY } });
    await server.request('POST', THINGS, thing({ spec: { count: 0 } }));
    const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const response = await server.fetch(new Request(`https://localhost${THINGS}/a/scale`, { headers }));
    const { rows } = (await response.json()) as { rows: { cells: unknown[] }[] };
    assert.deepEqual(rows[0]?.cells.slice(0, 3), ['a', null, 0]);
  });

  test('a refused update of a custom resource warns about rules that unchanged values violate', async () => {
    await using server = await startTestServer();
    const schema = (size: object, name: object) => {
      const properties = { size: { type: 'integer', ...size }, name: { type: 'string', ...name } };
      return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
    };
    const ruled = (rule: string, message: string) => ({ 'x-kubernetes-validations': [{ rule, message }] });
    await define(server, { schema: schema({}, {}) });
    await server.request('POST', THINGS, thing({ spec: { size: 1, name: 'x' } }));
    const value = schema(ruled('self != 1', 'not one'), ruled('self == oldSelf', 'kept'));
    const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${GROUP}`;
    const operation = { op: 'replace', path: '/spec/versions/0/schema', value };
    await server.patch(definition, [operation], 'application/json-patch+json');
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' };
    let name = 'y';
    const rename = () => {
      const body = JSON.stringify({ spec: { name: (name += 'y') } });
      return server.fetch(new Request(`https://localhost${THINGS}/a`, { method: 'PATCH', headers, body }));
    };
    await until('the rules hold', async () => (await rename()).status === 422);
    assert.equal(
      (await rename()).headers.get('warning'),
      String.raw`299 - "spec.size: Invalid value: \"integer\": not one"`,
    );
  });
});
