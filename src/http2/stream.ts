// One request and its answer on an HTTP/2 connection. The body of the request waits here until somebody reads it, as
// much of it as its window lets come; what is written of the answer waits here until the client's windows let it go.

import type { Buffer } from 'node:buffer';
import { BodyPieces } from './body-pieces.ts';
import type { FrameWriter } from './frame-writer.ts';
import { ERROR, FLAG, FRAME } from './protocol.ts';
import type { ReceiveWindow } from './receive-window.ts';
import type { RequestHead } from './request-head.ts';

/** The connection, as its streams see it. */
export interface StreamOwner {
  sendHead(stream: ServerStream, head: OutgoingHead): void;
  /** Sends what the stream has queued as soon as that can be. */
  send(stream: ServerStream): void;
  sendEnd(stream: ServerStream): void;
  /** So many bytes of the request's body are done with. */
  done(stream: ServerStream, bytes: number): void;
  reset(stream: ServerStream, code: number): void;
  /** What the stream has queued and could not send is more or less than before. */
  unsent(stream: ServerStream): void;
  closed(stream: ServerStream): void;
}

/** Names in lower case. */
type OutgoingHeaders = Readonly<Record<string, string | number | readonly string[]>>;

export interface OutgoingHead {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  /** Whether no body follows. */
  readonly endStream: boolean;
}

/** Takes the body of a request. What it was given it tells `done`, or the client may send no more. */
export interface BodyReader {
  piece(bytes: Buffer): void;
  end(): void;
  /** The body ended before it was whole. */
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
  /** What the client takes of this stream. */
  sendWindowBytes: number;
  /** Whether the connection knows that something is queued here. */
  isWaiting = false;
  /** The client has sent all. */
  remoteEnded: boolean;
  headSent = false;
  /** What came of the request's body and is not done with: the connection's window is smaller by so much. */
  heldBytes = 0;
  /** Both sides are through, or one has broken it off. */
  destroyed = false;
  readonly #owner: StreamOwner;
  /** What has come before there was a reader. */
  #arrived: BodyPieces | undefined;
  #arrivedBytes = 0;
  #reader: BodyReader | undefined;
  #pieces: Buffer[] = [];
  /** What has gone of the first piece. */
  #sent = 0;
  #ending = false;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void)[] = [];
  /** Whether what is queued has been told as unsent. */
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

  /** Gives the body to a reader, first what has come already. */
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

  /** Tells that so many bytes that were read are done with, so that as many more may come. */
  done(bytes: number): void {
    if (this.destroyed) return;
    this.heldBytes -= bytes;
    this.#owner.done(this, bytes);
  }

  /** Tells a client that waits for it to go on with the body. */
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

  /** False: what was written waits for the client, and 'drain' follows when nothing does any more. */
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

  /** Breaks the stream off. */
  reset(code: number): void {
    if (this.destroyed) return;
    this.#owner.reset(this, code);
    this.close();
  }

  /** Breaks the stream off because its client takes nothing of it. */
  cutOff(): void {
    this.reset(ERROR.enhanceYourCalm);
  }

  /** Takes a piece of the request's body; false: it is longer or shorter than the client said. */
  arrive(bytes: Buffer, isLast: boolean): boolean {
    this.#arrivedBytes += bytes.length;
    const { contentLength } = this.head;
    if (contentLength !== undefined) {
      if (isLast ? this.#arrivedBytes !== contentLength : this.#arrivedBytes > contentLength) return false;
    }
    if (bytes.length > 0) {
      if (this.#reader === undefined) (this.#arrived ??= new BodyPieces()).add(bytes);
      else this.#reader.piece(bytes);
    }
    if (isLast && !this.destroyed) this.#remoteEnd();
    return true;
  }

  /** Sends one frame of what is queued, of at most so many bytes, and says how many they were. */
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

  /** The stream is over. The connection calls it for streams that end with it. */
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
      // What is written until then waits for the client again, and for the next 'drain'.
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

  /** A client that was answered before all of its body came is told to send no more of it (RFC 9113, 8.1). */
  #localEnd(): void {
    if (this.remoteEnded) this.close();
    else this.reset(ERROR.none);
  }
}
