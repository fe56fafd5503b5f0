// The corpora of all formats, and some mutants of each seed, always the same ones. `npm run fuzz` looks for more.

import { suite, test } from 'node:test';
import { seedsOf } from './corpus.ts';
import { formats } from './formats/formats.ts';
import { mutants } from './mutants.ts';
import { fuzzRun } from './run-options.ts';

const { seed, rounds } = fuzzRun(400);

for (const format of formats) {
  suite(`the fuzz corpus of ${format.name}`, () => {
    const seeds = seedsOf(format.name);
    test(`the fuzz corpus of ${format.name} has seeds with the expected result`, async () => {
      for (const { name, bytes } of seeds) {
        try {
          await format.judge(bytes);
        } catch (error) {
          throw new Error(`test/fuzz/corpus/${format.name}/${name}`, { cause: error });
        }
      }
    });

    test(`the fuzz corpus of ${format.name} has mutants of seed ${seed} with the expected result`, async () => {
      let left = rounds;
      for (const mutant of mutants(format, seeds, seed)) {
        if (left-- === 0) break;
        try {
          await format.judge(mutant);
        } catch (error) {
          const digits = mutant.toString('hex');
          throw new Error(`npm run fuzz -- ${format.name} --seed ${seed} finds ${digits}`, { cause: error });
        }
      }
    });
  });
}
