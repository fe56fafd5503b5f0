import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const PATH = '/api/v1/namespaces/default/events';
const MINUTE = 60_000;

function event(name: string): ApiObject {
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  return { apiVersion: 'v1', kind: 'Event', metadata: { name }, involvedObject };
}

async function names(server: TestServer): Promise<string[]> {
  const { body } = await server.request('GET', PATH);
  return (body as { items: ApiObject[] }).items.map(({ metadata }) => metadata.name ?? '');
}

/** Moves the clock, then waits until just these events are left. */
async function afterwards(
  server: TestServer,
  clock: ManualClock,
  move: { byMs: number; left: string[] },
): Promise<void> {
  clock.advance(move.byMs);
  let seen: string[] = [];
  const same = async () => {
    seen = await names(server);
    return seen.join() === move.left.join();
  };
  await until(`${move.left} are left`, same).catch(() => assert.deepEqual(seen, move.left));
}

test('events are deleted an hour after their last write', async () => {
  const clock = new ManualClock();
  await using server = await startTestServer({}, { clock });
  // Started when it follows: the account is made by a controller that starts with it.
  await until('the controllers run', async () => {
    return (await server.request('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200;
  });
  await server.request('POST', PATH, event('a'));
  await server.request('POST', PATH, event('b'));
  await afterwards(server, clock, { byMs: 30 * MINUTE, left: ['a', 'b'] });
  await server.patch(`${PATH}/a`, { count: 2 });
  await afterwards(server, clock, { byMs: 29 * MINUTE, left: ['a', 'b'] });
  await afterwards(server, clock, { byMs: MINUTE, left: ['a'] });
  await afterwards(server, clock, { byMs: 29 * MINUTE, left: ['a'] });
  await afterwards(server, clock, { byMs: MINUTE, left: [] });
});

test('events from before the start are deleted by their creation time', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  for (const [name, minutes] of [
    ['old', 50],
    ['older', 70],
    ['young', 10],
  ] as const) {
    const object = event(name);
    const creationTimestamp = new Date(clock.now() - minutes * MINUTE).toISOString();
    const metadata = { name, namespace: 'default', uid: name, creationTimestamp };
    const bytes = Buffer.from(JSON.stringify({ kind: 'Event', ...object, metadata }));
    await store.put(`/registry/events/default/${name}`, bytes, 'absent');
  }
  await using server = await startTestServer(
    { controllers: 'event-expiry-controller' },
    { clock, store: Promise.resolve(store) },
  );
  await until('the controller has found the oldest', async () => {
    clock.advance(1);
    return (await names(server)).join() === 'old,young';
  });
  await afterwards(server, clock, { byMs: 10 * MINUTE, left: ['young'] });
  await afterwards(server, clock, { byMs: 40 * MINUTE, left: [] });
});

test('more expired events than fit in one step are all deleted', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const count = 1100;
  for (let index = 0; index < count; index++) {
    const metadata = {
      name: `e${index}`,
      namespace: 'default',
      uid: `u${index}`,
      creationTimestamp: '2020-01-01T00:00:00Z',
    };
    const bytes = Buffer.from(JSON.stringify({ kind: 'Event', apiVersion: 'v1', metadata }));
    await store.put(`/registry/events/default/e${index}`, bytes, 'absent');
  }
  await using server = await startTestServer(
    { controllers: 'event-expiry-controller' },
    { clock, store: Promise.resolve(store) },
  );
  await until('all are gone', async () => {
    clock.advance(1);
    return (await names(server)).length === 0;
  });
});
