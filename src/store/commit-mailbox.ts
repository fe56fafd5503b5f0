// Memory that the main thread and the thread of the store share, in which one request at a time lies. The thread sleeps
// until a request wakes it, and a commit that is done wakes the main thread: messages between threads are packed and
// unpacked, and cost more than a small commit does.

import { limits } from '../base/limits.ts';

export type RequestKind = 'read' | 'commit' | 'close';

const KINDS: readonly RequestKind[] = ['read', 'commit', 'close'];

/**
 * The words of the head: how many requests were made; the number of the newest commit that is done; and of the last
 * request the kind, the length, and the number if it is a commit.
 */
const MADE = 0;
const DONE = 1;
const KIND = 2;
const LENGTH = 3;
const NUMBER = 4;
const HEAD_BYTES = 24;
const FIRST_BYTES = 64 * 1024;

/** What the mailbox needs of Atomics; tests hand in their own to try every order in which two threads can meet. */
export type MailboxAtomics = Pick<typeof Atomics, 'load' | 'store' | 'wait' | 'waitAsync' | 'notify'>;

export class CommitMailbox {
  readonly memory: SharedArrayBuffer;
  readonly #atomics: MailboxAtomics;
  readonly #head: Int32Array<SharedArrayBuffer>;
  #body: Buffer<SharedArrayBuffer>;
  #made = 0;
  #taken = 0;
  /** The number of the newest commit that was sent. Numbers go on at -2^31 after 2^31 - 1. */
  #sent = 0;
  /** The number of the commit that was taken last. */
  #number = 0;

  /** @param memory that of the mailbox in the other thread */
  constructor(memory?: SharedArrayBuffer, atomics: MailboxAtomics = Atomics) {
    this.memory = memory ?? new SharedArrayBuffer(FIRST_BYTES, { maxByteLength: limits.storeMailboxBytes });
    this.#atomics = atomics;
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

  /**
   * Wakes the store's thread. The request's content is what was last written into `space`. The request before must
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

  /** As `send`, for a commit. One that fails is never done, and says so by other means. */
  sendCommit(length: number): void {
    this.#sent = (this.#sent + 1) | 0;
    this.send('commit', length);
  }

  /** Says that the commit that was sent last failed: the next takes its number. */
  forgetCommit(): void {
    this.#sent = (this.#sent - 1) | 0;
  }

  /** Whether every commit that was sent is on the disk. */
  get allDone(): boolean {
    return this.done === this.#sent;
  }

  /** The number of the newest commit that is on the disk. */
  get done(): number {
    return this.#atomics.load(this.#head, DONE);
  }

  /** Resolves when `done` may no longer be what it was; it can be still, when an earlier wake-up came late. */
  async doneAfter(before: number): Promise<void> {
    await this.#atomics.waitAsync(this.#head, DONE, before).value;
  }

  /** Blocks until there is a request that was not taken yet. For the store's thread. */
  take(): { readonly kind: RequestKind; readonly content: Buffer<SharedArrayBuffer> } {
    // A wake-up says nothing: it may belong to a request that was seen before its sender came to wake anybody.
    let made = this.#atomics.load(this.#head, MADE);
    for (; made === this.#taken; made = this.#atomics.load(this.#head, MADE)) {
      this.#atomics.wait(this.#head, MADE, made);
    }
    this.#taken = made;
    const kind = KINDS[this.#atomics.load(this.#head, KIND)] as RequestKind;
    this.#number = this.#atomics.load(this.#head, NUMBER);
    return { kind, content: this.#contentOf(this.#atomics.load(this.#head, LENGTH)) };
  }

  /** Says that the commit that was taken is on the disk. */
  finish(): void {
    this.#atomics.store(this.#head, DONE, this.#number);
    this.#atomics.notify(this.#head, DONE);
  }

  #contentOf(length: number): Buffer<SharedArrayBuffer> {
    if (length > this.#body.length) this.#body = Buffer.from(this.memory, HEAD_BYTES);
    return this.#body.subarray(0, length);
  }
}
