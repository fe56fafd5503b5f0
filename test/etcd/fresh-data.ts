// The data of an empty etcd at the revision of a fresh store: the history before is compacted.

import { Buffer } from 'node:buffer';
import { GrpcChannel } from '../../src/store/etcd/grpc-channel.ts';
import { encodeCompaction, encodeWrite } from '../../src/store/etcd/messages.ts';
import { FIRST_REVISION } from '../../src/store/store.ts';
import { startEtcd } from './etcd-process.ts';
import { realClock } from './real-clock.ts';

/** Creates it in a new folder, which the caller owns. */
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
