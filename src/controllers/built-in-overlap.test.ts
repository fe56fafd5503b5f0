import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Shadow {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

async function define(server: TestServer, { group, plural, kind, versions }: Shadow): Promise<string> {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, test-only' },
    },
    spec: {
      ...{ group, scope: 'Cluster', names: { plural, kind } },
      versions: versions.map((name, index) => ({
        ...{ name, served: true, storage: index === 0 },
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
  const path = `${DEFINITIONS}/${plural}.${group}`;
  assert.equal((await server.request('POST', DEFINITIONS, definition)).status, 201);
  await until(`${path} is established`, async () => {
    const { body } = await server.request('GET', path);
    return listAt(body as ApiObject, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
    );
  });
  return path;
}

const named = async (server: TestServer, path: string, member: string): Promise<string[]> => {
  const { body } = await server.request('GET', path);
  return listAt(body as JsonObject, member).map((each) => textAt(each, 'name') || textAt(each, 'version'));
};

test('a CustomResourceDefinition with the group and plural of a built-in resource does not affect that resource', async () => {
  await using server = await startTestServer();
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const before = ((await server.request('GET', bindings)).body as { items: ApiObject[] }).items.length;
  assert.ok(before > 0);
  const shadow = { group: 'rbac.authorization.k8s.io', plural: 'clusterrolebindings', kind: 'ClusterRoleBinding' };
  const path = await define(server, { ...shadow, versions: ['v1', 'v9'] });
  const anything = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'x' } };
  assert.equal((await server.request('POST', bindings, anything)).status, 422);
  const other = await server.request('GET', '/apis/rbac.authorization.k8s.io/v9/clusterrolebindings');
  assert.deepEqual(
    [other.status, textAt(other.body as JsonObject, 'message')],
    [404, 'the server could not find the requested resource'],
  );
  assert.equal((await server.request('DELETE', path)).status, 200);
  await until('the definition is gone', async () => (await server.request('GET', path)).status === 404);
  const after = ((await server.request('GET', bindings)).body as { items: ApiObject[] }).items.length;
  assert.equal(after, before);
});

test('a CustomResourceDefinition in a built-in group adds nothing to built-in versions in discovery and OpenAPI', async () => {
  await using server = await startTestServer();
  const group = 'networking.k8s.io';
  await define(server, { group, plural: 'foos', kind: 'Foo', versions: ['v1', 'vfake'] });
  assert.ok(!(await named(server, `/apis/${group}/v1`, 'resources')).includes('foos'));
  const document = (await server.request('GET', `/openapi/v3/apis/${group}/v1`)).body as JsonObject;
  const paths = Object.keys(at(document, 'paths') as JsonObject);
  assert.ok(paths.includes(`/apis/${group}/v1/networkpolicies`) && !paths.some((each) => each.endsWith('foos')));
  for (const version of ['v1', 'vfake']) {
    assert.equal((await server.request('GET', `/apis/${group}/${version}/foos`)).status, 404, version);
  }
  assert.equal((await server.request('GET', `/apis/${group}/vfake`)).status, 404);
  // As in Kubernetes, a version that is not built in is told of, although it is not served.
  const listed = (await server.request('GET', `/apis/${group}`)).body as JsonObject;
  assert.ok(listAt(listed, 'versions').some((each) => textAt(each, 'version') === 'vfake'));
});

test('a CustomResourceDefinition with the storage prefix of CustomResourceDefinitions is deleted without them', async () => {
  await using server = await startTestServer();
  const other = await define(server, { group: 'example.com', plural: 'bars', kind: 'Bar', versions: ['v1'] });
  const shadow = {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  };
  const path = await define(server, { ...shadow, versions: ['v1', 'v2'] });
  assert.equal((await server.request('DELETE', path)).status, 200);
  await until('the definition is gone', async () => (await server.request('GET', path)).status === 404);
  assert.equal((await server.request('GET', other)).status, 200);
  assert.equal((await server.request('GET', '/apis/example.com/v1/bars')).status, 200);
});
