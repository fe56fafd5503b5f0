import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { startTestServer } from '../testing.ts';

const DELAY_MS = 10_000;

test('a server that shuts down is not ready, and serves for the configured delay', async () => {
  const clock = new ManualClock();
  await using server = await startTestServer({ shutdownDelayMs: DELAY_MS }, { clock });
  const statusOf = async (path: string) => (await server.fetch(new Request(`https://localhost${path}`))).status;
  assert.equal(await statusOf('/readyz'), 200);
  let drained = false;
  const draining = server.drain().then(() => {
    drained = true;
  });
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/livez')], [500, 200]);
  clock.advance(DELAY_MS - 1);
  assert.equal((await server.request('GET', '/api/v1/namespaces/default')).status, 200);
  assert.equal(drained, false);
  clock.advance(1);
  await draining;
});

test('closing a server does not wait for the shutdown delay', async () => {
  const server = await startTestServer({ shutdownDelayMs: DELAY_MS }, { clock: new ManualClock() });
  const draining = server.drain();
  await server.close();
  await draining;
});
