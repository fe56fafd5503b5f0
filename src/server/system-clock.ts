// The real clock and real randomness, which tests replace.

import { Buffer } from 'node:buffer';
import { randomFillSync, randomInt } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, wake) {
    // Delays beyond a timer's maximum are cut to about 25 days.
    const timer = setTimeout(wake, Math.min(delayMs, 2 ** 31 - 1));
    timer.unref();
    return {
      cancel: () => {
        // Node keeps a list for each duration. It drops an empty one at once only for a timer that has a reference, and
        // otherwise when the duration is over: an hour, and one for each millisecond, if the durations are random.
        timer.ref();
        clearTimeout(timer);
      },
    };
  },
};

/** UUIDs from batches of random bytes. */
const UUIDS = 256;
const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');
const HYPHEN = 0x2d;
/** Version 4 (random; RFC 9562, 5.4) and the variant of that RFC. */
const VERSION_AT = 14;
const FOUR = 0x34;
const VARIANT_AT = 19;

/** Cryptographic randomness. */
export class SystemRandom implements Random {
  readonly #bytes = Buffer.allocUnsafeSlow(16 * UUIDS);
  #used = this.#bytes.length;
  readonly #uuid = Buffer.from('00000000-0000-4000-8000-000000000000', 'latin1');

  /** Written into a buffer, which gives a flat string: the library's consists of many parts that every reader joins. */
  uuid(): string {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    const text = this.#uuid;
    for (let at = 0; at < text.length; at += 2) {
      if (text[at] === HYPHEN) at++;
      const byte = this.#bytes[this.#used++]!;
      text[at] = HEX_DIGITS[byte >> 4]!;
      text[at + 1] = HEX_DIGITS[byte & 15]!;
    }
    text[VERSION_AT] = FOUR;
    text[VARIANT_AT] = HEX_DIGITS[8 | (this.#bytes[this.#used - 8]! & 3)]!;
    return text.toString('latin1');
  }

  below(below: number): number {
    return randomInt(below);
  }
}
