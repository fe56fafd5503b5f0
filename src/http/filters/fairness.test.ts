import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing.ts';

const FLOW_CONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** Users by their tokens, each in the group of all who are known. */
const users = ['alice', 'bob'].map((name) => ({
  name,
  uid: '',
  groups: ['system:authenticated'],
  extra: {},
}));

/** A server on which alice and bob share a level with one seat and `queueLength` places to wait. */
async function narrowServer(queueLength: number, options: TestServerOptions = {}) {
  const clock = new ManualClock();
  const authenticateToken = (token: string) => users.find(({ name }) => name === token);
  const server = await startTestServer(
    { maxRequestsInFlight: 4, maxMutatingRequestsInFlight: 0, ...options },
    { clock, tokens: [{ permanent: true, authenticateToken }, administrator] },
  );
  const admin = asUser(server, 'root');
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: queueLength };
  const limitResponse = queueLength === 0 ? { type: 'Reject' } : { type: 'Queue', queuing };
  const limited = { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse };
  await admin('POST', `${FLOW_CONTROL}/prioritylevelconfigurations`, {
    metadata: { name: 'narrow' },
    spec: { type: 'Limited', limited },
  });
  await admin('POST', `${FLOW_CONTROL}/flowschemas`, {
    metadata: { name: 'narrow' },
    spec: {
      priorityLevelConfiguration: { name: 'narrow' },
      matchingPrecedence: 50,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map(({ name }) => ({ kind: 'User', user: { name } })),
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  });
  await admin('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'all' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: users.map(({ name }) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
  });
  return { server, clock, admin };
}

const administrator = {
  permanent: true,
  authenticateToken: (token: string) =>
    token === 'root' ? { name: 'root', uid: '', groups: ['system:masters'], extra: {} } : undefined,
};

function asUser(server: TestServer, token: string) {
  return (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(signal === undefined ? {} : { signal }) };
    const content = body === undefined ? {} : { body: body instanceof ReadableStream ? body : JSON.stringify(body) };
    return server.fetch(
      new Request(`https://localhost${path}`, { ...init, ...content, duplex: 'half' } as RequestInit),
    );
  };
}

/** A write that holds its seat until it is told to end: its body does not come. */
function heldWrite(send: ReturnType<typeof asUser>) {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      end = () => {
        controller.enqueue(new TextEncoder().encode('{}'));
        controller.close();
      };
    },
  });
  const answer = send('POST', '/api/v1/namespaces/default/configmaps', body);
  return { answer, end: () => end() };
}

async function levelRow(admin: ReturnType<typeof asUser>): Promise<string[]> {
  const text = await (await admin('GET', '/debug/api_priority_and_fairness/dump_priority_levels')).text();
  return text
    .split('\n')
    .find((row) => row.startsWith('narrow'))!
    .split(/, */);
}

test('responses to authenticated requests have the UIDs of the flow schema and priority level, 403 and 404, too', async () => {
  await using server = await startTestServer();
  const headers = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];
  const told = async (path: string, authorization?: string) => {
    const init = authorization === undefined ? {} : { headers: { authorization } };
    const response = await server.fetch(new Request(`https://localhost${path}`, init));
    return [response.status, ...headers.map((name) => response.headers.has(name))];
  };
  assert.deepEqual(await told('/api/v1/namespaces/default', `Bearer ${server.token}`), [200, true, true]);
  assert.deepEqual(await told('/api/v1/namespaces/none', `Bearer ${server.token}`), [404, true, true]);
  assert.deepEqual(await told('/api/v1/nodes'), [403, true, true]);
  assert.deepEqual(await told('/api/v1/nodes', 'Bearer nonsense'), [401, false, false]);
  assert.deepEqual(await told('/api/v1/namespaces/default/pods/x/log', `Bearer ${server.token}`), [404, false, false]);
});

test('a request without a free seat waits, is served when one is free, and leaves when its client does', async () => {
  const { server, admin } = await narrowServer(5);
  await using _ = server;
  const [alice, bob] = [asUser(server, 'alice'), asUser(server, 'bob')];
  const held = heldWrite(alice);
  await until('the write has the seat', async () => (await levelRow(admin))[5] === '1');
  const waiting = bob('GET', '/api/v1/namespaces/default');
  const leaver = new AbortController();
  const leaving = bob('GET', '/api/v1/namespaces/default', undefined, leaver.signal);
  await until('two wait', async () => (await levelRow(admin))[4] === '2');
  leaver.abort();
  await assert.rejects(leaving);
  await until('one waits', async () => (await levelRow(admin))[4] === '1');
  held.end();
  await held.answer;
  assert.equal((await waiting).status, 200);
  await until('nobody is there', async () => (await levelRow(admin))[2] === 'true');
  const [, , , , inQueue, executing, , rejected, , cancelled] = await levelRow(admin);
  assert.deepEqual([inQueue, executing, rejected, cancelled], ['0', '0', '1', '1']);
});

test('a request that waits longer than a quarter of its deadline is rejected', async () => {
  const { server, clock, admin } = await narrowServer(5);
  await using _ = server;
  const held = heldWrite(asUser(server, 'alice'));
  await until('the write has the seat', async () => (await levelRow(admin))[5] === '1');
  const waiting = asUser(server, 'bob')('GET', '/api/v1/namespaces/default');
  await until('one waits', async () => (await levelRow(admin))[4] === '1');
  clock.advance(15_000);
  const refused = await waiting;
  assert.equal(refused.status, 429);
  held.end();
  await held.answer;
  const metrics = await (await admin('GET', '/metrics')).text();
  assert.match(metrics, /flowcontrol_rejected_requests_total\{.*priority_level="narrow",reason="time-out"\} 1\n/);
  assert.match(metrics, /flowcontrol_request_wait_duration_seconds_sum\{execute="true",.*"narrow"\} 15\n/);
});

test('a 429 is plain text with Retry-After', async () => {
  const { server, admin } = await narrowServer(0);
  await using _ = server;
  const held = heldWrite(asUser(server, 'alice'));
  await until('the write has the seat', async () => (await levelRow(admin))[5] === '1');
  const refused = await asUser(server, 'bob')('GET', '/api/v1/namespaces/default');
  assert.deepEqual(
    [refused.status, refused.headers.get('content-type'), refused.headers.get('retry-after'), await refused.text()],
    [429, 'text/plain; charset=utf-8', '1', 'Too many requests, please try again later.\n'],
  );
  // Others are not concerned.
  assert.equal((await admin('GET', '/api/v1/namespaces/default')).status, 200);
  held.end();
  await held.answer;
  const metrics = await (await admin('GET', '/metrics')).text();
  assert.match(metrics, /apiserver_request_total\{code="429",.*resource="namespaces",.*\} 1\n/);
  assert.match(metrics, /apiserver_request_terminations_total\{code="429",.*resource="namespaces",.*\} 1\n/);
});

test('if many requests are rejected within a second, further rejections are delayed without delaying others', async () => {
  const { server, clock, admin } = await narrowServer(0);
  await using _ = server;
  const [alice, bob] = [asUser(server, 'alice'), asUser(server, 'bob')];
  const held = heldWrite(alice);
  await until('the write has the seat', async () => (await levelRow(admin))[5] === '1');
  const refused = () => bob('GET', '/api/v1/namespaces/default');
  clock.advance(1000);
  for (let count = 0; count < limits.promptRefusals; count++) assert.equal((await refused()).status, 429);
  let told = 0;
  const later = Array.from({ length: limits.lateRefusalSteps }, async () => {
    assert.equal((await refused()).status, 429);
    told++;
  });
  // The administrator's level refuses nobody; the dump passes behind them.
  const count = String(limits.promptRefusals + limits.lateRefusalSteps);
  await until('all are refused', async () => (await levelRow(admin))[7] === count);
  assert.equal(told, 0);
  clock.advance((limits.lateRefusalMs * 3) / 4);
  await until('half of them are told', async () => told >= limits.lateRefusalSteps / 2 - 1);
  assert.ok(told <= limits.lateRefusalSteps / 2 + 1, `${told}`);
  clock.advance(limits.lateRefusalMs / 4);
  await Promise.all(later);
  // In another second few have been refused again.
  clock.advance(1000);
  assert.equal((await refused()).status, 429);
  held.end();
  await held.answer;
});

test('a watch gives its seat back when its initial events have been sent', async () => {
  const { server, admin } = await narrowServer(0);
  await using _ = server;
  const alice = asUser(server, 'alice');
  for (const query of ['watch=1', 'watch=1&resourceVersion=1&allowWatchBookmarks=1']) {
    const leaver = new AbortController();
    const watch = await alice('GET', `/api/v1/namespaces?${query}`, undefined, leaver.signal);
    assert.ok(watch.status === 200 || watch.status === 410, `${watch.status}`);
    await until('the seat is free', async () => (await levelRow(admin))[5] === '0');
    assert.equal((await alice('GET', '/api/v1/namespaces/default')).status, 200);
    await until('the seat is free again', async () => (await levelRow(admin))[5] === '0');
    leaver.abort();
  }
});

test('a request past its deadline gives its seat back once', async () => {
  const { server, clock, admin } = await narrowServer(0);
  await using _ = server;
  const held = heldWrite(asUser(server, 'alice'));
  await until('the write has the seat', async () => (await levelRow(admin))[5] === '1');
  clock.advance(61_000);
  assert.ok((await held.answer).status >= 408);
  await until('the seat is free', async () => (await levelRow(admin))[5] === '0');
  assert.equal((await asUser(server, 'bob')('GET', '/api/v1/namespaces/default')).status, 200);
  await until('the seat is free again', async () => (await levelRow(admin))[5] === '0');
  assert.match(await (await admin('GET', '/metrics')).text(), /current_executing_seats\{.*"narrow"\} 0\n/);
});

test('without priority and fairness the in-flight limits apply, except to administrators', async () => {
  const authenticateToken = (token: string) => users.find(({ name }) => name === token);
  await using server = await startTestServer(
    { enablePriorityAndFairness: false, maxRequestsInFlight: 1, maxMutatingRequestsInFlight: 1 },
    { tokens: [{ permanent: true, authenticateToken }, administrator] },
  );
  const [alice, admin] = [asUser(server, 'alice'), asUser(server, 'root')];
  const held = heldWrite(admin);
  await until('writes are refused', async () => {
    const response = await alice('POST', '/api/v1/namespaces', {});
    return response.status === 429 && response.headers.get('retry-after') === '1';
  });
  assert.equal((await alice('GET', '/api/v1/namespaces')).status, 403);
  assert.notEqual((await admin('POST', '/api/v1/namespaces', {})).status, 429);
  held.end();
  await held.answer;
  const metrics = await (await admin('GET', '/metrics')).text();
  assert.doesNotMatch(metrics, /filter="priorityandfairness"/);
  const answer = await admin('GET', '/debug/api_priority_and_fairness/dump_queues');
  assert.deepEqual([answer.status, answer.headers.has('x-kubernetes-pf-flowschema-uid')], [404, false]);
});
