// The server's side of an HTTP/1.1 connection: reads one request after the other, like Go's server. The next one is read
// when the response to the one before it has been written and its body has been received.

import type { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../base/clock.ts';
import type { SpareBuffers } from '../base/spare-buffers.ts';
import { ChunkDecoder } from './chunks.ts';
import { Input } from './input.ts';
import { badRequest, Refusal } from './refusal.ts';
import { RequestBody } from './request-body.ts';
import { HeadReader, type RequestHead } from './request-head.ts';
import { ServerResponse } from './response.ts';

interface Http1Limits {
  /** Bytes of a head. */
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly headTimeoutMs: number;
  /** How long the client may go on to send a body after the response, and after the last response of a connection. */
  readonly lingerMs: number;
  /** Bytes that the client may send ahead of a response; it is not read further. */
  readonly aheadBytes: number;
}

interface Http1ConnectionOptions {
  readonly socket: Duplex;
  readonly limits: Http1Limits;
  readonly clock: Clock;
  /** The value of the Date header. */
  readonly date: () => string;
  /** Made by `responseBuffers`, for all connections of a listener. */
  readonly spares: SpareBuffers<Buffer>;
  /** Whether the server is about to close the connection. */
  readonly isRetiring: () => boolean;
  readonly onRequest: (request: ServerRequest) => void;
  /** Runs a handler of a socket event: an exception closes the connection, never the process. */
  readonly guard: (work: () => void) => void;
}

/** A request and its response. */
export interface ServerRequest {
  readonly head: RequestHead;
  /** Undefined if the request has no body. */
  readonly body: RequestBody | undefined;
  readonly response: ServerResponse;
  /** Hands the raw connection over, with the bytes that have arrived. */
  takeOver(): { readonly socket: Duplex; readonly head: Buffer };
}

/** An unread body of so many bytes costs more than a new connection. Go's value. */
const DISCARDED_BYTES = 256 * 1024;
/** What Go's server reads ahead of its limit. */
const SLOP_BYTES = 4096;
const LF = 0x0a;
const CR = 0x0d;

type Stage = 'head' | 'body' | 'response' | 'over';

export class Http1Connection {
  readonly #options: Http1ConnectionOptions;
  readonly #socket: Duplex;
  #stage: Stage = 'head';
  readonly #input = new Input();
  #reader = new HeadReader();
  /** Bytes of the head so far, and fields in it. */
  #headBytes = 0;
  #headLines = 0;
  #afterPost = false;
  /** The client has ended its side. */
  #hasEnded = false;
  #body: RequestBody | undefined;
  #chunks: ChunkDecoder | undefined;
  #response: ServerResponse | undefined;
  #timer: Timer | undefined;
  readonly #onData = (bytes: Buffer) => this.#options.guard(() => this.#receive(bytes));
  readonly #onEnd = () => this.#options.guard(() => this.#ended());
  readonly #onDrain = () => this.#options.guard(() => this.#response?.drained());

  constructor(options: Http1ConnectionOptions) {
    this.#options = options;
    this.#socket = options.socket;
    // A client may end its side and still read the response.
    this.#socket.allowHalfOpen = true;
    this.#await();
    this.#socket.on('drain', this.#onDrain).on('end', this.#onEnd).on('data', this.#onData);
    this.#socket.once('close', () => options.guard(() => this.#closed()));
  }

  #receive(bytes: Buffer): void {
    if (this.#stage === 'over') return;
    this.#input.add(bytes);
    // What has arrived of a head so far has no line end.
    this.#advance(this.#stage === 'head' && !bytes.includes(LF));
  }

  #advance(isPartOfLine = false): void {
    try {
      if (isPartOfLine) this.#awaitLine();
      else while (this.#stage === 'head' ? this.#readHead() : this.#stage === 'body' && this.#readBody());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refuse(error);
    }
    if (this.#stage === 'response' && this.#input.length > this.#options.limits.aheadBytes) this.#socket.pause();
  }

  /** Reads the lines of a head that are there. @returns whether it is complete */
  #readHead(): boolean {
    if (this.#afterPost) this.#skipBlankLines();
    for (let end = this.#input.bytes.indexOf(LF); end >= 0; end = this.#input.bytes.indexOf(LF)) {
      const head = this.#readLine(end, end + 1);
      if (head === undefined) continue;
      this.#begin(head);
      return true;
    }
    this.#awaitLine();
    return false;
  }

  #awaitLine(): void {
    const bytes = this.#headBytes + this.#input.length;
    this.#checkSize(bytes);
    if (this.#timer === undefined && bytes > 0) this.#await();
  }

  #readLine(end: number, next: number): RequestHead | undefined {
    const { bytes } = this.#input;
    const text = bytes.toString('latin1', 0, end > 0 && bytes[end - 1] === CR ? end - 1 : end);
    this.#headBytes += next;
    this.#checkSize(this.#headBytes);
    this.#input.skip(next);
    if (++this.#headLines > this.#options.limits.headerFields + 2) throw tooLarge();
    return this.#reader.line(text);
  }

  #checkSize(bytes: number): void {
    if (bytes > this.#options.limits.headerBytes + SLOP_BYTES) throw tooLarge();
  }

  /** Some old clients send a line end after the body of a POST (RFC 9112, 2.2). */
  #skipBlankLines(): void {
    const { bytes } = this.#input;
    let at = 0;
    while (at < Math.min(4, bytes.length) && (bytes[at] === CR || bytes[at] === LF)) at++;
    this.#input.skip(at);
    if (this.#input.length > 0) this.#afterPost = false;
  }

  /** Starts the time for a head. */
  #await(): void {
    this.#timer = this.#options.clock.after(this.#options.limits.headTimeoutMs, () => this.#socket.destroy());
  }

  #begin(head: RequestHead): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#reader = new HeadReader();
    this.#headBytes = 0;
    this.#headLines = 0;
    this.#afterPost = head.method === 'POST';
    this.#stage = head.body === 0 ? 'response' : 'body';
    this.#body = head.body === 0 ? undefined : new RequestBody(this.#socket, head);
    this.#chunks = head.body === 'chunked' ? new ChunkDecoder() : undefined;
    const response = new ServerResponse(
      {
        socket: this.#socket,
        date: this.#options.date,
        spares: this.#options.spares,
        mustClose: () => this.#options.isRetiring() || !this.#isWorthReading(),
        responded: (keepsAlive) => this.#responded(keepsAlive),
      },
      head,
    );
    this.#response = response;
    const expected = head.headers['expect'] ?? '';
    if (expected !== '' && !expectsContinue(expected)) response.respond(417, { connection: 'close' }, undefined);
    else if (head.method === 'OPTIONS' && head.requestTarget === '*')
      response.respond(200, { 'content-length': 0 }, '');
    else this.#options.onRequest({ head, body: this.#body, response, takeOver: () => this.#takeOver() });
  }

  /** Whether the rest of the body is read so that the connection can be used again. */
  #isWorthReading(): boolean {
    const body = this.#body;
    if (body === undefined || body.isComplete) return true;
    return !body.awaitsContinue && !body.isMalformed && (body.missingBytes ?? 0) < DISCARDED_BYTES;
  }

  /** @returns whether the body is complete */
  #readBody(): boolean {
    const body = this.#body!;
    const input = this.#input.bytes;
    if (this.#chunks !== undefined) {
      try {
        this.#input.bytes = this.#chunks.decode(input, (piece) => body.arrives(piece));
      } catch (error) {
        this.#stage = 'over';
        body.isMalformed = true;
        body.destroy(error as Error);
        return false;
      }
      if (!this.#chunks.isOver) return false;
    } else {
      const piece = input.subarray(0, body.missingBytes);
      this.#input.skip(piece.length);
      if (piece.length > 0) body.arrives(piece);
      if (body.missingBytes! > 0) return false;
    }
    body.completes();
    this.#stage = 'response';
    if (this.#response?.destroyed === true) this.#next();
    return this.#stage !== 'response';
  }

  #responded(keepsAlive: boolean): void {
    if (!keepsAlive || this.#hasEnded) this.#end();
    else if (this.#isReceived()) {
      this.#next();
      this.#advance();
    } else {
      this.#body!.resume();
      this.#linger();
    }
  }

  #isReceived(): boolean {
    return this.#body === undefined || this.#body.isComplete;
  }

  /** Whatever the client still sends is waited for only so long. */
  #linger(): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(this.#options.limits.lingerMs, () => this.#socket.destroy());
  }

  #next(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#body = undefined;
    this.#response = undefined;
    this.#stage = 'head';
    this.#socket.resume();
  }

  #refuse(refusal: Refusal): void {
    this.#socket.write(refusal.response, 'latin1');
    this.#end();
  }

  /**
   * Ends the connection after what has been written. The client may still be sending: closing immediately would reset
   * the connection and lose the response, so the rest is discarded for a while.
   */
  #end(): void {
    const isQuiet = this.#stage === 'response' && this.#input.length === 0;
    this.#stage = 'over';
    this.#input.clear();
    this.#linger();
    this.#body?.destroy();
    this.#socket.end(() => isQuiet && this.#socket.destroy());
    this.#socket.resume();
  }

  /**
   * The client sends nothing more. A complete request is answered if that does not take long, and the beginning of one
   * like a malformed one.
   */
  #ended(): void {
    this.#hasEnded = true;
    if (this.#stage === 'body') this.#body?.cut();
    if (this.#stage === 'body' || this.#stage === 'response') {
      this.#linger();
      this.#response?.gone();
    }
    if (this.#stage !== 'head') return;
    if (this.#reader.isEmpty && this.#input.length === 0) {
      this.#socket.end();
      return;
    }
    try {
      const end = this.#input.length;
      if (end > 0) this.#readLine(end, end);
      throw badRequest();
    } catch (error) {
      this.#refuse(error as Refusal);
    }
  }

  #takeOver(): { socket: Duplex; head: Buffer } {
    const head = this.#input.bytes;
    this.#stage = 'over';
    this.#input.clear();
    const socket = this.#socket;
    socket.allowHalfOpen = false;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain);
    // Nothing is read before the new owner listens.
    socket.readableFlowing = null;
    return { socket, head };
  }

  #closed(): void {
    this.#stage = 'over';
    this.#timer?.cancel();
    this.#body?.cut();
    this.#response?.close();
  }
}

function tooLarge(): Refusal {
  return new Refusal('431 Request Header Fields Too Large');
}

/** Whether a client waits for `100 Continue` before it sends its body. */
function expectsContinue(expected: string): boolean {
  return /(?:^|[ ,\t])100-continue(?:$|[ ,\t])/i.test(expected);
}
