import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runnerArguments } from './test.ts';

const root = join(import.meta.dirname, '..');

function patterns(argv: readonly string[]): string[] {
  return runnerArguments(argv, root).filter((argument) => !argument.startsWith('-'));
}

test('nothing named means all tests; folders mean what is below them; flags are passed on', () => {
  assert.deepEqual(patterns([]), [
    'src/**/*.test.ts',
    'scripts/**/*.test.ts',
    'test/**/*.test.ts',
    'bench/**/*.test.ts',
  ]);
  assert.deepEqual(patterns(['src/base', 'scripts/test.test.ts']), ['src/base/**/*.test.ts', 'scripts/test.test.ts']);
  assert.ok(runnerArguments(['--test-name-pattern=x'], root).includes('--test-name-pattern=x'));
  assert.equal(patterns(['--test-only']).length, 4);
});

function runTree(context: TestContext, body: string) {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'src/a.test.ts'), `import { test } from 'node:test';\ntest('a', () => {${body}});\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, runnerArguments(['src'], folder), { cwd: folder, encoding: 'utf8', env });
}

test('the runner ends with its counts, and a failing test fails the run', (context) => {
  const good = runTree(context, '');
  assert.equal(good.status, 0);
  assert.match(good.stdout, /tests 1\n.*pass 1\n.*fail 0\n/s);
  const bad = runTree(context, "throw new Error('no');");
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /pass 0\n.*fail 1\n/s);
});
