import { Buffer } from 'node:buffer';
import { rmSync } from 'node:fs';
import { after, it } from 'node:test';
import { storeContract } from '../../../test/contract/store.ts';
import { findEtcd, NO_ETCD, startEtcd } from '../../../test/etcd/etcd-process.ts';
import { realClock } from '../../../test/etcd/real-clock.ts';
import { silentLog } from '../../base/log.ts';
import { FIRST_REVISION, type Store } from '../store.ts';
import { openEtcdStore } from './etcd-store.ts';
import { GrpcChannel } from './grpc-channel.ts';
import { encodeCompaction, encodeWrite } from './messages.ts';
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

/** The data of an etcd at the revision that fresh stores have, with nothing in it. */
async function freshData(path: string): Promise<string> {
  const etcd = await startEtcd({ program: path });
  const rpc = new GrpcChannel({ servers: [etcd.url], clock: realClock });
  const timeoutMs = 10_000;
  const put = encodeWrite({ key: 'count', value: Buffer.alloc(0) });
  for (let revision = 1; revision < FIRST_REVISION; revision++) await rpc.call('KV/Txn', put, { timeoutMs });
  await rpc.call('KV/Compact', encodeCompaction(FIRST_REVISION), { timeoutMs });
  rpc.close();
  await etcd.end('SIGTERM');
  return etcd.folder;
}

if (program === undefined) {
  it('etcd store', (t) => t.skip(NO_ETCD));
} else {
  let fresh: Promise<string> | undefined;
  after(async () => rmSync((await fresh) ?? '', { recursive: true, force: true }));
  storeContract('etcd store', async (context) => {
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
}
