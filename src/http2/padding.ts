// Padding, which hides the length of a payload (RFC 9113, 6.1).

import type { Buffer } from 'node:buffer';
import { FLAG, type FrameHead, protocolError, wrongLength } from './protocol.ts';

/** A payload without its padding. @throws ConnectionError for more padding than payload */
export function unpadded({ flags }: FrameHead, payload: Buffer): Buffer {
  if ((flags & FLAG.padded) === 0) return payload;
  if (payload.length === 0) throw wrongLength('padding');
  const padding = payload[0]!;
  if (padding >= payload.length) throw protocolError('more padding than payload');
  return payload.subarray(1, payload.length - padding);
}
