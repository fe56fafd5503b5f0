import { Buffer } from 'node:buffer';
import { rmSync } from 'node:fs';
import { after, it } from 'node:test';
import { storeContract } from '../../../test/contract/store.ts';
import { findEtcd, NO_ETCD, startEtcd } from '../../../test/etcd/etcd-process.ts';
import { freshData } from '../../../test/etcd/fresh-data.ts';
import { realClock } from '../../../test/etcd/real-clock.ts';
import { silentLog } from '../../base/log.ts';
import type { Store } from '../store.ts';
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
