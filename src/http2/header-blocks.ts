// Header blocks put together: a block is one HEADERS frame and the CONTINUATION frames behind it, with nothing between.

import { Buffer } from 'node:buffer';
import { unpadded } from './padding.ts';
import { ConnectionError, ERROR, FLAG, FRAME, type FrameHead, protocolError, wrongLength } from './protocol.ts';

export interface HeaderBlock {
  readonly stream: number;
  /** Whether nothing follows on the stream. */
  readonly endStream: boolean;
  readonly bytes: Buffer;
}

/** What has come of a block. */
interface OpenBlock {
  readonly stream: number;
  readonly endStream: boolean;
  readonly pieces: Buffer[];
  length: number;
}

/** Frames that a block may be cut into beside the first: small ones could be many for nothing. */
const MAX_CONTINUATIONS = 64;
const PRIORITY_BYTES = 5;

export class HeaderBlocks {
  readonly #mostBytes: number;
  #open: OpenBlock | undefined;

  /** @param mostBytes of one block, as it is sent */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Looks at every frame. @throws ConnectionError for one that has no place where it stands */
  check({ type, stream }: FrameHead): void {
    const isContinuation = type === FRAME.continuation;
    if (this.#open === undefined ? isContinuation : !isContinuation || stream !== this.#open.stream) {
      throw protocolError(isContinuation ? 'CONTINUATION of nothing' : 'a frame inside a header block');
    }
  }

  /** Takes a HEADERS frame; the block, when that is all of it. @throws ConnectionError */
  begin(head: FrameHead, payload: Buffer): HeaderBlock | undefined {
    const { flags, stream } = head;
    const bytes = withoutPriority(head, unpadded(head, payload));
    const endStream = (flags & FLAG.endStream) !== 0;
    if ((flags & FLAG.endHeaders) !== 0) return { stream, endStream, bytes };
    this.#open = { stream, endStream, pieces: [bytes], length: bytes.length };
    return undefined;
  }

  /** Takes a CONTINUATION frame; the block, when it is whole. @throws ConnectionError for a block without an end */
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

/** Priorities are read over (RFC 9113, 5.3). */
function withoutPriority({ flags, stream }: FrameHead, payload: Buffer): Buffer {
  if ((flags & FLAG.priority) === 0) return payload;
  if (payload.length < PRIORITY_BYTES) throw wrongLength('HEADERS');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === stream) throw protocolError('a stream that depends on itself');
  return payload.subarray(PRIORITY_BYTES);
}
