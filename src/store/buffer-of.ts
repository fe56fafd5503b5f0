// Bytes received from others, as Node's buffers.

import { Buffer } from 'node:buffer';

/** A buffer on the memory of a view; nothing is copied. */
export function bufferOf(view: Uint8Array): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.length);
}
