// Bodies that a client may send to harm others: those that nest deep or repeat without end, policies that read for their author.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/until.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Sent {
  readonly method: string;
  readonly body: string;
  readonly type?: string;
  readonly as?: string;
}

async function send(server: TestServer, path: string, { method, body, type, as }: Sent): Promise<JsonObject> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${server.token}`,
    'content-type': type ?? 'application/json',
    ...(as === undefined ? {} : { 'impersonate-user': as }),
  };
  const response = await server.fetch(new Request(`https://localhost${path}`, { method, headers, body }));
  return (await response.json()) as JsonObject;
}

describe('a deeply nested body', () => {
  const lists = `${'['.repeat(9_000)}1${']'.repeat(9_000)}`;
  const objects = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
  for (const [what, value] of Object.entries({ lists, objects })) {
    const named = `"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}`;
    const bodies: [type: string, body: string][] = [
      ['application/merge-patch+json', `{"data":{"x":${value}}}`],
      ['application/strategic-merge-patch+json', `{"data":{"x":${value}}}`],
      ['application/json-patch+json', `[{"op":"add","path":"/data/x","value":${value}}]`],
      ['application/json-patch+json', `[{"op":"test","path":"/data/x","value":${value}}]`],
      ['application/apply-patch+yaml', `{${named},"data":{"x":${value}}}`],
    ];
    for (const [type, body] of bodies) {
      test(`a deeply nested body is a client error, with ${what} in ${type}: ${body.slice(0, 14)}`, async () => {
        await using server = await startTestServer();
        await server.request('POST', MAPS, { metadata: { name: 'a' }, data: {} });
        const answer = await send(server, `${MAPS}/a?fieldManager=m`, { method: 'PATCH', body, type });
        assert.ok(
          (answer['code'] as number) < 500 || answer['reason'] === undefined,
          JSON.stringify(answer).slice(0, 300),
        );
      });
    }
  }
});

test('a patch may nest ten thousand levels, and one that overflows the stack is rejected without side effects', async () => {
  await using server = await startTestServer();
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.deep.example' },
    spec: {
      ...{ group: 'deep.example', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const things = '/apis/deep.example/v1/namespaces/default/things';
  const thing = { apiVersion: 'deep.example/v1', kind: 'Thing', metadata: { name: 'a' } };
  await until('the definition is served', async () => {
    server.clock?.advance('1s');
    return (await server.request('POST', things, thing)).status === 201;
  });
  const spec = (depth: number) => `{"spec":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  const patch = (depth: number) =>
    send(server, `${things}/a?dryRun=All`, {
      method: 'PATCH',
      type: 'application/merge-patch+json',
      body: spec(depth),
    });
  assert.equal((await patch(1_000)).kind, 'Thing');
  assert.equal((await patch(9_900)).kind, 'Thing');
  const body = `{"apiVersion":"deep.example/v1","kind":"Thing","metadata":{"name":"b"},${spec(9_900).slice(1)}`;
  const created = await send(server, `${things}?dryRun=All`, { method: 'POST', type: 'application/json', body });
  assert.equal(created.message, 'the object nests too deep for this request');
  assert.equal((await patch(1_000)).kind, 'Thing');
});

test('tens of thousands of ownerReferences are deduplicated in linear time', async () => {
  await using server = await startTestServer();
  const owner = (uid: number) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: `u${uid}` });
  const ownerReferences = Array.from({ length: 20_000 }, (_, index) => owner(index % 19_999));
  const start = process.cpuUsage();
  const { status, body } = await server.request('POST', MAPS, { metadata: { name: 'a', ownerReferences } });
  assert.ok(process.cpuUsage(start).user < 5_000_000);
  assert.equal(status, 201);
  assert.equal((body as { metadata: { ownerReferences: unknown[] } }).metadata.ownerReferences.length, 19_999);
});

describe('the right to read the parameters of an admission policy', () => {
  const secrets = { apiVersion: 'v1', kind: 'Secret' };
  const policy = (name: string, paramKind?: object) => {
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
    const spec = { paramKind, matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] };
    return JSON.stringify({ metadata: { name }, spec });
  };
  const binding = (name: string, policyName: string, reference: object) => {
    const paramRef = { parameterNotFoundAction: 'Deny', ...reference };
    return JSON.stringify({ metadata: { name }, spec: { policyName, paramRef, validationActions: ['Deny'] } });
  };
  const one = { name: 's', namespace: 'default' };

  async function withRights(...rules: object[]): Promise<TestServer> {
    const server = await startTestServer();
    const own = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] };
    await server.request('POST', `${RBAC}/clusterroles`, { metadata: { name: 'r' }, rules: [own, ...rules] });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
    const subjects = [{ kind: 'User', name: 'uma', apiGroup: 'rbac.authorization.k8s.io' }];
    await server.request('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'r' }, roleRef, subjects });
    await server.request('POST', POLICIES, JSON.parse(policy('theirs', secrets)));
    return server;
  }

  const who = 'user &{uma  [system:authenticated] map[]}';
  const least = `to determine minimum required permissions and ${who} does not have "get" permission for all groups`;
  const refused: [what: string, path: string, body: string, why: string][] = [
    ['a policy', POLICIES, policy('p', secrets), `spec.paramKind: Forbidden: ${who} must have "get" permission on all`],
    [
      'a binding by name',
      BINDINGS,
      binding('b', 'theirs', one),
      `spec.paramRef: Forbidden: ${who} does not have "get" permission on the`,
    ],
    [
      'a binding by label selector',
      BINDINGS,
      binding('b', 'theirs', { selector: {} }),
      `${who} does not have "list" permission`,
    ],
    ['a binding of a missing policy', BINDINGS, binding('b', 'none', one), `unable to get policy none ${least}`],
  ];
  for (const [what, path, body, why] of refused) {
    test(`the right to read the parameters of an admission policy is needed for ${what}`, async () => {
      await using server = await withRights();
      const answer = await send(server, path, { method: 'POST', body, as: 'uma' });
      assert.equal(answer['code'], 422);
      assert.ok(String(answer['message']).includes(why), String(answer['message']));
    });
  }

  test('the right to read the parameters of an admission policy is needed for an update that names other parameters, and for no other update', async () => {
    await using server = await withRights();
    const type = 'application/merge-patch+json';
    const patch = (body: object) => ({ method: 'PATCH', body: JSON.stringify(body), type, as: 'uma' });
    await send(server, POLICIES, { method: 'POST', body: policy('mine'), as: 'uma' });
    const named = await send(server, `${POLICIES}/mine`, patch({ spec: { paramKind: secrets } }));
    assert.equal(named['code'], 422);
    const labelled = await send(server, `${POLICIES}/theirs`, patch({ metadata: { labels: { a: 'b' } } }));
    assert.equal(labelled['kind'], 'ValidatingAdmissionPolicy');
  });

  test('the right to read the parameters of an admission policy suffices for policies and bindings', async () => {
    await using server = await withRights({ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] });
    for (const [path, body] of [
      [POLICIES, policy('p', secrets)],
      [BINDINGS, binding('b', 'p', one)],
      [BINDINGS, binding('c', 'p', { selector: {} })],
    ] as const) {
      const answer = await send(server, path, { method: 'POST', body, as: 'uma' });
      assert.equal((answer['metadata'] as JsonObject)['name'] !== undefined, true, JSON.stringify(answer));
    }
  });
});
