// Startup of the etcd store: the features of the member, the oldest available revision, and all events since, read
// before the first request.

import { Buffer } from 'node:buffer';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { StoreError, StoreTimeoutError } from '../store.ts';
import { EtcdStore, type EtcdStoreOptions } from './etcd-store.ts';
import { decodeRange, decodeStatus, encodeRange } from './messages.ts';
import { type Rpc, RpcError } from './rpc.ts';

/** Opens the store on a connection, which it then owns. Rejects with StoreError if etcd does not respond. */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const { rpc, format } = options;
  let store: EtcdStore | undefined;
  try {
    const key = `${format.prefixInEtcd('')}/`;
    const timeoutMs = limits.etcdStartMs;
    const { version } = decodeStatus(await rpc.call('Maintenance/Status', Buffer.alloc(0), { timeoutMs }));
    const begins = await firstReadableRevision(rpc, key);
    store = new EtcdStore(options, { begins, answersProgress: answersProgress(version) });
    await firstCatchUp(store, options.clock);
    return store;
  } catch (error) {
    await store?.close();
    rpc.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`etcd does not respond: ${(error as Error).message}`);
  }
}

/** A member may stop while the history is being read: retries until the startup timeout. */
async function firstCatchUp(store: EtcdStore, clock: Clock): Promise<void> {
  const end = clock.now() + limits.etcdStartMs;
  for (;;) {
    try {
      await store.catchUp();
      return;
    } catch (error) {
      if (!(error instanceof StoreTimeoutError) || clock.now() >= end) throw error;
    }
  }
}

/** In older versions of etcd a progress response may overtake earlier events. */
function answersProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major !== 3 || minor > 5) return major >= 3;
  return minor === 5 ? patch >= 8 : minor === 4 && patch >= 25;
}

/** The oldest revision that etcd still has, within the maximum distance that startup may read. */
async function firstReadableRevision(rpc: Rpc, key: string): Promise<number> {
  const range = (revision?: number) =>
    rpc.call('KV/Range', encodeRange({ key, revision, countOnly: true }), { timeoutMs: limits.etcdStartMs });
  const isThere = async (revision: number): Promise<boolean> => {
    try {
      await range(revision);
      return true;
    } catch (error) {
      if (error instanceof RpcError && error.failure === 'out-of-range') return false;
      throw error;
    }
  };
  let high = decodeRange(await range()).revision;
  let low = Math.max(1, high - limits.etcdReplayedRevisions);
  if (await isThere(low)) return low;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isThere(middle)) high = middle;
    else low = middle;
  }
  return high;
}
