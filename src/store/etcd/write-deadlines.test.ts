import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { silentLog } from '../../base/log.ts';
import { StoreTimeoutError } from '../store.ts';
import { EtcdStore } from './etcd-store.ts';
import { type Rpc, RpcError } from './rpc.ts';

test('a write to etcd has its own timeout, however many writes of the same key wait before it', async () => {
  const clock = new ManualClock();
  const away: Rpc = {
    call: (_method, _message, { timeoutMs }) =>
      new Promise((_resolve, reject) => clock.after(timeoutMs, () => reject(new RpcError('timeout', 'away')))),
    stream: () => ({ send: () => {}, close: () => {}, pause: () => {}, resume: () => {} }),
    close: () => {},
  };
  const format = {
    ...{ keyInEtcd: (key: string) => key, keyOf: (key: string) => key, prefixInEtcd: (prefix: string) => prefix },
    ...{ write: (_key: string, value: Buffer) => value, read: (_key: string, stored: Buffer) => stored },
    ttlSeconds: () => undefined,
  };
  const options = { rpc: away, clock, log: silentLog, format, leaseReuseSeconds: 60 };
  const store = new EtcdStore(options, { begins: 1, answersProgress: true });
  const startMs = clock.now();
  const endedMs: number[] = [];
  const write = (give: Promise<unknown>) =>
    give.catch((error: unknown) => {
      assert.ok(error instanceof StoreTimeoutError);
      endedMs.push(clock.now() - startMs);
    });
  const writes = [write(store.put('a', Buffer.from('1'), 'absent'))];
  clock.advance(1_000);
  writes.push(write(store.put('a', Buffer.from('2'), 'any')), write(store.delete('a', 'any')));
  // One that nobody waits before.
  writes.push(write(store.put('b', Buffer.from('1'), 'absent')));
  for (let second = 0; second < 120 && endedMs.length < writes.length; second++) {
    await nextTurn();
    clock.advance(1_000);
  }
  await Promise.all(writes);
  const all = limits.etcdCallMs;
  assert.deepEqual(endedMs, [all, all + 1_000, all + 1_000, all + 1_000]);
});
