import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: JsonObject;
}

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string;
  /** Whom to act as. */
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

async function ask(server: TestServer, path: string, asked: Ask = {}): Promise<Answer> {
  const { body, token = server.token, method = body === undefined ? 'GET' : 'POST' } = asked;
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(asked.as === undefined ? {} : { 'impersonate-user': asked.as }),
    ...asked.headers,
  };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { status: response.status, type, body: type.includes('json') ? JSON.parse(text) : { text } };
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEW = '/apis/authorization.k8s.io/v1';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const MAPS = '/api/v1/namespaces/default/configmaps';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

async function grant(server: TestServer, name: string, rules: object[], user: string): Promise<void> {
  const namespace = 'namespaces/default';
  const role = await ask(server, `${RBAC}/${namespace}/roles`, { body: { metadata: { name }, rules } });
  const subjects = [{ kind: 'User', name: user }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const body = { metadata: { name: name || 'unnamed' }, subjects, roleRef };
  const binding = await ask(server, `${RBAC}/${namespace}/rolebindings`, { body });
  assert.deepEqual([role.status, binding.status], [201, 201]);
}

const readMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };

function messageOf({ body }: Answer): string {
  return String(body['message']);
}

function userOf({ body }: Answer): JsonObject {
  return (body['status'] as JsonObject)['userInfo'] as JsonObject;
}

async function tokenFor(server: TestServer, name: string, spec: object = {}): Promise<string> {
  await ask(server, ACCOUNTS, { body: { metadata: { name } } });
  const { status, body } = await ask(server, `${ACCOUNTS}/${name}/token`, { body: { spec } });
  assert.equal(status, 201, JSON.stringify(body));
  return String((body['status'] as JsonObject)['token']);
}

test('a right counts from the moment its binding is written, and ends with it', async () => {
  await using server = await startTestServer();
  assert.equal((await ask(server, MAPS, { as: 'uma' })).status, 403);
  await grant(server, 'r', [readMaps], 'uma');
  assert.equal((await ask(server, MAPS, { as: 'uma' })).status, 200);
  assert.equal((await ask(server, '/api/v1/configmaps', { as: 'uma' })).status, 403);
  await ask(server, `${RBAC}/namespaces/default/rolebindings/r`, { method: 'DELETE' });
  assert.equal((await ask(server, MAPS, { as: 'uma' })).status, 403);
});

test('an update that creates needs the right to create', async () => {
  await using server = await startTestServer();
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  await grant(server, 'r', [{ ...leases, verbs: ['update'] }], 'uma');
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
  const put = { method: 'PUT', body: { metadata: { name: 'l' } }, as: 'uma' };
  assert.match(messageOf(await ask(server, path, put)), /cannot create resource "leases"/);
  await grant(server, 'more', [{ ...leases, verbs: ['create'] }], 'uma');
  assert.equal((await ask(server, path, put)).status, 201);
});

test('users cannot grant permissions that they do not have, unless they may escalate or bind', async () => {
  await using server = await startTestServer();
  const write = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create'] };
  await grant(server, 'r', [readMaps, write], 'uma');
  const roles = `${RBAC}/namespaces/default/roles`;
  const role = (verbs: string[]) => ({ metadata: { name: 'made' }, rules: [{ ...readMaps, verbs }] });
  const refused = await ask(server, roles, { body: role(['get', 'watch']), as: 'uma' });
  assert.equal(refused.status, 403);
  assert.equal(
    messageOf(refused),
    'roles.rbac.authorization.k8s.io "made" is forbidden: user "uma" (groups=["system:authenticated"]) is attempting ' +
      'to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["watch"]}',
  );
  assert.equal((await ask(server, roles, { body: role(['get']), as: 'uma' })).status, 201);
  const bind = (kind: string, name: string) => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
    const body = { metadata: { name: name || 'unnamed' }, subjects: [{ kind: 'User', name: 'zoe' }], roleRef };
    return ask(server, `${RBAC}/namespaces/default/rolebindings`, { body, as: 'uma' });
  };
  assert.equal((await bind('Role', 'made')).status, 201);
  assert.match(messageOf(await bind('Role', 'absent')), /^rolebindings.* "absent" not found$/);
  assert.equal(messageOf(await bind('Role', '')), 'Name parameter required.');
  assert.match(messageOf(await bind('ClusterRole', 'view')), /attempting to grant/);
  const more = [
    { ...write, resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['view'] },
    { ...write, resources: ['roles'], verbs: ['escalate'] },
  ];
  await grant(server, 'more', more, 'uma');
  assert.equal((await bind('ClusterRole', 'view')).status, 201);
  const any = { metadata: { name: 'any' }, rules: [{ ...readMaps, verbs: ['*'] }] };
  assert.equal((await ask(server, roles, { body: any, as: 'uma' })).status, 201);
});

test('a role that sums up others is for those who hold everything', async () => {
  await using server = await startTestServer();
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] }];
  await ask(server, `${RBAC}/clusterroles`, { body: { metadata: { name: 'writer' }, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' };
  const binding = { metadata: { name: 'writer' }, subjects: [{ kind: 'User', name: 'uma' }], roleRef };
  await ask(server, `${RBAC}/clusterrolebindings`, { body: binding });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const body = { metadata: { name: 'sum' }, rules: [], aggregationRule };
  assert.match(messageOf(await ask(server, `${RBAC}/clusterroles`, { body, as: 'uma' })), /must have cluster-admin/);
});

test('reviews tell who may do what, and by which binding', async () => {
  await using server = await startTestServer();
  await grant(server, 'r', [readMaps], 'uma');
  const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'configmaps' };
  const spec = { user: 'uma', resourceAttributes };
  const allowed = await ask(server, `${REVIEW}/subjectaccessreviews`, { body: { spec } });
  assert.equal(allowed.status, 201);
  const { managedFields, ...metadata } = allowed.body['metadata'] as JsonObject;
  const owned = (managedFields as readonly JsonObject[]).map(({ fieldsV1 }) => Object.keys(fieldsV1 as JsonObject));
  assert.deepEqual(owned, [['f:spec']]);
  assert.deepEqual(
    { ...allowed.body, metadata },
    {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec,
      status: { allowed: true, reason: 'RBAC: allowed by RoleBinding "r/default" of Role "r" to User "uma"' },
    },
  );
  const own = { body: { spec: { resourceAttributes: { ...resourceAttributes, verb: 'delete' } } }, as: 'uma' };
  const self = await ask(server, `${REVIEW}/selfsubjectaccessreviews`, own);
  assert.deepEqual(self.body['status'], { allowed: false });
  const local = `${REVIEW}/namespaces/default/localsubjectaccessreviews`;
  assert.equal(((await ask(server, local, { body: { spec } })).body['status'] as JsonObject)['allowed'], true);
  const elsewhere = { spec: { ...spec, resourceAttributes: { ...resourceAttributes, namespace: 'other' } } };
  assert.equal((await ask(server, local, { body: elsewhere })).status, 422);
  const absent = local.replace('default', 'other');
  assert.equal((await ask(server, absent, { body: elsewhere })).status, 201);
  assert.match(
    messageOf(await ask(server, `${REVIEW}/subjectaccessreviews`, { body: {} })),
    /^\.authorization\.k8s\.io/,
  );
});

test('a selector with an unknown operator is ignored, which the review says', async () => {
  await using server = await startTestServer();
  const fieldSelector = { requirements: [{ key: 'a', operator: 'Near', values: ['b'] }] };
  const spec = { user: 'uma', resourceAttributes: { verb: 'get', resource: 'pods', fieldSelector } };
  const { body } = await ask(server, `${REVIEW}/subjectaccessreviews`, { body: { spec } });
  const evaluationError = 'spec.resourceAttributes.fieldSelector ignored due to parse error';
  assert.deepEqual(body['status'], { allowed: false, evaluationError });
});

test('a review of both a resource and a path shows the whole path attributes', async () => {
  await using server = await startTestServer();
  const spec = { user: 'uma', resourceAttributes: { verb: 'list' }, nonResourceAttributes: { path: '/' } };
  const { body } = await ask(server, `${REVIEW}/subjectaccessreviews`, { body: { spec } });
  assert.match(String(body['message']), /Invalid value: \{"Path":"\/","Verb":""\}: cannot be specified/);
});

test('a review of rules lists what a user holds in a namespace', async () => {
  await using server = await startTestServer();
  await grant(server, 'r', [readMaps], 'uma');
  const rulesIn = async (namespace: string) => {
    const { body } = await ask(server, `${REVIEW}/selfsubjectrulesreviews`, {
      body: { spec: { namespace } },
      as: 'uma',
    });
    return body;
  };
  const held = await rulesIn('default');
  assert.deepEqual(held['spec'], {});
  const { resourceRules, incomplete } = held['status'] as JsonObject;
  assert.equal(incomplete, false);
  const granted = { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] };
  const has = (rules: unknown) => JSON.stringify(rules).includes(JSON.stringify(granted));
  assert.ok(has(resourceRules));
  assert.ok(!has((await rulesIn('kube-system'))['status']));
  assert.equal((await rulesIn(''))['message'], 'no namespace on request');
});

test('a review of rules says that those of a node are not all', async () => {
  await using server = await startTestServer();
  const rulesOf = async (groups: string) => {
    const headers = { 'impersonate-group': groups };
    const { body } = await ask(server, `${REVIEW}/selfsubjectrulesreviews`, {
      body: { spec: { namespace: 'default' } },
      as: 'system:node:n',
      headers,
    });
    const { incomplete, evaluationError } = body['status'] as JsonObject;
    return [incomplete, evaluationError];
  };
  assert.deepEqual(await rulesOf('system:nodes'), [true, 'node authorizer does not support user rule resolution']);
  assert.deepEqual(await rulesOf('others'), [false, undefined]);
});

test('who acts as somebody else needs a right for each thing they name', async () => {
  await using server = await startTestServer();
  const become = await ask(server, WHO, { body: {}, as: 'zoe', headers: { 'impersonate-group': 'ops' } });
  assert.deepEqual(userOf(become), { username: 'zoe', groups: ['ops', 'system:authenticated'] });
  const token = await tokenFor(server, 'robot');
  const answer = await ask(server, WHO, { body: {}, as: 'zoe', token });
  assert.equal(answer.status, 403);
  assert.match(messageOf(answer), /^users "zoe" is forbidden: User "system:serviceaccount:default:robot" cannot imp/);
  const alone = await ask(server, WHO, { body: {}, headers: { 'impersonate-group': 'ops' } });
  assert.deepEqual([alone.status, alone.type], [500, 'text/plain; charset=utf-8']);
});

test('groups with commas come through HTTP/2 as they are', async () => {
  await using server = await startTestServer({ listen: true });
  const session = connect(server.url, { rejectUnauthorized: false });
  const stream = session.request({
    ':method': 'POST',
    ':path': WHO,
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'impersonate-user': 'zoe',
    'impersonate-group': ['cn=a, ou=b', 'c'],
  });
  stream.end('{}');
  const text = (await stream.setEncoding('utf8').toArray()).join('');
  session.close();
  const { groups } = ((JSON.parse(text) as JsonObject)['status'] as { userInfo: JsonObject }).userInfo;
  assert.deepEqual(groups, ['cn=a, ou=b', 'c', 'system:authenticated']);
});

test('a requested token is valid until its account is deleted', async () => {
  await using server = await startTestServer();
  const token = await tokenFor(server, 'robot');
  const who = userOf(await ask(server, WHO, { body: {}, token }));
  assert.equal(who['username'], 'system:serviceaccount:default:robot');
  assert.equal((await ask(server, MAPS, { token })).status, 403);
  await ask(server, `${ACCOUNTS}/robot`, { method: 'DELETE' });
  assert.equal((await ask(server, MAPS, { token })).status, 401);
});

test('a token is reviewed for the audiences asked about', async () => {
  await using server = await startTestServer();
  const token = await tokenFor(server, 'robot', { audiences: ['vault'] });
  const review = async (spec: object) => {
    const { body } = await ask(server, '/apis/authentication.k8s.io/v1/tokenreviews', { body: { spec } });
    return body['status'] as JsonObject;
  };
  assert.match(String((await review({ token }))['error']), /^\[invalid bearer token, token audiences \["vault"\]/);
  const found = await review({ token, audiences: ['vault'] });
  assert.deepEqual([found['authenticated'], found['audiences']], [true, ['vault']]);
  const admin = await review({ token: server.token });
  assert.deepEqual(admin['audiences'], ['https://kubernetes.default.svc']);
  assert.deepEqual(await review({ token: 'x' }), { user: {}, error: 'invalid bearer token' });
});

test('a secret of the token type gets a token, and goes with its account', async () => {
  await using server = await startTestServer();
  await ask(server, ACCOUNTS, { body: { metadata: { name: 'robot' } } });
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const secrets = '/api/v1/namespaces/default/secrets';
  const body = { metadata: { name: 's', annotations }, type: 'kubernetes.io/service-account-token' };
  await ask(server, secrets, { body });
  let token = '';
  await until('the token is there', async () => {
    const { data } = (await ask(server, `${secrets}/s`)).body as { data?: Record<string, string> };
    token = Buffer.from(data?.['token'] ?? '', 'base64').toString();
    return token !== '';
  });
  const who = userOf(await ask(server, WHO, { body: {}, token }));
  assert.equal(who['username'], 'system:serviceaccount:default:robot');
  await ask(server, `${ACCOUNTS}/robot`, { method: 'DELETE' });
  await until('the secret is gone', async () => (await ask(server, `${secrets}/s`)).status === 404);
});

test('the keys of tokens are published, in their own media type alone', async () => {
  await using server = await startTestServer();
  const token = await tokenFor(server, 'robot');
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string };
  const keys = await ask(server, '/openid/v1/jwks');
  assert.equal(keys.type, 'application/jwk-set+json');
  assert.equal((keys.body['keys'] as JsonObject[])[0]?.['kid'], kid);
  const headers = { accept: 'application/json' };
  assert.equal((await ask(server, '/openid/v1/jwks', { headers })).status, 406);
  const { body } = await ask(server, '/.well-known/openid-configuration');
  assert.equal(body['issuer'], 'https://kubernetes.default.svc');
});

test('the options name the issuer and the audiences', async () => {
  await using server = await startTestServer({ serviceAccountIssuer: 'https://me', apiAudiences: ['api', 'more'] });
  const token = await tokenFor(server, 'robot');
  const { iss, aud } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as JsonObject;
  assert.deepEqual([iss, aud], ['https://me', ['api', 'more']]);
  assert.equal((await ask(server, MAPS, { token })).status, 403);
  assert.equal((await ask(server, '/.well-known/openid-configuration')).body['issuer'], 'https://me');
});

test('reviews, tokens, bindings and evictions are not rows of tables; of the first two there is metadata', async () => {
  await using server = await startTestServer();
  const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
  const pods = '/api/v1/namespaces/default/pods';
  await ask(server, ACCOUNTS, { body: { metadata: { name: 'account' } } });
  const containers = [{ name: 'c', image: 'x' }];
  const spec = { containers, serviceAccountName: 'account', automountServiceAccountToken: false };
  await ask(server, pods, { body: { metadata: { name: 'pod' }, spec } });
  const metadata = { name: 'pod' };
  const asked = [
    { path: `${REVIEW}/selfsubjectaccessreviews`, body: review, form: 'PartialObjectMetadata' },
    { path: `${ACCOUNTS}/account/token`, body: { spec: {} }, form: 'PartialObjectMetadata' },
    { path: `${pods}/pod/binding`, body: { metadata, target: { kind: 'Node', name: 'n' } }, form: 'Status' },
    { path: `${pods}/pod/eviction`, body: { metadata }, form: 'Status' },
  ];
  for (const { path, body, form } of asked) {
    const as = (kind: string, rest = '') => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1${rest}` });
    const table = await ask(server, path, { body, headers: as('Table') });
    assert.deepEqual([path, table.status, table.body['reason']], [path, 406, 'NotAcceptable']);
    const made = await ask(server, path, { body, headers: as('PartialObjectMetadata') });
    assert.deepEqual([path, made.status, made.body['kind']], [path, 201, form]);
  }
  const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json' };
  const whole = await ask(server, `${REVIEW}/selfsubjectaccessreviews`, { body: review, headers });
  assert.deepEqual([whole.status, whole.body['kind']], [201, 'SelfSubjectAccessReview']);
});
