// The streams of one connection that have something to send, in turn a frame each, as far as the client's windows and
// the socket let them.

import type { FrameWriter } from './frame-writer.ts';
import { DEFAULT_WINDOW_BYTES, FRAME_BYTES, LARGEST_WINDOW_BYTES } from './protocol.ts';
import type { ServerStream } from './stream.ts';

export class SendQueue {
  readonly #writer: FrameWriter;
  #windowBytes = DEFAULT_WINDOW_BYTES;
  #waiting: ServerStream[] = [];

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** The client takes so many bytes more; false: more than a window can hold. */
  offer(bytes: number): boolean {
    this.#windowBytes += bytes;
    return this.#windowBytes <= LARGEST_WINDOW_BYTES;
  }

  /** The stream has something to send, or may send again. */
  add(stream: ServerStream): void {
    if (stream.isWaiting || stream.writableLength === 0) return;
    stream.isWaiting = true;
    this.#waiting.push(stream);
  }

  /** The stream is over. */
  remove(stream: ServerStream): void {
    if (!stream.isWaiting) return;
    stream.isWaiting = false;
    this.#waiting.splice(this.#waiting.indexOf(stream), 1);
  }

  send(): void {
    while (this.#waiting.length > 0 && this.#windowBytes > 0 && !this.#writer.blocked) {
      const stream = this.#waiting.shift()!;
      stream.isWaiting = false;
      // One whose own window is closed comes back when it opens.
      if (stream.sendWindowBytes <= 0) continue;
      const most = Math.min(this.#windowBytes, stream.sendWindowBytes, FRAME_BYTES);
      this.#windowBytes -= stream.sendQueued(this.#writer, most);
      this.add(stream);
    }
  }
}
