// Keys and values of the store as they look in etcd. The driver moves bytes; whoever opens it says what they are there.

import type { Soon } from '../../base/soon.ts';

/** Throws of `read` are told to whoever asked for the value. */
export interface ValueFormat {
  /** The key in etcd, prefix included. */
  keyInEtcd(key: string): string;
  /** The store's key of one in etcd; undefined for keys that stand for no entry. */
  keyOf(etcdKey: string): string | undefined;
  /** The prefix in etcd of all keys that begin with one of the store's. */
  prefixInEtcd(prefix: string): string;
  /** @param value what the store was given */
  write(key: string, value: Buffer): Soon<Uint8Array>;
  /** @param stored a view that the result must not keep */
  read(key: string, stored: Buffer): Soon<Buffer>;
  /** Whether `read` may answer later for a key; not there where it never does. */
  readsLater?(key: string): boolean;
  /** Whether `write` would make other bytes of the same value, as with a newer key; not there where it never does. */
  isStale?(key: string, stored: Buffer): Soon<boolean>;
  /** After so many seconds the entry goes by itself; undefined for those that stay. */
  ttlSeconds(key: string): number | undefined;
}
