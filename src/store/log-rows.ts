// Row format of the commit log: one commit as a single block of bytes, as passed to the thread that writes it.

import type { TimedWrite } from './timeline.ts';

/** One row. `value` is undefined for a deletion. */
export interface LogRow<Memory extends ArrayBufferLike = ArrayBufferLike> {
  readonly revision: number;
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly key: Uint8Array<Memory>;
  readonly value: Uint8Array<Memory> | undefined;
}

/** The content of a commit. */
export interface Commit {
  readonly writes: readonly TimedWrite[];
  /** Revisions of rows that are no longer part of state or history. */
  readonly released: readonly number[];
  readonly compacted: number;
}

/** A decoded commit. Keys and values of the rows are views of the block. */
export interface CommitBlock {
  readonly rows: Iterable<LogRow>;
  readonly released: Iterable<number>;
  readonly compacted: number;
}

/** The compacted revision, and the number of released rows. */
const HEAD_BYTES = 8 + 4;
/** Revision, time, length of the key, length of the value. */
const ROW_HEAD_BYTES = 8 + 8 + 4 + 4;
/** Stands for the length of an absent value. */
const NO_VALUE = 0xffff_ffff;

/** The number of bytes that `writeCommit` needs. */
export function commitLength({ writes, released }: Commit): number {
  let length = HEAD_BYTES + 8 * released.length;
  for (const { key, value } of writes) length += ROW_HEAD_BYTES + Buffer.byteLength(key) + (value?.length ?? 0);
  return length;
}

/** @param bytes of the length that `commitLength` returns */
export function writeCommit(bytes: Buffer<SharedArrayBuffer>, { writes, released, compacted }: Commit): void {
  bytes.writeDoubleLE(compacted, 0);
  let at = bytes.writeUInt32LE(released.length, 8);
  for (const revision of released) at = bytes.writeDoubleLE(revision, at);
  for (const { revision, timeMs, key, value } of writes) {
    const keyLength = bytes.write(key, at + ROW_HEAD_BYTES);
    bytes.writeDoubleLE(revision, at);
    bytes.writeDoubleLE(timeMs, at + 8);
    bytes.writeUInt32LE(keyLength, at + 16);
    bytes.writeUInt32LE(value === undefined ? NO_VALUE : value.length, at + 20);
    at += ROW_HEAD_BYTES + keyLength;
    if (value === undefined) continue;
    bytes.set(value, at);
    at += value.length;
  }
}

/** The commit in a block. */
export function readCommit(bytes: Buffer<SharedArrayBuffer>): CommitBlock {
  const count = bytes.readUInt32LE(8);
  const released = Array.from({ length: count }, (_, index) => bytes.readDoubleLE(HEAD_BYTES + 8 * index));
  return { rows: rowsOf(bytes, HEAD_BYTES + 8 * count), released, compacted: bytes.readDoubleLE(0) };
}

function* rowsOf(bytes: Buffer<SharedArrayBuffer>, start: number): Generator<LogRow, void, undefined> {
  let at = start;
  while (at < bytes.length) {
    const keyEnd = at + ROW_HEAD_BYTES + bytes.readUInt32LE(at + 16);
    const valueLength = bytes.readUInt32LE(at + 20);
    const end = valueLength === NO_VALUE ? keyEnd : keyEnd + valueLength;
    yield {
      revision: bytes.readDoubleLE(at),
      timeMs: bytes.readDoubleLE(at + 8),
      key: bytes.subarray(at + ROW_HEAD_BYTES, keyEnd),
      value: valueLength === NO_VALUE ? undefined : bytes.subarray(keyEnd, end),
    };
    at = end;
  }
}
