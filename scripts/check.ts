// `npm run check`: types, format and lint, unused code, layers and size, in parallel. Prints a line for each check and
// the full output of those that failed; the exit status is 1 if any failed.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Check {
  readonly name: string;
  /** Arguments for Node: a script and its arguments. */
  readonly argv: readonly string[];
}

const biome = 'node_modules/@biomejs/biome/bin/biome';
const tsc = 'node_modules/typescript/bin/tsc';
const knip = 'node_modules/knip/bin/knip.js';
/** Hints on the configuration take no account of the other run, and tags are for the published types as well. */
const quietly = ['--no-progress', '--no-config-hints', '--no-tag-hints'];

export const checks: readonly Check[] = [
  { name: 'types', argv: [tsc, '-p', 'tsconfig.json'] },
  { name: 'types of the pure folders', argv: [tsc, '-p', 'tsconfig.pure.json'] },
  { name: "types of the console's page", argv: [tsc, '-p', 'tsconfig.page.json'] },
  { name: 'format and lint', argv: [biome, 'check', '--error-on-warnings', '--diagnostic-level=warn', '.'] },
  { name: 'what nothing uses', argv: [knip, ...quietly] },
  { name: 'what only tests use', argv: [knip, ...quietly, '--production', '--exclude=types'] },
  { name: 'layers', argv: ['scripts/layers.ts'] },
  { name: 'own members', argv: ['scripts/own-members.ts'] },
  { name: 'strategies', argv: ['scripts/strategies.ts'] },
  { name: 'size', argv: ['scripts/tidy.ts'] },
];

export interface Outcome {
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** Runs one check in `folder`. */
export function run({ argv }: Check, folder: string): Promise<Outcome> {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (piece: string): void => {
    output += piece;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ ok: status === 0, seconds: (performance.now() - start) / 1000, output });
    });
  });
}

/** Runs all checks in parallel and reports each when it ends; returns whether all passed. */
export async function runAll(all: readonly Check[], folder: string, print: (text: string) => void): Promise<boolean> {
  const outcomes = all.map(async (check) => {
    const { ok, seconds, output } = await run(check, folder);
    print(`${ok ? 'ok    ' : 'FAILED'} ${check.name} (${seconds.toFixed(1)} s)\n${ok ? '' : `${output.trimEnd()}\n`}`);
    return ok;
  });
  return (await Promise.all(outcomes)).every((ok) => ok);
}

if (import.meta.main) {
  const well = await runAll(checks, join(import.meta.dirname, '..'), (text) => process.stdout.write(text));
  process.exitCode = well ? 0 : 1;
}
