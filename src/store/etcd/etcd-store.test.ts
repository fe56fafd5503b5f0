import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { rmSync } from 'node:fs';
import { after, it } from 'node:test';
import { storeContract } from '../../../test/contract/store.ts';
import { findEtcd, NO_ETCD, startEtcd } from '../../../test/etcd/etcd-process.ts';
import { freshData } from '../../../test/etcd/fresh-data.ts';
import { realClock } from '../../../test/etcd/real-clock.ts';
import { silentLog } from '../../base/log.ts';
import type { Store } from '../store.ts';
import { StoreTooLargeError } from '../too-large.ts';
import { GrpcChannel } from './grpc-channel.ts';
import { openEtcdStore } from './open-etcd-store.ts';
import type { ValueFormat } from './value-format.ts';

/** Keys behind a folder, values as they are. */
const plain: ValueFormat = {
  keyInEtcd: (key) => `/t/${key}`,
  keyOf: (key) => (key.startsWith('/t/keelson/') ? undefined : key.slice('/t/'.length)),
  prefixInEtcd: (prefix) => (prefix === '' ? '/t' : `/t/${prefix}`),
  write: (_, value) => value,
  read: (_, stored) => Buffer.from(stored),
  ttlSeconds: () => undefined,
};

const program = findEtcd();

if (program === undefined) {
  it('the etcd store is tested where etcd is installed', (t) => t.skip(NO_ETCD));
} else {
  let fresh: Promise<string> | undefined;
  after(async () => rmSync((await fresh) ?? '', { recursive: true, force: true }));
  storeContract('the etcd store', async (context) => {
    fresh ??= freshData(program);
    const etcd = await startEtcd({ program, data: await fresh });
    context.after(() => etcd.stop());
    let store: Store;
    const open = async () => {
      const rpc = new GrpcChannel({ servers: [etcd.url], clock: realClock });
      store = await openEtcdStore({ rpc, clock: realClock, log: silentLog, format: plain, leaseReuseSeconds: 60 });
      return store;
    };
    const reopen = async () => {
      await store.close();
      return await open();
    };
    return { store: await open(), reopen, keptElsewhere: true };
  });

  it('the etcd store rejects values that are too large for etcd, and does not send larger ones', async (t) => {
    fresh ??= freshData(program);
    const etcd = await startEtcd({ program, data: await fresh });
    t.after(() => etcd.stop());
    const rpc = new GrpcChannel({ servers: [etcd.url], clock: realClock });
    const store = await openEtcdStore({ rpc, clock: realClock, log: silentLog, format: plain, leaseReuseSeconds: 60 });
    t.after(() => store.close());
    const put = (bytes: number) => store.put('a', Buffer.alloc(bytes, 'x'), 'any');
    await assert.rejects(put(1_600_000), new StoreTooLargeError('etcdserver: request is too large'));
    await assert.rejects(put(2_100_000), (error: Error) => {
      assert.ok(error instanceof StoreTooLargeError);
      assert.match(error.message, /trying to send message larger than max \(21000\d\d vs\. 2097152\)$/);
      return true;
    });
    assert.equal((await put(1_500_000)).written, true);
  });
}
