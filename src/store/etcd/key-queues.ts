// Serialization of writes to one key by one process: concurrent ones would arrive in any order, and all but one would
// fail their expectation. What the one before has found is the current entry for those that wait: they need not ask etcd
// to learn that they have lost.

import type { Buffer } from 'node:buffer';
import type { Entry, Expected, WriteResult } from '../store.ts';

interface QueuedWrite {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: Buffer | undefined;
  readonly expected: Expected;
}

interface Ended {
  readonly result: WriteResult;
  /** The entry after the write; undefined if there is none. */
  readonly latest: Entry | undefined;
}

export class KeyQueues {
  readonly #last = new Map<string, Promise<Ended>>();
  #idle: (() => void)[] = [];
  #running = 0;

  /** Running and waiting writes. */
  get size(): number {
    return this.#running;
  }

  /** Runs a write after earlier ones of the same key. */
  async run(queued: QueuedWrite, write: () => Promise<WriteResult>): Promise<WriteResult> {
    const { key } = queued;
    const before = this.#last.get(key);
    const attempt = async () => ended(queued, await write());
    const running =
      before === undefined ? attempt() : before.then(({ latest }) => lostTo(latest, queued) ?? attempt(), attempt);
    this.#last.set(key, running);
    this.#running += 1;
    try {
      return (await running).result;
    } finally {
      this.#running -= 1;
      if (this.#last.get(key) === running) this.#last.delete(key);
      if (this.#running === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  /** Resolves when no write is running or waiting. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}

function ended({ key, value }: QueuedWrite, result: WriteResult): Ended {
  if (!result.written) return { result, latest: result.current };
  return { result, latest: value && { key, value, revision: result.revision } };
}

/** The end of a write that expects an older revision than the latest; undefined for others. */
function lostTo(latest: Entry | undefined, { expected }: QueuedWrite): Ended | undefined {
  if (latest === undefined || typeof expected !== 'number' || expected >= latest.revision) return undefined;
  return { result: { written: false, current: latest }, latest };
}
