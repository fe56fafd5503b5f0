import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { SharedPorts } from './shared-ports.ts';

const RANGE = { first: 30_000, last: 30_010 };

async function taken(ports: SharedPorts): Promise<number[]> {
  const read = await ports.read();
  return Array.from({ length: 11 }, (_, index) => 30_000 + index).filter((port) => ports.has(read, port));
}

test('a repair allocates the node ports of Services, and frees leaked ones after three rounds', async () => {
  const store = new MemoryStore({ clock: new ManualClock() });
  const ports = new SharedPorts(store, RANGE);
  const leaks = new Map<number, number>();
  const repair = () => ports.repair(async () => [30_001, 40_000], leaks);
  await ports.ensure([30_002]);
  for (let round = 1; round < 3; round++) {
    await repair();
    assert.deepEqual(await taken(ports), [30_001, 30_002], `round ${round}`);
  }
  await repair();
  assert.deepEqual(await taken(ports), [30_001]);
  assert.equal(leaks.size, 0);
});

test('a leaked node port that a Service gets in the meantime is not freed', async () => {
  const ports = new SharedPorts(new MemoryStore({ clock: new ManualClock() }), RANGE);
  const leaks = new Map<number, number>();
  await ports.ensure([30_003]);
  await ports.repair(async () => [], leaks);
  assert.equal(leaks.size, 1);
  await ports.repair(async () => [30_003], leaks);
  assert.equal(leaks.size, 0);
  assert.deepEqual(await taken(ports), [30_003]);
});

test('a repair of node ports keeps what another server wrote in the meantime', async () => {
  const ports = new SharedPorts(new MemoryStore({ clock: new ManualClock() }), RANGE);
  const overtaken = async () => {
    await ports.ensure([30_005]);
    return [30_004];
  };
  await ports.repair(overtaken, new Map());
  assert.deepEqual(await taken(ports), [30_005]);
});

test('the stored range of node ports exists after the first repair', async () => {
  const store = new MemoryStore({ clock: new ManualClock() });
  await new SharedPorts(store, RANGE).repair(async () => [], new Map());
  const entry = await store.get('/registry/ranges/servicenodeports');
  assert.match(entry?.value.toString() ?? '', /"range":"30000-30010"/);
});
