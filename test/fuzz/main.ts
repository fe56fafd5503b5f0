// Mutates the corpus of a format for a time, and keeps in it what is not judged as it should be.
//
//   npm run fuzz -- json [--seconds 60] [--seed 7]     mutants of the corpus
//   npm run fuzz -- json --file path                   one input

import type { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keep, seedsOf } from './corpus.ts';
import type { Format } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { mutants } from './mutants.ts';

/** Processor time that no input of a corpus may take. */
const LONGEST_MS = 250;
/** So many attempts must take too long: the first one may compile code. */
const ATTEMPTS = 3;
/** Findings after which a run ends. */
const MOST_FINDINGS = 5;

interface Finding {
  readonly what: string;
  readonly input: Buffer;
}

/** What is wrong with an input; undefined for nothing. */
export async function findingIn(format: Format, input: Buffer): Promise<Finding | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    try {
      await format.judge(input);
    } catch (error) {
      return { what: error instanceof Error ? (error.stack ?? error.message) : String(error), input };
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    if (ms < LONGEST_MS) return undefined;
    if (attempt === ATTEMPTS) return { what: `takes ${Math.round(ms)} ms of processor time`, input };
  }
}

/** Where a fault is, so that each is told once. */
function placeOf({ what }: Finding): string {
  const [place] = /\bat .*src\/.*$/m.exec(what) ?? [what.split('\n', 1)[0]!];
  return `${what.split('\n', 1)[0]!.replaceAll(/\d+/g, '0').slice(0, 60)} ${place}`;
}

async function fuzz(format: Format, { seconds, seed }: { readonly seconds: number; readonly seed: number }) {
  const end = Date.now() + seconds * 1_000;
  const places = new Set<string>();
  let inputs = 0;
  for (const mutant of mutants(format, seedsOf(format.name), seed)) {
    if (Date.now() > end || places.size >= MOST_FINDINGS) break;
    inputs++;
    const finding = await findingIn(format, mutant);
    if (finding === undefined || places.has(placeOf(finding))) continue;
    places.add(placeOf(finding));
    const path = keep(format.name, mutant);
    process.stdout.write(`${finding.what}\n  kept as ${path}: give it a name that says what it is\n`);
    process.stdout.write(`  npm run fuzz -- ${format.name} --file ${path}\n\n`);
  }
  const times = `${inputs} inputs of seed ${seed} in ${seconds} s`;
  process.stdout.write(`${format.name}: ${places.size} findings in ${times}\n`);
  return places.size;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, file: { type: 'string' } },
  });
  const named = formats.find(({ name }) => name === positionals[0]);
  if (named === undefined) {
    const names = formats.map(({ name }) => name).join(', ');
    process.stderr.write(
      `npm run fuzz -- FORMAT [--seconds 60] [--seed 1] [--file PATH], where FORMAT is one of ${names}\n`,
    );
    return 2;
  }
  if (values.file === undefined) {
    return (await fuzz(named, { seconds: Number(values.seconds ?? 60), seed: Number(values.seed ?? 1) })) > 0 ? 1 : 0;
  }
  const finding = await findingIn(named, readFileSync(values.file));
  process.stdout.write(`${finding?.what ?? 'judged as it should be'}\n`);
  return finding === undefined ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
