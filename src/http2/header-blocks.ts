// Assembly of header blocks: one HEADERS frame and its CONTINUATION frames, with nothing in between.

import { Buffer } from 'node:buffer';
import { unpadded } from './padding.ts';
import { ConnectionError, ERROR, FLAG, FRAME, type FrameHead, protocolError, wrongLength } from './protocol.ts';

export interface HeaderBlock {
  readonly stream: number;
  /** Whether the stream ends with it. */
  readonly endStream: boolean;
  readonly bytes: Buffer;
}

/** An incomplete block. */
interface OpenBlock {
  readonly stream: number;
  readonly endStream: boolean;
  readonly pieces: Buffer[];
  length: number;
}

/** Maximum number of CONTINUATION frames, because small ones would be cheap to send. */
const MAX_CONTINUATIONS = 64;
const PRIORITY_BYTES = 5;

export class HeaderBlocks {
  readonly #mostBytes: number;
  #open: OpenBlock | undefined;

  /** @param mostBytes of an encoded block */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Checks every frame. @throws ConnectionError for one that is not allowed there */
  check({ type, stream }: FrameHead): void {
    const isContinuation = type === FRAME.continuation;
    if (this.#open === undefined ? isContinuation : !isContinuation || stream !== this.#open.stream) {
      throw protocolError(isContinuation ? 'CONTINUATION of nothing' : 'a frame inside a header block');
    }
  }

  /** Adds a HEADERS frame; returns the block if it is complete. @throws ConnectionError */
  begin(head: FrameHead, payload: Buffer): HeaderBlock | undefined {
    const { flags, stream } = head;
    const bytes = withoutPriority(head, unpadded(head, payload));
    const endStream = (flags & FLAG.endStream) !== 0;
    if ((flags & FLAG.endHeaders) !== 0) return { stream, endStream, bytes };
    this.#open = { stream, endStream, pieces: [bytes], length: bytes.length };
    return undefined;
  }

  /**
   * Adds a CONTINUATION frame; returns the block if it is complete. @throws ConnectionError for a block without an end
   */
  goOn({ flags }: FrameHead, payload: Buffer): HeaderBlock | undefined {
    const open = this.#open!;
    open.pieces.push(payload);
    open.length += payload.length;
    if (open.length > this.#mostBytes || open.pieces.length > MAX_CONTINUATIONS) {
      throw new ConnectionError(ERROR.enhanceYourCalm, 'a header block without an end');
    }
    if ((flags & FLAG.endHeaders) === 0) return undefined;
    this.#open = undefined;
    return { stream: open.stream, endStream: open.endStream, bytes: Buffer.concat(open.pieces, open.length) };
  }
}

/** Priorities are ignored (RFC 9113, 5.3). */
function withoutPriority({ flags, stream }: FrameHead, payload: Buffer): Buffer {
  if ((flags & FLAG.priority) === 0) return payload;
  if (payload.length < PRIORITY_BYTES) throw wrongLength('HEADERS');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === stream) throw protocolError('a stream that depends on itself');
  return payload.subarray(PRIORITY_BYTES);
}
