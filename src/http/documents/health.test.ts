import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { silentLog } from '../../base/log.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { parseQuery } from '../../verbs/query.ts';
import type { RequestContext } from '../request-context.ts';
import { respondHealth } from './health.ts';
import { HealthChecks } from './health-checks.ts';

async function get(server: TestServer, path: string): Promise<[status: number, text: string]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await server.fetch(new Request(`https://localhost${path}`, { headers }));
  return [response.status, await response.text()];
}

test('livez, healthz and readyz have the checks of kube-apiserver in its order', async () => {
  await using server = await startTestServer();
  const names = async (endpoint: string) => {
    const [, text] = await get(server, `/${endpoint}?verbose`);
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.pop(), `${endpoint} check passed`);
    return lines.map((line) => /^\[\+\](\S+) ok$/.exec(line)![1]!);
  };
  const [healthz, livez, readyz] = [await names('healthz'), await names('livez'), await names('readyz')];
  assert.deepEqual(healthz, livez);
  assert.deepEqual(
    readyz.filter((name) => !livez.includes(name)),
    ['etcd-readiness', 'informer-sync', 'shutdown'],
  );
  assert.deepEqual(livez.slice(0, 4), ['ping', 'log', 'etcd', 'poststarthook/start-apiserver-admission-initializer']);
  assert.deepEqual(livez.slice(-3), [
    'autoregister-completion',
    'poststarthook/apiservice-openapi-controller',
    'poststarthook/apiservice-openapiv3-controller',
  ]);
  assert.ok(livez.includes('poststarthook/priority-and-fairness-filter'));
  assert.ok(!livez.includes('poststarthook/max-in-flight-filter'));
});

test('from 1.36 on livez checks the loopback certificate and the controller of peer endpoints', async () => {
  const livez = async (kubernetesVersion: string) => {
    await using server = await startTestServer({ kubernetesVersion });
    const [, readyz] = await get(server, '/readyz?verbose');
    assert.ok(!readyz.includes('loopback-serving-certificate'));
    const [, text] = await get(server, '/livez?verbose');
    return text.split('\n').map((line) => line.split(' ')[0]!.slice(3));
  };
  const [before, since] = [await livez('1.35'), await livez('1.36')];
  const added = ['loopback-serving-certificate', 'poststarthook/peer-endpoint-reconciler-controller'];
  assert.deepEqual(since.slice(0, 4), ['ping', 'log', 'loopback-serving-certificate', 'etcd']);
  assert.deepEqual(
    added.map((name) => [before.includes(name), since.includes(name)]),
    added.map(() => [false, true]),
  );
  assert.equal(
    since[since.indexOf('poststarthook/peer-endpoint-reconciler-controller') - 1],
    'poststarthook/start-system-namespaces-controller',
  );
});

test('each health check has a path of its own, even if its name has slashes', async () => {
  await using server = await startTestServer();
  assert.deepEqual(await get(server, '/livez/ping'), [200, 'ok']);
  assert.deepEqual(await get(server, '/readyz/poststarthook/rbac/bootstrap-roles'), [200, 'ok']);
  assert.deepEqual(await get(server, '/livez/shutdown'), [404, '404 page not found\n']);
});

test('health checks may be excluded by name, and unknown names are reported in order', async () => {
  await using server = await startTestServer();
  const [status, text] = await get(server, '/readyz?verbose&exclude=etcd&exclude=nope&exclude=also');
  assert.equal(status, 200);
  assert.match(text, /^\[\+\]etcd excluded: ok$/m);
  assert.match(
    text,
    /^warn: some health checks cannot be excluded: no matches for "also","nope"\nreadyz check passed\n$/m,
  );
});

test('health checks may be excluded by group', async () => {
  const checks = new HealthChecks(
    [
      { name: 'etcd', group: 'etcd', endpoints: ['readyz'], check: () => 'away' },
      { name: 'etcd-override-0', group: 'etcd', endpoints: ['readyz'], check: () => 'away' },
      { name: 'ping', endpoints: ['readyz'], check: () => undefined },
    ],
    { checked: () => {} },
  );
  let answer = '';
  const context = {
    services: { health: checks, log: silentLog },
    query: parseQuery('verbose&exclude=etcd'),
    headers: () => ({}),
    countAs: () => {},
    respond: (status: number, _headers: object, text: string) => (answer = `${status}\n${text}`),
  };
  await respondHealth(context as unknown as RequestContext, '/readyz');
  const lines = ['200', '[+]etcd excluded: ok', '[+]etcd-override-0 excluded with etcd: ok', '[+]ping ok'];
  assert.equal(answer, `${lines.join('\n')}\nreadyz check passed\n`);
});

test('health checks of priority and fairness exist only if it is enabled', async () => {
  await using server = await startTestServer({ enablePriorityAndFairness: false });
  const [, text] = await get(server, '/livez?verbose');
  assert.doesNotMatch(text, /config-consumer|fairness-filter/);
  assert.match(text, /\[\+\]poststarthook\/max-in-flight-filter ok/);
  assert.match(text, /fairness-config-producer ok/);
});

test('results of health checks are on /metrics/slis once the endpoint has been requested', async () => {
  await using server = await startTestServer();
  assert.doesNotMatch((await get(server, '/metrics/slis'))[1], /\nkubernetes_healthcheck\{/);
  await get(server, '/livez');
  const [, text] = await get(server, '/metrics/slis');
  assert.match(text, /^# HELP kubernetes_healthcheck \[STABLE\] /m);
  assert.match(text, /^kubernetes_healthcheck\{name="ping",type="livez"\} 1$/m);
  assert.match(text, /^kubernetes_healthchecks_total\{name="ping",status="success",type="livez"\} 1$/m);
  assert.doesNotMatch((await get(server, '/metrics'))[1], /^kubernetes_healthcheck/m);
});

test('a server that shuts down may send Retry-After while it serves requests in flight', async () => {
  const server = await startTestServer({ shutdownSendRetryAfter: true });
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      end = () => {
        controller.enqueue(new TextEncoder().encode('{"metadata":{"name":"late"}}'));
        controller.close();
      };
    },
  });
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const inFlight = server.fetch(new Request('https://localhost/api/v1/namespaces/default/configmaps', init));
  await until('the write is in flight', async () =>
    /current_executing_requests\{flow_schema="exempt".*\} 2\n/.test((await get(server, '/metrics'))[1]),
  );
  const drained = server.drain();
  let refused: Response | undefined;
  await until('new requests are refused', async () => {
    refused = await server.fetch(new Request('https://localhost/api/v1/namespaces', { headers }));
    return refused.status === 429;
  });
  assert.equal(refused?.headers.get('retry-after'), '5');
  assert.equal(await refused?.text(), 'The apiserver is shutting down, please try again later.\n');
  assert.equal((await get(server, '/livez'))[0], 200);
  const [status, text] = await get(server, '/readyz');
  assert.equal(status, 500);
  assert.match(text, /^\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/m);
  end();
  assert.equal((await inFlight).status, 201);
  await drained;
});
