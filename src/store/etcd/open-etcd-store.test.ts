import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { openEtcdStore } from './open-etcd-store.ts';
import { type Rpc, RpcError } from './rpc.ts';
import type { ValueFormat } from './value-format.ts';

const format: ValueFormat = {
  keyInEtcd: (key) => key,
  keyOf: (key) => key,
  prefixInEtcd: (prefix) => `/registry${prefix}`,
  write: (_key, value) => value,
  read: (_key, stored) => stored,
  ttlSeconds: () => undefined,
};

/** An answer at a revision, as that to a range. */
function atRevision(revision: number): Uint8Array {
  const out = new ProtobufWriter();
  out.int(revision);
  out.uint(3 << 3);
  out.uint(out.size);
  out.uint((1 << 3) | 2);
  return out.bytes();
}

/** An etcd that answers calls, and whose watch never says anything. */
function silentWatch() {
  let open = 0;
  let closed = false;
  const rpc: Rpc = {
    call: async () => atRevision(5),
    stream: () => {
      if (closed) throw new RpcError('closed', 'the connection to etcd is closed');
      open += 1;
      return { send: () => {}, pause: () => {}, resume: () => {}, close: () => (open -= 1) };
    },
    close: () => (closed = true),
  };
  return { rpc, streams: () => open };
}

test('a server whose watch of etcd does not start tries again, then gives up and leaves nothing behind', async () => {
  const clock = new ManualClock();
  const { rpc, streams } = silentWatch();
  let over = false;
  const opening = openEtcdStore({ rpc, clock, log: silentLog, format, leaseReuseSeconds: 60 }).finally(
    () => (over = true),
  );
  const refused = assert.rejects(opening, {
    name: 'StoreLagError',
    message: 'the etcd watch did not reach the current revision',
  });
  const from = clock.now();
  while (!over) {
    clock.advance(100);
    await new Promise(setImmediate);
  }
  await refused;
  assert.ok(clock.now() - from >= 20_000, `gave up after ${clock.now() - from} ms`);
  assert.equal(streams(), 0);
  clock.advance(60_000);
  assert.equal(streams(), 0);
});
