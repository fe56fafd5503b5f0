// Rounds and seed of fuzzing: always the same in CI, `--seed` and FUZZ_ROUNDS for the curious.

import { parseArgs } from 'node:util';

export interface FuzzRun {
  readonly seed: number;
  readonly rounds: number;
}

const seedOfCi = 20_261_121;

/** @param rounds as many as CI has time for */
export function fuzzRun(rounds: number): FuzzRun {
  const { values } = parseArgs({ strict: false, options: { seed: { type: 'string' } } });
  return {
    seed: values['seed'] === undefined ? seedOfCi : Number(values['seed']),
    rounds: Number(process.env['FUZZ_ROUNDS'] ?? rounds),
  };
}
