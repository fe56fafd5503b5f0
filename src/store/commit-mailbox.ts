// Memory shared by the main thread and the store's thread, which holds one request at a time. The thread sleeps until a
// request wakes it, and a completed commit wakes the main thread: messages between threads are serialized, which costs
// more than a small commit.

import { limits } from '../base/limits.ts';

export type RequestKind = 'read' | 'commit' | 'close';

const KINDS: readonly RequestKind[] = ['read', 'commit', 'close'];

/**
 * The words of the header: the number of requests; the number of the latest completed commit; and kind, length and, for
 * a commit, number of the latest request.
 */
const MADE = 0;
const DONE = 1;
const KIND = 2;
const LENGTH = 3;
const NUMBER = 4;
const HEAD_BYTES = 24;
const FIRST_BYTES = 64 * 1024;

/** The part of Atomics that the mailbox uses; tests supply their own to try every interleaving of the two threads. */
export type MailboxAtomics = Pick<typeof Atomics, 'load' | 'store' | 'wait' | 'waitAsync' | 'notify'>;

export class CommitMailbox {
  readonly memory: SharedArrayBuffer;
  readonly #atomics: MailboxAtomics;
  readonly #head: Int32Array<SharedArrayBuffer>;
  #body: Buffer<SharedArrayBuffer>;
  #made = 0;
  #taken = 0;
  /** The number of the latest sent commit. Numbers wrap around from 2^31 - 1 to -2^31. */
  #sent = 0;
  /** The number of the latest received commit. */
  #number = 0;

  /** @param memory of the mailbox in the other thread */
  constructor(memory?: SharedArrayBuffer, atomics: MailboxAtomics = Atomics) {
    this.memory = memory ?? new SharedArrayBuffer(FIRST_BYTES, { maxByteLength: limits.storeMailboxBytes });
    this.#atomics = atomics;
    this.#head = new Int32Array(this.memory, 0, HEAD_BYTES / 4);
    this.#body = Buffer.from(this.memory, HEAD_BYTES);
  }

  /** The buffer for the next request. Throws RangeError for more than limits.storeMailboxBytes. */
  space(length: number): Buffer<SharedArrayBuffer> {
    if (length > this.#body.length) {
      // Doubled, because otherwise the memory would grow with each request that is slightly longer than those before.
      const wanted = Math.min(2 * (HEAD_BYTES + length), limits.storeMailboxBytes);
      this.memory.grow(Math.max(wanted, HEAD_BYTES + length));
    }
    return this.#contentOf(length);
  }

  /**
   * Wakes the store's thread. The request's content is what was last written into `space`. The previous request must
   * have been answered.
   */
  send(kind: RequestKind, length = 0): void {
    this.#made = (this.#made + 1) | 0;
    this.#atomics.store(this.#head, KIND, KINDS.indexOf(kind));
    this.#atomics.store(this.#head, LENGTH, length);
    this.#atomics.store(this.#head, NUMBER, this.#sent);
    this.#atomics.store(this.#head, MADE, this.#made);
    this.#atomics.notify(this.#head, MADE);
  }

  /** Like `send`, for a commit. A failed commit is never done, and reports its error by other means. */
  sendCommit(length: number): void {
    this.#sent = (this.#sent + 1) | 0;
    this.send('commit', length);
  }

  /** Records that the latest commit failed: the next one takes its number. */
  forgetCommit(): void {
    this.#sent = (this.#sent - 1) | 0;
  }

  /** Whether every sent commit is on disk. */
  get allDone(): boolean {
    return this.done === this.#sent;
  }

  /** The number of the latest commit on disk. */
  get done(): number {
    return this.#atomics.load(this.#head, DONE);
  }

  /** Resolves when `done` may have changed; a delayed wake-up may resolve it early. */
  async doneAfter(before: number): Promise<void> {
    await this.#atomics.waitAsync(this.#head, DONE, before).value;
  }

  /** Blocks until there is a new request. For the store's thread. */
  take(): { readonly kind: RequestKind; readonly content: Buffer<SharedArrayBuffer> } {
    // A wake-up may be spurious: it may belong to a request that was received before its sender signalled it.
    let made = this.#atomics.load(this.#head, MADE);
    for (; made === this.#taken; made = this.#atomics.load(this.#head, MADE)) {
      this.#atomics.wait(this.#head, MADE, made);
    }
    this.#taken = made;
    const kind = KINDS[this.#atomics.load(this.#head, KIND)] as RequestKind;
    this.#number = this.#atomics.load(this.#head, NUMBER);
    return { kind, content: this.#contentOf(this.#atomics.load(this.#head, LENGTH)) };
  }

  /** Records that the received commit is on disk. */
  finish(): void {
    this.#atomics.store(this.#head, DONE, this.#number);
    this.#atomics.notify(this.#head, DONE);
  }

  #contentOf(length: number): Buffer<SharedArrayBuffer> {
    if (length > this.#body.length) this.#body = Buffer.from(this.memory, HEAD_BYTES);
    return this.#body.subarray(0, length);
  }
}
