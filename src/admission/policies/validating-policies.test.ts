import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

async function bind(server: TestServer, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  const policy = { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [RULE] }, ...spec } };
  assert.equal((await server.request('POST', POLICIES, policy)).status, 201);
  const bound = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'], ...binding } };
  assert.equal((await server.request('POST', BINDINGS, bound)).status, 201);
}

async function create(server: TestServer, name: string, data: JsonObject) {
  const { status, body } = await server.request('POST', CONFIG_MAPS, { metadata: { name }, data });
  return { status, message: (body as JsonObject)['message'], reason: (body as JsonObject)['reason'] };
}

test('a ValidatingAdmissionPolicy denies requests from its binding on until the binding is deleted', async () => {
  await using server = await startTestServer();
  await bind(server, { validations: [{ expression: "object.data.mode != 'bad'", reason: 'Forbidden' }] });
  assert.deepEqual(await create(server, 'a', { mode: 'bad' }), {
    status: 403,
    reason: 'Forbidden',
    message:
      "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: " +
      "failed expression: object.data.mode != 'bad'",
  });
  assert.equal((await create(server, 'a', { mode: 'good' })).status, 201);
  await server.request('DELETE', `${BINDINGS}/b`);
  assert.equal((await create(server, 'b', { mode: 'bad' })).status, 201);
});

test('a variable of a ValidatingAdmissionPolicy is evaluated only when it is used', async () => {
  await using server = await startTestServer();
  const variables = [
    { name: 'parts', expression: "object.data.list.split(',')" },
    { name: 'never', expression: 'object.data.missing.size()' },
  ];
  const validations = [
    { expression: "!('x' in variables.parts)", messageExpression: "'found among ' + string(variables.parts.size())" },
  ];
  await bind(server, { variables, validations });
  assert.equal((await create(server, 'a', { list: 'a,b' })).status, 201);
  const { status, message } = await create(server, 'b', { list: 'a,x,b' });
  assert.equal(status, 422);
  assert.match(String(message), /denied request: found among 3$/);
});

test('a ValidatingAdmissionPolicy applies to deletions', async () => {
  await using server = await startTestServer();
  const validations = [{ expression: "request.operation != 'DELETE' || !has(oldObject.data.keep)", message: 'kept' }];
  await bind(server, { validations });
  await create(server, 'a', { keep: 'yes' });
  assert.equal((await server.request('DELETE', `${CONFIG_MAPS}/a`)).status, 422);
  await create(server, 'b', { other: 'yes' });
  assert.equal((await server.request('DELETE', `${CONFIG_MAPS}/b`)).status, 200);
});

test('an expression that fails denies the request unless the failurePolicy is Ignore', async () => {
  for (const [failurePolicy, expected] of [
    ['Fail', 422],
    ['Ignore', 201],
  ] as const) {
    await using server = await startTestServer();
    await bind(server, { failurePolicy, validations: [{ expression: "object.data.missing == 'x'" }] });
    assert.equal((await create(server, 'a', { other: 'y' })).status, expected);
  }
});

test('a ValidatingAdmissionPolicy does not apply to policies, so that a wrong one can be deleted', async () => {
  await using server = await startTestServer();
  const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  await bind(server, { matchConstraints: { resourceRules: [everything] }, validations: [{ expression: 'false' }] });
  assert.equal((await create(server, 'a', {})).status, 422);
  assert.equal((await server.request('DELETE', `${POLICIES}/p`)).status, 200);
  assert.equal((await create(server, 'a', {})).status, 201);
});

test('a ValidatingAdmissionPolicy applies to webhook configurations', async () => {
  await using server = await startTestServer();
  const rule = { apiGroups: ['admissionregistration.k8s.io'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  await bind(server, { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'false' }] });
  for (const kind of ['validating', 'mutating']) {
    const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
    const { status, body } = await server.request('POST', path, { metadata: { name: 'a' } });
    assert.equal(status, 422);
    assert.match(String((body as JsonObject)['message']), /ValidatingAdmissionPolicy 'p' with binding 'b' denied/);
  }
});

test('metrics count the denials of a ValidatingAdmissionPolicy by policy, binding and error', async () => {
  await using server = await startTestServer();
  const mode = "object.data.mode != 'bad'";
  const validations = [{ expression: mode }, { expression: mode, message: 'compilation of faults' }];
  await bind(server, { matchConditions: OWN, validations });
  await create(server, 'a', { mode: 'bad' });
  await create(server, 'b', { other: 'x' });
  for (const [error, count] of [
    ['invalid_error', 3],
    ['compile_error', 1],
  ] as const) {
    const labels = `enforcement_action="deny",error_type="${error}",policy="p",policy_binding="b"`;
    const text = await metrics(server);
    assert.ok(text.includes(`${CHECKS}{${labels}} ${count}\n`), error);
    const seconds = text.split(`${SECONDS}_sum{${labels}} `)[1]?.split('\n', 1)[0];
    assert.ok(Number(seconds) > 0, 'checks take less than a millisecond, and more than nothing');
  }
});

test('metrics count an error that a ValidatingAdmissionPolicy ignores as allowed', async () => {
  await using server = await startTestServer();
  const validations = [{ expression: "object.data.mode != 'bad'" }];
  await bind(server, { failurePolicy: 'Ignore', matchConditions: OWN, validations });
  assert.equal((await create(server, 'a', { other: 'x' })).status, 201);
  const labels = 'enforcement_action="allow",error_type="invalid_error",policy="p",policy_binding="b"';
  assert.ok((await metrics(server)).includes(`${CHECKS}{${labels}} 1\n`));
});

/** Controllers write config maps, too. */
const OWN = [{ name: 'own', expression: "object.metadata.name in ['a', 'b']" }];
const CHECKS = 'apiserver_validating_admission_policy_check_total';
const SECONDS = 'apiserver_validating_admission_policy_check_duration_seconds';

async function metrics(server: TestServer): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
}
