// Format of keys and values in etcd. The driver moves bytes; whoever opens it supplies the format.

import type { Soon } from '../../base/soon.ts';

/** Exceptions of `read` are reported to the reader of the value. */
export interface ValueFormat {
  /** The key in etcd, including the prefix. */
  keyInEtcd(key: string): string;
  /** The store's key for a key in etcd; undefined for keys that are not entries. */
  keyOf(etcdKey: string): string | undefined;
  /** The prefix in etcd of all keys with a prefix in the store. */
  prefixInEtcd(prefix: string): string;
  /** @param value as passed to the store */
  write(key: string, value: Buffer): Soon<Uint8Array>;
  /** @param stored a view that the result must not retain */
  read(key: string, stored: Buffer): Soon<Buffer>;
  /** Whether `read` may be asynchronous for a key; absent if never. */
  readsLater?(key: string): boolean;
  /** Whether `write` would produce other bytes for the same value, for example with a newer key; absent if never. */
  isStale?(key: string, stored: Buffer): Soon<boolean>;
  /** TTL of the entry in seconds; undefined for none. */
  ttlSeconds(key: string): number | undefined;
}
