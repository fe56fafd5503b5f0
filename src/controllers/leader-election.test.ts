import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { ManualClock, type Timer } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { createCatalog } from '../resources/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Registry } from '../verbs/registry.ts';
import { LeaderElection } from './leader-election.ts';

const RETRY_MS = 1_000;

/** Counts attempts to renew or take a Lease, each of which ends by waiting for the next. */
class CountingClock extends ManualClock {
  attempts = 0;

  override after(delayMs: number, wake: () => void): Timer {
    if (delayMs === RETRY_MS) this.attempts += 1;
    return super.after(delayMs, wake);
  }
}

test('a leader gives up after the renew deadline, and another takes the Lease after its duration', async () => {
  const clock = new CountingClock();
  const store = new MemoryStore({ clock });
  const registry = new Registry({ store, clock, random: new SeededRandom(1), gates: new FeatureGates() });
  const told: string[] = [];
  const server = (identity: string) => {
    let blocked = false;
    const judge = () => {
      if (blocked) throw new Error('denied');
    };
    const admission = { admit: judge, admitWhole: async () => judge(), validate: async () => judge() };
    const election = new LeaderElection({
      ...{ clock, log: silentLog, catalog: createCatalog(), writes: { registry, admission } },
      ...{ lease: 'elections', identity, times: { leaseSeconds: 5, renewDeadlineMs: 3_000, retryMs: RETRY_MS } },
      onElected: () => void told.push(`${identity} leads`),
      onLost: async () => void told.push(`${identity} is lost`),
    } as unknown as ConstructorParameters<typeof LeaderElection>[0]);
    return { election, block: () => (blocked = true) };
  };
  const [one, other] = [server('one'), server('other')];
  await one.election.start();
  await other.election.start();
  assert.deepEqual(told, ['one leads']);
  one.block();
  const startMs = clock.now();
  const seconds = () => (clock.now() - startMs) / 1_000;
  const times: number[] = [];
  for (let known = told.length; told.length < 3; ) {
    const attempts = clock.attempts + 2;
    clock.advance(RETRY_MS);
    await until('both have tried', () => clock.attempts === attempts);
    if (told.length > known) times.push(seconds());
    known = told.length;
  }
  assert.deepEqual(told, ['one leads', 'one is lost', 'other leads']);
  assert.deepEqual(times, [4, 6]);
  await other.election.stop();
  await one.election.stop();
  registry.close();
});
