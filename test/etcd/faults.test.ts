import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEtcd, NO_ETCD } from './etcd-process.ts';
import { runFaults } from './faults.ts';

const skip = findEtcd() === undefined ? NO_ETCD : false;

describe('servers on one etcd that are killed and stopped', { skip, timeout: 180_000 }, () => {
  it('servers on one etcd that are killed and stopped lose no acknowledged write, show nothing stale, and deliver all events in order', async (t) => {
    const seed = 20_260_101 + (Date.now() % 1_000);
    t.diagnostic(`seed ${seed}`);
    const { acknowledged, reads, events, faults } = await runFaults({ seconds: 12, seed });
    t.diagnostic(`${acknowledged} writes acknowledged, ${reads} reads, ${events} events, ${faults} faults`);
    assert.ok(acknowledged > 0 && reads > 0 && events > 0 && faults > 0);
  });
});
