// The current time in whole seconds, formatted once per second however many writes there are.

import { timestamp } from '../api/timestamp.ts';
import type { Clock } from '../base/clock.ts';
import { flat } from './object-metadata.ts';

export class Times {
  readonly #clock: Clock;
  #second = Number.NaN;
  #text = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** RFC 3339. */
  now(): string {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = flat(timestamp(second * 1000));
    }
    return this.#text;
  }
}
