// A clock that stands still, for test servers whose history is to be repeatable: time passes by `advance` alone.

import type { Clock } from '../base/clock.ts';

/** When the time of servers with a seed begins. */
const START_MS = Date.UTC(2026, 0, 1);

export const standingClock: Clock = {
  now: () => START_MS,
  after: () => ({ cancel: () => {} }),
};
