// The streams of one connection with data to send, round-robin by frame, within the client's windows and the socket's
// capacity.

import type { ClientBudget } from './client-budget.ts';
import type { FrameWriter } from './frame-writer.ts';
import { DEFAULT_WINDOW_BYTES, FRAME_BYTES, LARGEST_WINDOW_BYTES } from './protocol.ts';
import type { ServerStream } from './stream.ts';

export class SendQueue {
  readonly #writer: FrameWriter;
  readonly #budget: Pick<ClientBudget, 'sent'>;
  #windowBytes = DEFAULT_WINDOW_BYTES;
  #waiting: ServerStream[] = [];

  constructor(writer: FrameWriter, budget: Pick<ClientBudget, 'sent'>) {
    this.#writer = writer;
    this.#budget = budget;
  }

  /** Enlarges the connection window; false if it exceeds the maximum. */
  offer(bytes: number): boolean {
    this.#windowBytes += bytes;
    return this.#windowBytes <= LARGEST_WINDOW_BYTES;
  }

  /** The stream has data to send, or may send again. */
  add(stream: ServerStream): void {
    if (stream.isWaiting || stream.writableLength === 0) return;
    stream.isWaiting = true;
    this.#waiting.push(stream);
  }

  /** The stream has ended. */
  remove(stream: ServerStream): void {
    if (!stream.isWaiting) return;
    stream.isWaiting = false;
    this.#waiting.splice(this.#waiting.indexOf(stream), 1);
  }

  send(): void {
    while (this.#waiting.length > 0 && this.#windowBytes > 0 && !this.#writer.blocked) {
      const stream = this.#waiting.shift()!;
      stream.isWaiting = false;
      // A stream with an exhausted window returns when it is enlarged.
      if (stream.sendWindowBytes <= 0) continue;
      const most = Math.min(this.#windowBytes, stream.sendWindowBytes, FRAME_BYTES);
      const bytes = stream.sendQueued(this.#writer, most);
      this.#windowBytes -= bytes;
      this.#budget.sent(bytes, stream.writableLength === 0);
      this.add(stream);
    }
  }
}
