// Bytes in memory that all threads of the process share: sending them to another thread does not copy them.

import { Buffer } from 'node:buffer';
import { bufferOf } from '../buffer-of.ts';
import type { Entry } from '../store.ts';
import type { SentEntry } from './messages.ts';

/** A buffer of this size in shared memory; its contents are zero. */
function sharedBuffer(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes));
}

/** The bytes in shared memory, copied unless they are there already. */
export function sharedBytes(value: Buffer): Buffer;
export function sharedBytes(value: Uint8Array): Uint8Array;
export function sharedBytes(value: Uint8Array): Uint8Array {
  if (value.buffer instanceof SharedArrayBuffer) return value;
  const copy = sharedBuffer(value.length);
  copy.set(value);
  return copy;
}

export function sentEntry({ key, value, revision }: Entry): SentEntry {
  return { key, value: sharedBytes(value), revision };
}

export function receivedEntry({ key, value, revision }: SentEntry): Entry {
  return { key, value: bufferOf(value), revision };
}
