// Memory that the main thread and the thread of the store share, in which one request at a time lies. The thread sleeps
// until a request wakes it, and a commit that is done wakes the main thread: messages between threads are packed and
// unpacked, and cost more than a small commit does.

import { limits } from '../base/limits.ts';

export type RequestKind = 'read' | 'commit' | 'close';

const KINDS: readonly RequestKind[] = ['read', 'commit', 'close'];

/** Counts of the requests that were made, and of the commits among them that are done; the last request's kind and size. */
const MADE = 0;
const DONE = 1;
const KIND = 2;
const LENGTH = 3;
const HEAD_BYTES = 16;
const FIRST_BYTES = 64 * 1024;

export class CommitMailbox {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array<SharedArrayBuffer>;
  #body: Buffer<SharedArrayBuffer>;
  #taken = 0;
  /** Commits that were sent, counted as those that are done are. */
  #sent = 0;

  /** @param memory that of the mailbox in the other thread */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(FIRST_BYTES, { maxByteLength: limits.storeMailboxBytes });
    this.#head = new Int32Array(this.memory, 0, HEAD_BYTES / 4);
    this.#body = Buffer.from(this.memory, HEAD_BYTES);
  }

  /** Where the content of the next request goes. Throws RangeError for more than limits.storeMailboxBytes. */
  space(length: number): Buffer<SharedArrayBuffer> {
    if (length > this.#body.length) {
      // Twice as much, or memory would grow with each request that is a little longer than those before.
      const wanted = Math.min(2 * (HEAD_BYTES + length), limits.storeMailboxBytes);
      this.memory.grow(Math.max(wanted, HEAD_BYTES + length));
    }
    return this.#contentOf(length);
  }

  /** Wakes the store's thread. The request's content is what was last written into `space`. */
  send(kind: RequestKind, length = 0): void {
    this.#head[KIND] = KINDS.indexOf(kind);
    this.#head[LENGTH] = length;
    Atomics.add(this.#head, MADE, 1);
    Atomics.notify(this.#head, MADE);
  }

  /** As `send`, for a commit. One that fails is never done, and says so by other means. */
  sendCommit(length: number): void {
    this.#sent = (this.#sent + 1) | 0;
    this.send('commit', length);
  }

  /** Whether every commit that was sent is on the disk. */
  get allDone(): boolean {
    return this.done === this.#sent;
  }

  /** How many commits are on the disk; after 2^31 - 1 it goes on at -2^31. */
  get done(): number {
    return Atomics.load(this.#head, DONE);
  }

  /** Resolves when `done` is no longer what it was. */
  async doneAfter(before: number): Promise<void> {
    await Atomics.waitAsync(this.#head, DONE, before).value;
  }

  /** Blocks until there is a request. For the store's thread. */
  take(): { readonly kind: RequestKind; readonly content: Buffer<SharedArrayBuffer> } {
    Atomics.wait(this.#head, MADE, this.#taken);
    this.#taken = Atomics.load(this.#head, MADE);
    const kind = KINDS[this.#head[KIND] as number] as RequestKind;
    return { kind, content: this.#contentOf(this.#head[LENGTH] as number) };
  }

  /** Says that the commit that was taken is on the disk. */
  finish(): void {
    Atomics.add(this.#head, DONE, 1);
    Atomics.notify(this.#head, DONE);
  }

  #contentOf(length: number): Buffer<SharedArrayBuffer> {
    if (length > this.#body.length) this.#body = Buffer.from(this.memory, HEAD_BYTES);
    return this.#body.subarray(0, length);
  }
}
