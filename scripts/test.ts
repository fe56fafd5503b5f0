// `npm test [-- what]`: runs all tests, or the files and folders named. Flags are passed to the test runner
// (`--test-name-pattern=watch`, `--watch`); its counts end the output.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const everything = ['src', 'scripts', 'test', 'bench'];

/** A test still running after this long is considered hung. */
const testTimeoutMs = 60_000;

/** Returns Node's arguments for a run of the tests in `argv`; a folder stands for the tests below it. */
export function runnerArguments(argv: readonly string[], root: string): string[] {
  const flags = argv.filter((argument) => argument.startsWith('-'));
  const named = argv.filter((argument) => !argument.startsWith('-'));
  const patterns = (named.length > 0 ? named : everything).map((path) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ? `${path}/**/*.test.ts` : path,
  );
  return [
    '--test',
    `--test-concurrency=${availableParallelism()}`,
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=spec',
    ...flags,
    ...patterns,
  ];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const { status } = spawnSync(process.execPath, runnerArguments(process.argv.slice(2), root), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Every test file runs in its own process: the compile cache is shared by all of them and by the next run.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache/compile') },
  });
  process.exitCode = status ?? 1;
}
