// The real clock and real randomness: what a server runs on unless a test gives it others.

import { Buffer } from 'node:buffer';
import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, wake) {
    // Longer waits than a timer can hold are cut to its longest, about 25 days.
    const timer = setTimeout(wake, Math.min(delayMs, 2 ** 31 - 1));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

export const systemRandom: Random = {
  // In one piece, which JSON is written faster from than from the pieces that the library joins.
  uuid: () => Buffer.from(randomUUID(), 'latin1').toString('latin1'),
  below: (below) => randomInt(below),
};
