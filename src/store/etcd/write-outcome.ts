// A write to etcd and its outcome.

import { type Expected, StoreTimeoutError } from '../store.ts';
import type { WriteResponse } from './messages.ts';

/** A write of this process whose event has not arrived yet. */
export interface OwnWrite {
  readonly stored: Uint8Array;
  readonly value: Buffer;
}

export interface StoreWrite {
  /** Undefined for a deletion. */
  readonly value: Uint8Array | undefined;
  readonly expected: Expected;
  /** In milliseconds since the Unix epoch. */
  readonly deadline: number;
  readonly lease?: bigint;
}

/**
 * The revision of a successful write; undefined for a failed one. @throws StoreTimeoutError if the outcome is unknown
 */
export function writtenRevision(
  { succeeded, revision, current, deleted }: WriteResponse,
  write: { value: Uint8Array | undefined; modRevision: number | undefined; repeated: boolean },
): number | undefined {
  if (succeeded) return write.value === undefined && deleted === 0 ? undefined : revision;
  if (!write.repeated) return undefined;
  // Retried because there was no response: the first attempt may have succeeded.
  if (write.value === undefined && current === undefined) return revision;
  const { value, modRevision } = write;
  if (value !== undefined && modRevision === 0 && current?.value.equals(value)) return current.modRevision;
  // Two writers may make the same change, and others may have changed it since.
  throw new StoreTimeoutError('etcd did not respond, and the outcome of the write is unknown');
}
