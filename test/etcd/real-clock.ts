// The wall clock, for tests that talk to other programs.

import type { Clock } from '../../src/base/clock.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
