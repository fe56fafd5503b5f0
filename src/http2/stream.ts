// A request and its response on an HTTP/2 connection. The body of the request is buffered until it is read, limited by
// the flow-control window; the response is buffered until the client's windows permit sending it.

import { Buffer } from 'node:buffer';
import { SmallPieces } from '../base/small-pieces.ts';
import type { FrameWriter } from './frame-writer.ts';
import { ERROR, FLAG, FRAME } from './protocol.ts';
import type { ReceiveWindow } from './receive-window.ts';
import type { RequestHead } from './request-head.ts';

/** The connection as seen by its streams. */
export interface StreamOwner {
  sendHead(stream: ServerStream, head: OutgoingHead): void;
  /** Sends the stream's data as soon as possible. */
  send(stream: ServerStream): void;
  sendEnd(stream: ServerStream): void;
  /** So many bytes of the request's body were consumed. */
  done(stream: ServerStream, bytes: number): void;
  reset(stream: ServerStream, code: number): void;
  /** The number of unsent bytes of the stream has changed. */
  unsent(stream: ServerStream): void;
  closed(stream: ServerStream): void;
}

/** Names in lower case. */
type OutgoingHeaders = Readonly<Record<string, string | number | readonly string[]>>;

export interface OutgoingHead {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  /** Whether there is no body. */
  readonly endStream: boolean;
}

/** The reader of a body. It must report consumed bytes to `done`, or the client may not send more. */
export interface BodyReader {
  piece(bytes: Buffer): void;
  end(): void;
  /** The body ended before it was complete. */
  cut(): void;
}

interface StreamInit {
  readonly id: number;
  readonly head: RequestHead;
  readonly endAfterHead: boolean;
  readonly owner: StreamOwner;
  readonly receiveWindow: ReceiveWindow;
  readonly sendWindowBytes: number;
}

export class ServerStream {
  readonly id: number;
  readonly head: RequestHead;
  /** Whether the request has no body. */
  readonly endAfterHead: boolean;
  readonly receiveWindow: ReceiveWindow;
  /** The client's window of this stream. */
  sendWindowBytes: number;
  /** Whether the connection has this stream in its send queue. */
  isWaiting = false;
  /** The client has ended the stream. */
  remoteEnded: boolean;
  headSent = false;
  /** Received bytes that have not been consumed: the connection's window is smaller by them. */
  heldBytes = 0;
  /** Both sides have ended, or one has reset the stream. */
  destroyed = false;
  readonly #owner: StreamOwner;
  /** Data received before there was a reader. */
  #arrived: SmallPieces<Buffer> | undefined;
  #arrivedBytes = 0;
  #reader: BodyReader | undefined;
  #pieces: Buffer[] = [];
  /** Sent bytes of the first chunk. */
  #sent = 0;
  #ending = false;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void)[] = [];
  /** Whether unsent bytes have been reported. */
  #isHeldUp = false;
  writableLength = 0;
  writableNeedDrain = false;

  constructor({ id, head, endAfterHead, owner, receiveWindow, sendWindowBytes }: StreamInit) {
    this.id = id;
    this.head = head;
    this.endAfterHead = endAfterHead;
    this.remoteEnded = endAfterHead;
    this.#owner = owner;
    this.receiveWindow = receiveWindow;
    this.sendWindowBytes = sendWindowBytes;
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    if (event === 'close') this.#onClose.push(listener);
    else this.#onDrain = listener;
  }

  /** Passes the body to a reader, beginning with buffered data. */
  read(reader: BodyReader): void {
    this.#reader = reader;
    if (this.destroyed) {
      reader.cut();
      return;
    }
    const arrived = this.#arrived?.take() ?? [];
    this.#arrived = undefined;
    for (const bytes of arrived) reader.piece(bytes);
    if (this.remoteEnded) reader.end();
  }

  /** Reports consumed bytes, so that as many more may be received. */
  done(bytes: number): void {
    if (this.destroyed) return;
    this.heldBytes -= bytes;
    this.#owner.done(this, bytes);
  }

  /** Sends 100 Continue. */
  sendContinue(): void {
    if (!this.destroyed) this.#owner.sendHead(this, { status: 100, headers: {}, endStream: false });
  }

  sendHead(status: number, headers: OutgoingHeaders, endStream: boolean): void {
    if (this.destroyed || this.headSent) return;
    this.headSent = true;
    this.#ending = endStream;
    this.#owner.sendHead(this, { status, headers, endStream });
    if (endStream) this.#localEnd();
  }

  /** False: the data is buffered, and 'drain' follows when nothing is. */
  write(piece: Buffer): boolean {
    if (this.destroyed || this.#ending) return false;
    this.#queue(piece);
    this.writableNeedDrain = this.writableLength > 0;
    return !this.writableNeedDrain;
  }

  end(piece?: Buffer): void {
    if (this.destroyed || this.#ending) return;
    this.#ending = true;
    if (piece !== undefined && piece.length > 0) this.#queue(piece);
    else if (this.writableLength === 0) {
      this.#owner.sendEnd(this);
      this.#localEnd();
    }
  }

  /** Resets the stream. */
  reset(code: number): void {
    if (this.destroyed) return;
    this.#owner.reset(this, code);
    this.close();
  }

  /** Resets the stream because its client does not read. */
  cutOff(): void {
    this.reset(ERROR.enhanceYourCalm);
  }

  /** Receives a chunk of the request's body; false if it contradicts the announced length. */
  arrive(bytes: Buffer, isLast: boolean): boolean {
    this.#arrivedBytes += bytes.length;
    const { contentLength } = this.head;
    if (contentLength !== undefined) {
      if (isLast ? this.#arrivedBytes !== contentLength : this.#arrivedBytes > contentLength) return false;
    }
    if (bytes.length > 0) {
      if (this.#reader === undefined) (this.#arrived ??= new SmallPieces(Buffer.allocUnsafeSlow)).add(bytes);
      else this.#reader.piece(bytes);
    }
    if (isLast && !this.destroyed) this.#remoteEnd();
    return true;
  }

  /** Sends one frame of buffered data, of at most so many bytes, and returns their number. */
  sendQueued(writer: FrameWriter, most: number): number {
    const piece = this.#pieces[0]!;
    const bytes = writer.dataRoom(Math.min(most, piece.length - this.#sent));
    const isLast = this.#ending && bytes === this.writableLength;
    const head = { type: FRAME.data, flags: isLast ? FLAG.endStream : 0, stream: this.id };
    writer.frame(head, piece.subarray(this.#sent, this.#sent + bytes));
    this.#sent += bytes;
    this.writableLength -= bytes;
    this.sendWindowBytes -= bytes;
    if (this.#sent === piece.length) {
      this.#pieces.shift();
      this.#sent = 0;
    }
    if (this.#isHeldUp) this.#owner.unsent(this);
    if (this.writableLength === 0) {
      this.#isHeldUp = false;
      this.#sentAll();
    }
    return bytes;
  }

  /** The stream has ended. Called by the connection when it ends. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#pieces = [];
    this.writableLength = 0;
    if (this.#isHeldUp) this.#owner.unsent(this);
    this.#arrived = undefined;
    if (this.heldBytes > 0) this.#owner.done(this, this.heldBytes);
    this.#owner.closed(this);
    if (!this.remoteEnded) this.#reader?.cut();
    for (const listener of this.#onClose) listener();
  }

  #queue(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.writableLength += piece.length;
    this.#owner.send(this);
    if (this.writableLength === 0) return;
    this.#isHeldUp = true;
    this.#owner.unsent(this);
  }

  #sentAll(): void {
    if (this.#ending) this.#localEnd();
    else if (this.writableNeedDrain) {
      this.writableNeedDrain = false;
      // Data written until then is buffered again, until the next 'drain'.
      queueMicrotask(() => {
        if (!this.writableNeedDrain) this.#onDrain?.();
      });
    }
  }

  #remoteEnd(): void {
    this.remoteEnded = true;
    this.#reader?.end();
    if (this.#ending && this.writableLength === 0) this.close();
  }

  /** A client that gets a response before its whole body was received is asked to stop sending (RFC 9113, 8.1). */
  #localEnd(): void {
    if (this.remoteEnded) this.close();
    else this.reset(ERROR.none);
  }
}
