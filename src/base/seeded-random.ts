// Repeatable pseudorandom numbers: the same seed gives the same sequence. For tests and simulations, never for secrets.

import type { Random } from './random.ts';

export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.below(16).toString(16));
    digits[12] = '4';
    digits[16] = (8 + this.below(4)).toString(16);
    return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  below(below: number): number {
    return Math.floor((this.#next() / 2 ** 32) * below);
  }

  /** A random item of a list that must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True with a probability of `percent` per cent. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** A Weyl sequence, scrambled by two rounds of xor-shift and multiply: 32 uniform bits. */
  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return (bits ^ (bits >>> 15)) >>> 0;
  }
}
