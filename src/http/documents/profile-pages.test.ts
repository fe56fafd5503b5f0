import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const SECONDS = 5;

/** Counts profiles that have begun. */
class ProfileClock extends ManualClock {
  profiles = 0;

  override after(delayMs: number, wake: () => void) {
    if (delayMs === SECONDS * 1000) this.profiles++;
    return super.after(delayMs, wake);
  }
}

async function ask(server: TestServer, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await server.fetch(
    new Request(`https://localhost${path}`, { headers, redirect: 'manual', ...init }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function level(server: TestServer, method: string, body?: string) {
  const { status, headers, text } = await ask(server, '/debug/flags/v', {
    method,
    ...(body === undefined ? {} : { body }),
  });
  assert.equal(headers.get('content-type'), 'text/plain');
  return [status, text];
}

test('the log level can be changed at /debug/flags/v, and an invalid one is rejected in the words of Go', async () => {
  await using server = await startTestServer();
  assert.deepEqual(await level(server, 'PUT', '4'), [200, 'successfully set klog.logging.verbosity to 4\n']);
  for (const bad of ['x', '-1', '']) {
    const fault = `strconv.ParseUint: parsing ${JSON.stringify(bad)}: invalid syntax\n`;
    assert.deepEqual(await level(server, 'PUT', bad), [400, fault]);
  }
  const wide = 'strconv.ParseUint: parsing "99999999999": value out of range\n';
  assert.deepEqual(await level(server, 'PUT', '99999999999'), [400, wide]);
  for (const method of ['GET', 'POST', 'DELETE'])
    assert.deepEqual(await level(server, method), [406, 'unsupported http method\n'], method);
  assert.match((await ask(server, '/debug/flags')).text, /flags/);
});

test('a profile takes the time that the client requests, and one of a kind runs at a time', async () => {
  const clock = new ProfileClock();
  await using server = await startTestServer({}, { clock });
  for (const kind of ['profile', 'heap', 'allocs']) {
    let over = false;
    const before = clock.profiles;
    const taking = ask(server, `/debug/pprof/${kind}?seconds=${SECONDS}`).finally(() => {
      over = true;
    });
    await until('the profile has begun', () => clock.profiles > before);
    const second = await ask(server, `/debug/pprof/${kind}?seconds=${SECONDS}`);
    assert.deepEqual([second.status, second.headers.get('x-go-pprof')], [500, '1']);
    assert.equal(over, false);
    clock.advance(SECONDS * 1000);
    const { status, text, headers } = await taking;
    assert.equal(status, 200);
    assert.match(headers.get('content-disposition')!, new RegExp(`"${kind}\\.(cpu|heap)profile"`));
    const profile = JSON.parse(text) as Record<string, unknown>;
    assert.ok(kind === 'profile' ? Array.isArray(profile['nodes']) : 'head' in profile, kind);
  }
});

test('profiles have an index, an unknown one is 404, and one that takes too long is 400', async () => {
  await using server = await startTestServer();
  const redirect = await ask(server, '/debug/pprof');
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/debug/pprof/']);
  assert.match((await ask(server, '/debug/pprof/')).text, /href='heap'/);
  const unknown = await ask(server, '/debug/pprof/goroutine');
  assert.deepEqual([unknown.status, unknown.text], [404, 'Unknown profile\n']);
  assert.equal((await ask(server, '/debug/pprof/profile?seconds=601')).status, 400);
});

test('DELETE /metrics resets counters, and not the state of the server', async () => {
  await using server = await startTestServer();
  const sum = async () => {
    const { text } = await ask(server, '/metrics');
    const lines = text.split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
    return lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  };
  for (let count = 0; count < 20; count++) await ask(server, '/api/v1/namespaces');
  await until('all are counted', async () => (await sum()) >= 20);
  assert.equal((await ask(server, '/metrics', { method: 'DELETE' })).text, 'metrics reset\n');
  assert.ok((await sum()) < 20, 'but for what came meanwhile');
  const { text } = await ask(server, '/metrics');
  assert.doesNotMatch(text, /^apiserver_request_total\{.* 0$/m);
});

test('--profiling=false removes all profiling paths', async () => {
  await using server = await startTestServer({ profiling: false });
  for (const path of ['/debug/pprof', '/debug/pprof/', '/debug/pprof/heap', '/debug/flags', '/debug/flags/v'])
    assert.equal((await ask(server, path)).status, 404, path);
  assert.match((await ask(server, '/metrics', { method: 'DELETE' })).text, /^# HELP/);
});
