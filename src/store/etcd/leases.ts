// etcd leases for entries with a TTL. One lease is shared by many entries: each lives for its TTL or a little longer.

import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { StoreError } from '../store.ts';
import { decodeLeaseGrant, encodeLeaseGrant } from './messages.ts';
import { type Rpc, RpcError } from './rpc.ts';

/** Maximum extension of a shared lease beyond the TTL of its entries, as in kube-apiserver. */
const LONGER_BY = 0.05;
const ENTRIES_PER_LEASE = 1_000;

interface LeasesOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  readonly leaseReuseSeconds: number;
}

interface Lease {
  readonly id: Promise<bigint>;
  /** Until then an entry on this lease lives long enough, in milliseconds since the Unix epoch. */
  readonly usableUntilMs: number;
  entries: number;
}

export class Leases {
  readonly #options: LeasesOptions;
  readonly #leases = new Map<number, Lease>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Writes an entry that lives for `ttlSeconds`; retries once if its lease has expired. Rejects like `write`. */
  async with<T>(ttlSeconds: number, write: (lease: bigint) => Promise<T>): Promise<T> {
    try {
      return await write(await this.#take(ttlSeconds));
    } catch (error) {
      if (!(error instanceof StoreError) || !error.message.includes('requested lease not found')) throw error;
      this.#leases.delete(ttlSeconds);
      return await write(await this.#take(ttlSeconds));
    }
  }

  async #take(ttlSeconds: number): Promise<bigint> {
    const { clock } = this.#options;
    let lease = this.#leases.get(ttlSeconds);
    if (lease === undefined || lease.entries >= ENTRIES_PER_LEASE || clock.now() > lease.usableUntilMs) {
      lease = this.#grant(ttlSeconds);
      this.#leases.set(ttlSeconds, lease);
    }
    lease.entries += 1;
    try {
      return await lease.id;
    } catch (error) {
      if (this.#leases.get(ttlSeconds) === lease) this.#leases.delete(ttlSeconds);
      throw new StoreError(error instanceof RpcError ? error.message : String(error));
    }
  }

  #grant(ttlSeconds: number): Lease {
    const { rpc, clock, leaseReuseSeconds } = this.#options;
    const longer = Math.floor(Math.min(ttlSeconds * LONGER_BY, leaseReuseSeconds));
    const message = encodeLeaseGrant(ttlSeconds + longer);
    const id = rpc.call('Lease/LeaseGrant', message, { timeoutMs: limits.etcdCallMs }).then(decodeLeaseGrant);
    return { id, usableUntilMs: clock.now() + longer * 1_000, entries: 0 };
  }
}
