// What the garbage collector leaves of things that come and go with every request, after small collections alone: what
// outlives those is copied, and stays until a full one.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const ROUNDS = 1000;
/** Things that are there at once. */
const PRESENT = 8;
const BALLAST_BYTES = 1024;

/**
 * Lets things come and go in a group that has grown old, and returns the part of them that small collections leave.
 *
 * @param enter takes in a thing that holds the ballast; the answer takes it out
 */
export function partLeft(enter: (round: number, ballast: object) => () => void): number {
  let round = 0;
  const present: (() => void)[] = [];
  const pass = () => {
    present.push(enter(round++, new Array(BALLAST_BYTES / 8).fill(0.5)));
    if (present.length > PRESENT) present.shift()!();
  };
  for (let passed = 0; passed < ROUNDS; passed++) pass();
  // Full ones: what there is grows old.
  collect();
  collect();
  const before = getHeapStatistics().used_heap_size;
  for (let passed = 0; passed < ROUNDS; passed++) pass();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (getHeapStatistics().used_heap_size - before) / (ROUNDS * BALLAST_BYTES);
}
