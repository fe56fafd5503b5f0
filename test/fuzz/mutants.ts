// Mutated seeds: of the seeds of a format, and of mutants of them.

import type { Buffer } from 'node:buffer';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Seed } from './corpus.ts';
import type { Format } from './formats/format.ts';

/** Mutants that are mutated again. */
const KEPT = 200;

/** Mutants without end; the same seed number gives the same ones. */
export function* mutants(format: Format, seeds: readonly Seed[], seed: number): Generator<Buffer> {
  const random = new SeededRandom(seed);
  const inputs = seeds.map(({ bytes }) => bytes);
  const kept: Buffer[] = [];
  for (;;) {
    const isAgain = kept.length > 0 && random.chance(30);
    const input = random.pick(isAgain ? kept : inputs);
    const mutant = format.mutate(input, random.pick(inputs), random);
    if (kept.length < KEPT) kept.push(mutant);
    else kept[random.below(KEPT)] = mutant;
    yield mutant;
  }
}
