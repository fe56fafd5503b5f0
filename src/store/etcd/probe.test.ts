import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { Probe } from './probe.ts';
import type { Rpc } from './rpc.ts';

test('the health check of etcd tries twice within its timeout, which is two seconds if it is set to 0', async () => {
  for (const [timeoutMs, expected] of [
    [500, 500],
    [0, 2_000],
  ] as const) {
    const asked: (number | undefined)[] = [];
    const call: Rpc['call'] = async (_method, _message, options) => {
      asked.push(options?.timeoutMs);
      return Buffer.alloc(0);
    };
    const clock = new ManualClock();
    const probe = new Probe({ rpc: { call } as Rpc, clock, key: '/health', timeoutMs });
    assert.equal(await probe.ask(), undefined);
    clock.advance(expected / 2 - 1);
    assert.equal(await probe.ask(), undefined);
    assert.deepEqual(asked, [expected]);
    clock.advance(1);
    assert.equal(await probe.ask(), undefined);
    assert.deepEqual(asked, [expected, expected]);
  }
});
