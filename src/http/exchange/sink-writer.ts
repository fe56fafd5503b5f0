// Writer for response bodies in chunks, over an HTTP/2 stream or an HTTP/1.1 response, which have the same interface.

import type { Buffer } from 'node:buffer';
import { type BodyWriter, clientGone } from './transport.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

/** The common part of ServerHttp2Stream and ServerResponse. */
export interface Sink {
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  write(piece: Buffer): boolean;
  end(piece?: Buffer): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
}

interface Waiter {
  readonly resume: () => void;
  readonly giveUp?: (error: Error) => void;
}

export class SinkWriter implements BodyWriter {
  readonly freesPieces = true;
  readonly #sink: Sink;
  readonly #breakOff: () => void;
  readonly #unsent: UnsentBytes;
  #waiting: Waiter[] = [];
  #over: boolean;

  /** `breakOff` ends the sink so that the client notices that the body is incomplete. */
  constructor(sink: Sink, { breakOff, unsent }: { breakOff: () => void; unsent: UnsentBytes }) {
    this.#sink = sink;
    this.#breakOff = breakOff;
    this.#unsent = unsent;
    this.#over = sink.destroyed;
    sink.on('drain', () => {
      for (const each of this.#takeWaiting()) each.resume();
    });
    sink.on('close', () => {
      this.#over = true;
      for (const each of this.#takeWaiting()) each.giveUp?.(clientGone());
    });
  }

  get closed(): boolean {
    return this.#over || this.#sink.destroyed;
  }

  get crowded(): boolean {
    return this.#unsent.crowded;
  }

  get bufferedBytes(): number {
    return this.#sink.writableLength;
  }

  write(piece: Buffer): boolean {
    return !this.closed && this.#sink.write(piece);
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(clientGone());
    if (!this.#sink.writableNeedDrain) return Promise.resolve();
    return new Promise((resume, giveUp) => this.#waiting.push({ resume, giveUp }));
  }

  onDrain(callback: () => void): void {
    this.#waiting.push({ resume: callback });
  }

  end(piece?: Buffer): void {
    if (this.closed) return;
    this.#over = true;
    this.#sink.end(piece);
  }

  destroy(): void {
    if (this.#sink.destroyed) return;
    this.#over = true;
    this.#breakOff();
  }

  #takeWaiting(): Waiter[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
