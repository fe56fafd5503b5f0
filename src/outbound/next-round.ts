// Pauses for work that is long now and then, and so rare that it needs no place in the server's queue of long work.

import type { Turn } from '../base/short-turns.ts';

/** Resolves in the next round of the event loop, after pending I/O. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Turns that are over after so many steps. @param steps that together take less than a few milliseconds */
export function turnsOf(steps: number): Turn {
  let left = steps;
  return {
    over() {
      if (--left > 0) return undefined;
      left = steps;
      return nextRound();
    },
  };
}
