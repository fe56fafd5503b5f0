// Rounds and seed of fuzzing: fixed in CI; `--seed` and FUZZ_ROUNDS change them.

import { parseArgs } from 'node:util';

export interface FuzzRun {
  readonly seed: number;
  readonly rounds: number;
}

const seedOfCi = 20_261_121;

/** @param rounds the default, sized for CI */
export function fuzzRun(rounds: number): FuzzRun {
  const { values } = parseArgs({ strict: false, options: { seed: { type: 'string' } } });
  return {
    seed: values['seed'] === undefined ? seedOfCi : Number(values['seed']),
    rounds: Number(process.env['FUZZ_ROUNDS'] ?? rounds),
  };
}
