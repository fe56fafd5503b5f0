// `npm test [-- what]`: the test runner over all tests, or over the files and folders named. Flags go to the runner as
// they are (`--test-name-pattern=watch`, `--watch`); its counts end the output.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const everything = ['src', 'scripts', 'test', 'bench'];

/** A test that still runs after this long hangs. */
const testTimeoutMs = 60_000;

/** Node's arguments for a run over what `argv` names; folders stand for the tests below them. */
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
    // Every test file is a process of its own: what one has compiled, the others and the next run need not.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache/compile') },
  });
  process.exitCode = status ?? 1;
}
