// The time as objects tell it, in whole seconds: written down once a second, however many writes there are in it.

import type { Clock } from '../base/clock.ts';
import { timestamp } from './object-metadata.ts';

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
      this.#text = timestamp(second * 1000);
    }
    return this.#text;
  }
}
