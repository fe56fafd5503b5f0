// Authorization by webhooks over TLS, by policies in a file, and by several authorizers in the order that is asked for.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { startWebhook, type WebhookAnswer, type WebhookServer } from '../webhook-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-authz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(folder, `${crypto.randomUUID()}-${name}`);
  writeFileSync(path, content);
  return path;
}

function kubeconfig({ url, caBundle }: WebhookServer): string {
  return file(
    'kubeconfig',
    JSON.stringify({
      clusters: [{ name: 'hook', cluster: { server: `${url}/authorize`, 'certificate-authority-data': caBundle } }],
      contexts: [{ name: 'hook', context: { cluster: 'hook', user: '' } }],
      'current-context': 'hook',
    }),
  );
}

const tokens = file('tokens.csv', 'alice-token,alice,u1,"dev"\nbob-token,bob,u2\n');

async function ask(server: TestServer, path: string, token = 'alice-token'): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await server.fetch(new Request(`https://localhost${path}`, { headers }));
  return { status: response.status, text: await response.text() };
}

function answer(status: JsonObject, version = 'v1'): WebhookAnswer {
  return { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}`, status };
}

function configuration(hooks: readonly [hook: WebhookServer, members: JsonObject][], ...types: string[]): string {
  const webhooks = hooks.map(([hook, members], index) => ({
    type: 'Webhook',
    name: `hook-${index}.example`,
    webhook: {
      ...{ authorizedTTL: '5m', unauthorizedTTL: '30s', timeout: '3s', failurePolicy: 'NoOpinion' },
      subjectAccessReviewVersion: 'v1',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig(hook) },
      ...members,
    },
  }));
  const plain = types.map((type) => ({ type, name: type.toLowerCase() }));
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [...webhooks, ...plain],
  });
}

const PODS = '/api/v1/namespaces/default/pods';

test('an authorization webhook receives a review with selectors, and its response is cached', async () => {
  await using hook = await startWebhook(() => answer({ allowed: true, reason: 'as it likes' }, 'v1beta1'));
  await using server = await startTestServer({
    ...{ tokenAuthFile: tokens, authorizationMode: ['Webhook'] },
    authorizationWebhookConfigFile: kubeconfig(hook),
  });
  const path = `${PODS}?labelSelector=b!%3Dx,a%20in%20(2,1)&fieldSelector=spec.nodeName%3Dn1`;
  assert.equal((await ask(server, path)).status, 200);
  assert.equal((await ask(server, path)).status, 200);
  assert.equal(hook.seen.length, 1);
  const { url, review } = hook.seen[0]!;
  assert.equal(url, '/authorize?timeout=30s');
  assert.deepEqual(review['spec'], {
    resourceAttributes: {
      ...{ namespace: 'default', verb: 'list', version: 'v1', resource: 'pods' },
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['1', '2'] },
          { key: 'b', operator: 'NotIn', values: ['x'] },
        ],
      },
    },
    ...{ user: 'alice', uid: 'u1' },
    group: ['dev', 'system:authenticated'],
  });
  assert.equal((await ask(server, '/version', 'bob-token')).status, 200);
  assert.deepEqual((hook.seen[1]!.review['spec'] as JsonObject)['nonResourceAttributes'], {
    path: '/version',
    verb: 'get',
  });
});

test('a 403 contains the reasons of all authorizers, and a denial ends the chain', async () => {
  let status: JsonObject = { allowed: false, reason: 'not known here' };
  await using hook = await startWebhook(() => answer(status));
  const text = configuration([[hook, { cacheUnauthorizedRequests: false }]], 'AlwaysDeny', 'RBAC');
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: file('authz.yaml', text) });
  const message = async () => (JSON.parse((await ask(server, PODS)).text) as { message: string }).message;
  const cannot =
    'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "default"';
  assert.equal(await message(), `${cannot}: not known here\nEverything is forbidden.`);
  status = { allowed: false, denied: true, reason: 'never' };
  assert.equal(await message(), `${cannot}: never`);
  status = { allowed: true, denied: true, reason: 'both' };
  const both = await ask(server, PODS);
  assert.equal(both.status, 500);
  assert.match(
    both.text,
    /^Internal Server Error: ".*": webhook subject access review returned both allow and deny response\n$/,
  );
  assert.equal((await server.request('GET', PODS)).status, 200, 'system:masters is not asked about');
});

test('the failurePolicy decides when an authorization webhook fails, hangs or is invalid', async () => {
  const bad: [name: string, answer: () => WebhookAnswer | Promise<WebhookAnswer>, error: RegExp][] = [
    ['refuses', () => ({ status: 403, text: 'no' }), /pods": no\n$/],
    ['lies', () => ({ kind: 'Pod', apiVersion: 'v1' }), /no kind "Pod" is registered for version "v1"/],
    ['hangs', () => new Promise<never>(() => {}), /context deadline exceeded/],
  ];
  for (const [name, misbehave, error] of bad) {
    await using hook = await startWebhook(misbehave);
    for (const failurePolicy of ['NoOpinion', 'Deny']) {
      const text = configuration([[hook, { failurePolicy, timeout: '300ms' }]], 'AlwaysAllow');
      await using server = await startTestServer({
        tokenAuthFile: tokens,
        authorizationConfig: file('authz.yaml', text),
      });
      const answered = await ask(server, PODS);
      if (failurePolicy === 'NoOpinion') assert.equal(answered.status, 200, name);
      else {
        assert.equal(answered.status, 500, name);
        assert.match(answered.text, error);
      }
    }
  }
});

test('matchConditions decide for which requests an authorization webhook is called', async () => {
  await using hook = await startWebhook(() => answer({ allowed: false, denied: true, reason: 'asked' }));
  const matchConditions = [
    { expression: "has(request.resourceAttributes) && request.resourceAttributes.verb == 'list'" },
    { expression: "request.user == 'alice' && 'dev' in request.groups" },
  ];
  const text = configuration(
    [[hook, { matchConditions, matchConditionSubjectAccessReviewVersion: 'v1' }]],
    'AlwaysAllow',
  );
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: file('authz.yaml', text) });
  assert.equal((await ask(server, PODS)).status, 403);
  assert.equal((await ask(server, PODS, 'bob-token')).status, 200);
  assert.equal((await ask(server, '/version')).status, 200);
  assert.equal(hook.seen.length, 1);
  const { text: metrics } = await ask(server, '/metrics', server.token);
  assert.match(metrics, /^apiserver_authorization_match_condition_exclusions_total\{.*\} 2$/m);
  assert.match(
    metrics,
    /^apiserver_authorization_decisions_total\{decision="denied",name="hook-0.example",type="Webhook"\} 1$/m,
  );
});

test('the first matching ABAC policy of a file allows a request', async () => {
  const v1beta1 = (spec: JsonObject) =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
  const policies = [
    '# policies',
    v1beta1({ user: 'alice', namespace: 'default', resource: 'pods', apiGroup: '', readonly: true }),
    v1beta1({ group: 'dev', nonResourcePath: '/version*' }),
    '{"user":"bob","resource":"pods"}',
    'user: carol',
  ].join('\n');
  await using server = await startTestServer({
    ...{ tokenAuthFile: tokens, authorizationMode: ['ABAC'], authorizationPolicyFile: file('policies', policies) },
  });
  const codes: [path: string, token: string, status: number][] = [
    [PODS, 'alice-token', 200],
    ['/api/v1/pods', 'alice-token', 403],
    ['/version', 'alice-token', 200],
    ['/api/v1/pods', 'bob-token', 200],
    ['/version', 'bob-token', 403],
  ];
  for (const [path, token, status] of codes)
    assert.equal((await ask(server, path, token)).status, status, path + token);
  assert.match((await ask(server, '/version', 'bob-token')).text, /No policy matched\./);
  await assert.rejects(
    startTestServer({ authorizationMode: ['ABAC'], authorizationPolicyFile: file('bad', `${policies}\n{"user":1}`) }),
    /error reading policy file .*, line 6: \{"user":1\}: /,
  );
});

test('a changed AuthorizationConfiguration is reloaded, but authorizer types of other flags cannot change', async () => {
  await using hook = await startWebhook(() => answer({ allowed: false, reason: 'first' }));
  const path = file('authz.yaml', configuration([[hook, {}]], 'RBAC'));
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: path });
  assert.equal((await ask(server, PODS)).status, 403);
  const counted = async (line: RegExp) => line.test((await ask(server, '/metrics', server.token)).text);
  writeFileSync(path, configuration([[hook, {}]]));
  await until('the failure is counted', () =>
    counted(/^apiserver_authorization_config_controller_automatic_reloads_total\{.*status="failure".*\} 1$/m),
  );
  assert.equal((await ask(server, PODS)).status, 403);
  writeFileSync(path, configuration([[hook, {}]], 'RBAC', 'AlwaysAllow'));
  await until('the new chain allows', async () => (await ask(server, PODS)).status === 200);
});

test('an invalid authorization configuration ends the start in the words of kube-apiserver', async () => {
  await using hook = await startWebhook(() => answer({ allowed: true }));
  const cases: [text: string, error: RegExp][] = [
    [configuration([]), /^authorizers: Required value: at least one authorization mode must be defined$/],
    [
      configuration([], 'Other'),
      /^authorizers\[0\]\.type: Unsupported value: "Other": supported values: "ABAC", "AlwaysAllow"/,
    ],
    [configuration([], 'RBAC', 'RBAC'), /^authorizers\[1\]\.type: Duplicate value: "RBAC"$/],
    [
      configuration([[hook, { timeout: '31s' }]]),
      /^authorizers\[0\]\.timeout: Invalid value: "31s": must be > 0s and <= 30s$/,
    ],
    [
      configuration([[hook, { authorizedTTL: '-1s' }]]),
      /^authorizers\[0\]\.authorizedTTL: Invalid value: "-1s": must be > 0s$/,
    ],
    [
      configuration([[hook, { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'here' } }]]),
      /^authorizers\[0\]\.connectionInfo\.kubeConfigFile: Invalid value: "here": must be an absolute path$/,
    ],
    [
      configuration([
        [hook, { matchConditions: [{ expression: '1' }], matchConditionSubjectAccessReviewVersion: 'v1' }],
      ]),
      /^authorizers\[0\]\.matchConditions\[0\]\.expression: Invalid value: "1": must evaluate to bool but got int$/,
    ],
  ];
  for (const [text, error] of cases) {
    await assert.rejects(startTestServer({ authorizationConfig: file('bad.yaml', text) }), (thrown: Error) => {
      assert.match(thrown.message, error);
      return true;
    });
  }
});

test('a SelfSubjectRulesReview has the rules of all authorizers, and is incomplete with a webhook', async () => {
  await using hook = await startWebhook(() => answer({ allowed: true }));
  const text = configuration([[hook, {}]], 'RBAC');
  await using server = await startTestServer({ authorizationConfig: file('authz.yaml', text) });
  const { body } = await server.request('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' },
    spec: { namespace: 'default' },
  });
  const { incomplete, evaluationError, resourceRules } = (body as { status: JsonObject }).status;
  assert.equal(incomplete, true);
  assert.equal(evaluationError, 'webhook authorizer does not support user rule resolution');
  assert.ok((resourceRules as unknown[]).length > 0);
});

test('the authorizer in CEL expressions asks the whole chain, with webhooks', async () => {
  const rights: Readonly<Record<string, readonly string[]>> = {
    alice: ['create', 'paint'],
    bob: ['create'],
    carol: ['create', 'get /free'],
    'system:serviceaccount:a:painter': ['paint'],
  };
  await using hook = await startWebhook(({ review }) => {
    const { resourceAttributes, nonResourceAttributes, user } = review['spec'] as JsonObject & { user: string };
    const { verb } = (resourceAttributes ?? nonResourceAttributes) as { verb: string };
    const path = nonResourceAttributes === undefined ? '' : ` ${(nonResourceAttributes as JsonObject)['path']}`;
    return answer({ allowed: rights[user]?.includes(verb + path) === true, reason: `${user} asked to ${verb}` });
  });
  const path = file('authz.yaml', configuration([[hook, {}]], 'RBAC'));
  await using server = await startTestServer({ authorizationConfig: path, controllers: '' });
  const group = '/apis/admissionregistration.k8s.io/v1';
  const check = (who: string) =>
    `${who}.group('').resource('configmaps').namespace('default').labelSelector('a=b').check('paint')`;
  const policy = await server.request('POST', `${group}/validatingadmissionpolicies`, {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' } },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
      },
      matchConditions: [{ name: 'free', expression: "!authorizer.path('/free').check('get').allowed()" }],
      validations: [
        { expression: `${check("authorizer.serviceAccount('a', 'painter')")}.allowed()` },
        { expression: `${check('authorizer')}.reason() == request.userInfo.username + ' asked to paint'` },
        { expression: `${check('authorizer')}.allowed()`, message: 'no artist' },
      ],
    },
  });
  assert.equal(policy.status, 201, JSON.stringify(policy.body));
  await server.request('POST', `${group}/validatingadmissionpolicybindings`, {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' },
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  });
  const write = async (as: string) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      'impersonate-user': as,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    const url = 'https://x/api/v1/namespaces/default/secrets?dryRun=All';
    const answered = await server.fetch(new Request(url, { method: 'POST', headers, body }));
    return { status: answered.status, message: ((await answered.json()) as { message?: string }).message };
  };
  assert.deepEqual(await write('alice'), { status: 201, message: undefined });
  assert.deepEqual(await write('carol'), { status: 201, message: undefined });
  const refused = await write('bob');
  assert.equal(refused.status, 422);
  assert.match(refused.message ?? '', /denied request: no artist$/);
  const asked = hook.seen.map(
    ({ review }) => (review['spec'] as JsonObject)['resourceAttributes'] as JsonObject | undefined,
  );
  const painting = asked.find((each) => each?.['verb'] === 'paint');
  assert.deepEqual(painting?.['labelSelector'], { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] });
});

test('the cache times of an authorization webhook have defaults', async () => {
  await using hook = await startWebhook(() => answer({ allowed: true }));
  const text = configuration([[hook, { authorizedTTL: undefined, unauthorizedTTL: '0s' } as unknown as JsonObject]]);
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: file('authz.yaml', text) });
  assert.equal((await ask(server, PODS)).status, 200);
  assert.equal((await ask(server, PODS)).status, 200);
  assert.equal(hook.seen.length, 1);
});

test('any authorizer may allow escalate and bind, whatever the roles are', async () => {
  const policy = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy' };
  const spec = { user: 'alice', namespace: '*', resource: '*', apiGroup: '*' };
  await using server = await startTestServer({
    ...{ tokenAuthFile: tokens, authorizationMode: ['ABAC', 'RBAC'] },
    authorizationPolicyFile: file('policy', JSON.stringify({ ...policy, spec })),
  });
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const create = async (path: string, body: JsonObject) => {
    const headers = { authorization: 'Bearer alice-token', 'content-type': 'application/json' };
    const url = `https://localhost${path}`;
    return (await server.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))).status;
  };
  assert.equal(await create(`${rbac}/clusterroles`, { metadata: { name: 'all' }, rules: [everything] }), 201);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  assert.equal(await create(`${rbac}/clusterrolebindings`, { metadata: { name: 'all' }, roleRef }), 201);
});

test('a webhook response may omit its apiVersion and kind, but all its fields need the right types', async () => {
  let response: WebhookAnswer = {};
  await using hook = await startWebhook(() => response);
  const text = configuration([[hook, { cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false }]], 'RBAC');
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: file('authz.yaml', text) });
  const statusOf = async (answered: WebhookAnswer) => {
    response = answered;
    return (await ask(server, PODS)).status;
  };
  const allowed = { status: { allowed: true } };
  assert.equal(await statusOf(allowed), 200);
  assert.equal(await statusOf({ ...allowed, apiVersion: 'authorization.k8s.io/v1' }), 200);
  assert.equal(await statusOf({ ...allowed, kind: 'SubjectAccessReview' }), 200);
  assert.equal(await statusOf({}), 403, 'no opinion');
  assert.equal(await statusOf({ ...allowed, kind: 'Other' }), 500);
  response = { status: { allowed: true, reason: 5 } };
  const fault =
    'json: cannot unmarshal number into Go struct field SubjectAccessReviewStatus.status.reason of type string';
  assert.equal((await ask(server, PODS)).text, `Internal Server Error: "${PODS}": ${fault}\n`);
});

test('a SubjectAccessReview without a version is authorized for version *', async () => {
  await using hook = await startWebhook(() => answer({ allowed: true }));
  const text = configuration([[hook, {}]]);
  await using server = await startTestServer({ tokenAuthFile: tokens, authorizationConfig: file('authz.yaml', text) });
  const review = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const resourceAttributes = { verb: 'get', resource: 'pods' };
  await server.request('POST', review, { spec: { user: 'zoe', resourceAttributes } });
  const asked = hook.seen.map(({ review: { spec } }) => spec as JsonObject).find(({ user }) => user === 'zoe');
  assert.deepEqual(asked?.['resourceAttributes'], { ...resourceAttributes, version: '*' });
});
