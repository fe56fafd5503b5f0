// The server's side of a SPDY/3.1 connection, as a kubelet serves exec, attach and port forwarding: the client opens streams, whose
// headers say what they are for, and data is sent in them. For kubelets that are simulated within this process.

import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { constants, createInflate, type Inflate } from 'node:zlib';
import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import { drained } from './drained.ts';
import { uint32 } from './spdy-connection.ts';
import { spdyDictionary } from './spdy-dictionary.ts';

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const VERSION = 0x8003;
const FIN = 1;
const HEAD_BYTES = 8;
/** Before the headers of a new stream: its number, that of its parent, and its priority. */
const STREAM_BYTES = 10;
/** A zlib stream with SPDY's dictionary and no headers, and one that continues it. */
const FIRST_REPLY = Buffer.from('78bbe3c6a7c2000400fbff000000000000' + '00ffff', 'hex');
const NEXT_REPLY = Buffer.from('000400fbff000000000000' + '00ffff', 'hex');

interface SpdyServerOptions {
  /** A stream has been opened. Names of headers are in lower case. */
  readonly opened: (streamType: string, id: number, headers: ReadonlyMap<string, string>) => void;
  /** Data of the client has arrived in a stream, or its end. What follows is read once the promise resolves. */
  readonly received?: (id: number, data: Buffer, isLast: boolean) => Soon<void>;
  /** The client has left. */
  readonly closed: () => void;
}

export class SpdyServer {
  readonly #socket: Duplex;
  readonly #options: SpdyServerOptions;
  readonly #inflate: Inflate = createInflate({ dictionary: spdyDictionary(), finishFlush: constants.Z_SYNC_FLUSH });
  #replied = false;

  constructor(socket: Duplex, options: SpdyServerOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Reads until the connection ends. Never rejects. */
  async read(): Promise<void> {
    let waiting: Buffer = Buffer.alloc(0);
    try {
      for await (const piece of this.#socket as AsyncIterable<Buffer>) {
        waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
        for (let length = frameLength(waiting); waiting.length >= length; length = frameLength(waiting)) {
          if (!(await this.#frame(waiting.subarray(0, length)))) return;
          waiting = waiting.subarray(length);
        }
      }
    } catch {
      // A client that breaks the connection, or the protocol, has left.
    } finally {
      this.#inflate.destroy();
      this.#socket.destroy();
      this.#options.closed();
    }
  }

  /** Sends data in a stream. Resolves when more may be sent. */
  async send(id: number, data: string | Buffer): Promise<void> {
    if (this.#socket.destroyed || data.length === 0) return;
    this.#write(id, 0, typeof data === 'string' ? Buffer.from(data) : data);
    await drained(this.#socket);
  }

  /** Ends this side of a stream. */
  end(id: number): void {
    if (!this.#socket.destroyed) this.#write(id, FIN, Buffer.alloc(0));
  }

  close(): void {
    this.#socket.end();
  }

  /** Handles a frame. Returns false for the last one. */
  async #frame(frame: Buffer): Promise<boolean> {
    const first = frame.readUInt32BE(0);
    const { received } = this.#options;
    if (first >>> 31 === 0) {
      const isLast = (frame[4]! & FIN) !== 0;
      await received?.(first, frame.subarray(HEAD_BYTES), isLast);
      return true;
    }
    if (first >>> 16 !== VERSION) return false;
    const type = first & 0xffff;
    if (type === RST_STREAM) await received?.(frame.readUInt32BE(HEAD_BYTES), Buffer.alloc(0), true);
    if (type === GOAWAY) return false;
    if (type === PING) this.#socket.write(frame);
    if (type === SYN_STREAM) await this.#open(frame.subarray(HEAD_BYTES));
    return true;
  }

  async #open(content: Buffer): Promise<void> {
    const id = content.readUInt32BE(0);
    const headers = headersIn(await this.#inflated(content.subarray(STREAM_BYTES)));
    const block = this.#replied ? NEXT_REPLY : FIRST_REPLY;
    this.#replied = true;
    this.#write((VERSION * 0x1_0000 + SYN_REPLY) >>> 0, 0, Buffer.concat([uint32(id), block]));
    this.#options.opened(headers.get('streamtype') ?? '', id, headers);
  }

  /** All header blocks of a connection are one compressed text. */
  #inflated(block: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      const collect = (piece: Buffer) => pieces.push(piece);
      this.#inflate.on('data', collect).once('error', reject);
      this.#inflate.write(block, () => {
        // What has been decompressed is handed out before the next turn of the event loop.
        setImmediate(() => {
          this.#inflate.off('data', collect).off('error', reject);
          resolve(Buffer.concat(pieces));
        });
      });
    });
  }

  #write(first: number, flags: number, content: Buffer): void {
    this.#socket.write(Buffer.concat([uint32(first), uint32(flags * 0x100_0000 + content.length), content]));
  }
}

/** The length of the first frame; more than has arrived if that is unknown. @throws Error for a frame that is too long */
function frameLength(waiting: Buffer): number {
  if (waiting.length < HEAD_BYTES) return Number.POSITIVE_INFINITY;
  const length = waiting.readUInt32BE(4) & 0xff_ffff;
  if (length > limits.tunnelMessageBytes) throw new Error('a frame is too long');
  return HEAD_BYTES + length;
}

function headersIn(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const next = () => {
    const length = block.readUInt32BE(at);
    const text = block.subarray(at + 4, at + 4 + length).toString();
    at += 4 + length;
    return text;
  };
  for (let left = block.readUInt32BE(0); left > 0; left--) {
    const name = next();
    headers.set(name, next());
  }
  return headers;
}
