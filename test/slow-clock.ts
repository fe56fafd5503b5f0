// A clock by which every turn is over as soon as somebody asks, and a count of the turns that others have meanwhile: tests
// of work that pauses need no long work.

import { ManualClock } from '../src/base/clock.ts';

/** A clock on which each look at it takes ten milliseconds. */
export class SlowClock extends ManualClock {
  override now(): number {
    this.advance(10);
    return super.now();
  }
}

/** How often others have their turn during `work`. */
export async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let running = true;
  const round = () => {
    rounds++;
    if (running) setImmediate(round);
  };
  setImmediate(round);
  await work();
  running = false;
  return rounds;
}
