// Rows of the embedded store's log as one block of bytes, the form in which they travel to the thread that writes them:
// a block is handed over, not copied.

import type { TimedWrite } from './timeline.ts';

/** One row. `value` is undefined for a deletion. */
export interface LogRow {
  readonly revision: number;
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly key: Uint8Array<ArrayBuffer>;
  readonly value: Uint8Array<ArrayBuffer> | undefined;
}

/** Revision, time, length of the key, length of the value. */
const HEAD_BYTES = 8 + 8 + 4 + 4;
/** Stands for the length of a value that is not there. */
const NO_VALUE = 0xffff_ffff;

export function encodeRows(writes: readonly TimedWrite[]): ArrayBuffer {
  let length = 0;
  for (const { key, value } of writes) length += HEAD_BYTES + Buffer.byteLength(key) + (value?.length ?? 0);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { revision, timeMs, key, value } of writes) {
    const keyLength = bytes.write(key, at + HEAD_BYTES);
    bytes.writeDoubleLE(revision, at);
    bytes.writeDoubleLE(timeMs, at + 8);
    bytes.writeUInt32LE(keyLength, at + 16);
    bytes.writeUInt32LE(value === undefined ? NO_VALUE : value.length, at + 20);
    at += HEAD_BYTES + keyLength;
    if (value === undefined) continue;
    bytes.set(value, at);
    at += value.length;
  }
  return bytes.buffer;
}

/** The rows of a block. Their keys and values are views into it. */
export function* decodeRows(block: ArrayBuffer): Generator<LogRow, void, undefined> {
  const bytes = Buffer.from(block);
  let at = 0;
  while (at < bytes.length) {
    const keyEnd = at + HEAD_BYTES + bytes.readUInt32LE(at + 16);
    const valueLength = bytes.readUInt32LE(at + 20);
    const end = valueLength === NO_VALUE ? keyEnd : keyEnd + valueLength;
    yield {
      revision: bytes.readDoubleLE(at),
      timeMs: bytes.readDoubleLE(at + 8),
      key: bytes.subarray(at + HEAD_BYTES, keyEnd),
      value: valueLength === NO_VALUE ? undefined : bytes.subarray(keyEnd, end),
    };
    at = end;
  }
}
