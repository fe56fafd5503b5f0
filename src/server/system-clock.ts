// The real clock and real randomness: what a server runs on unless a test gives it others.

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
  uuid: () => randomUUID(),
  below: (below) => randomInt(below),
};
