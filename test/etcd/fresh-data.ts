// The data of an etcd that has come to the revision of a fresh store, with nothing in it: what was before is compacted.

import { Buffer } from 'node:buffer';
import { GrpcChannel } from '../../src/store/etcd/grpc-channel.ts';
import { encodeCompaction, encodeWrite } from '../../src/store/etcd/messages.ts';
import { FIRST_REVISION } from '../../src/store/store.ts';
import { startEtcd } from './etcd-process.ts';
import { realClock } from './real-clock.ts';

/** Makes it in a folder of its own, which belongs to the caller. */
export async function freshData(program: string): Promise<string> {
  const etcd = await startEtcd({ program });
  const rpc = new GrpcChannel({ servers: [etcd.url], clock: realClock });
  const timeoutMs = 10_000;
  const put = encodeWrite({ key: 'count', value: Buffer.alloc(0) });
  for (let revision = 1; revision < FIRST_REVISION; revision++) await rpc.call('KV/Txn', put, { timeoutMs });
  await rpc.call('KV/Compact', encodeCompaction(FIRST_REVISION), { timeoutMs });
  rpc.close();
  await etcd.end('SIGTERM');
  return etcd.folder;
}
