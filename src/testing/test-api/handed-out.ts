// Snapshots and faults that a client of the test interface refers to by number.

import { limits } from '../../base/limits.ts';
import type { Fault } from '../faults.ts';
import type { Snapshot } from '../test-server.ts';
import { Refusal } from './refusal.ts';

/** Things by their numbers, which are never used again. */
class Numbered<T> {
  readonly #kind: string;
  readonly #most: number;
  readonly #things = new Map<string, T>();
  #last = 0;

  constructor(kind: string, most: number) {
    this.#kind = kind;
    this.#most = most;
  }

  /** @throws Refusal if there are too many */
  assertRoom(): void {
    if (this.#things.size < this.#most) return;
    throw new Refusal(409, `there are ${this.#most} ${this.#kind}s: delete those that are not needed any more`);
  }

  add(thing: T): string {
    this.#last++;
    const id = String(this.#last);
    this.#things.set(id, thing);
    return id;
  }

  /** @throws Refusal */
  get(id: string): T {
    const found = this.#things.get(id);
    if (found === undefined) throw new Refusal(404, `there is no ${this.#kind} ${id}`);
    return found;
  }

  delete(id: string): void {
    this.#things.delete(id);
  }

  clear(): void {
    this.#things.clear();
  }
}

export class HandedOut {
  readonly snapshots = new Numbered<Snapshot>('snapshot', limits.testSnapshots);
  readonly faults = new Numbered<Fault>('fault', limits.testFaults);
}
