// Cache of webhook responses with limited size; the oldest are evicted.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';

export class RememberedAnswers<T> {
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly answer: T; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const found = this.#answers.get(key);
    if (found === undefined) return undefined;
    if (this.#clock.now() < found.untilMs) return found.answer;
    this.#answers.delete(key);
    return undefined;
  }

  /** @param forMs 0 for no caching */
  set(key: string, answer: T, forMs: number): void {
    if (forMs <= 0) return;
    if (this.#answers.size >= limits.webhookDecisions) {
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest);
        break;
      }
    }
    this.#answers.delete(key);
    this.#answers.set(key, { answer, untilMs: this.#clock.now() + forMs });
  }
}
