// Garbage left over from objects created and dropped with every request, after minor collections only: what survives
// those is copied, and stays until a major one.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const ROUNDS = 1000;
/** Objects alive at the same time. */
const PRESENT = 8;
const BALLAST_BYTES = 1024;

/**
 * Creates and drops objects in a group that has aged, and returns the share of them that minor collections leave.
 *
 * @param enter adds an object that holds the ballast; the returned function removes it
 */
export function partLeft(enter: (round: number, ballast: object) => () => void): number {
  let round = 0;
  const present: (() => void)[] = [];
  const pass = () => {
    present.push(enter(round++, new Array(BALLAST_BYTES / 8).fill(0.5)));
    if (present.length > PRESENT) present.shift()!();
  };
  for (let passed = 0; passed < ROUNDS; passed++) pass();
  // Major collections age the existing objects.
  collect();
  collect();
  const before = getHeapStatistics().used_heap_size;
  for (let passed = 0; passed < ROUNDS; passed++) pass();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (getHeapStatistics().used_heap_size - before) / (ROUNDS * BALLAST_BYTES);
}
