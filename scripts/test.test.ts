import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { byDefault, groups, moduleOf, runnerArguments, toolchains } from './test.ts';

const root = join(import.meta.dirname, '..');

const filesOf = (named: readonly string[]): string[] => groups(named, root).flatMap(({ files }) => files);

test('a run of everything has each test file of the project once', () => {
  const all = filesOf(['src', 'scripts', 'test', 'bench']);
  assert.deepEqual(all.toSorted(), globSync('{src,scripts,test,bench}/**/*.test.ts', { cwd: root }).sort());
});

test('the default run and that of the toolchains have each test file once', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(scripts.toolchains, 'node scripts/test.ts --toolchains');
  const both = [...byDefault(root), ...groups(toolchains, root)].flatMap(({ files }) => files);
  assert.deepEqual(both.toSorted(), filesOf(['src', 'scripts', 'test', 'bench']).toSorted());
});

test('a file that is named has a process of its own, and files of a folder share processes', () => {
  const named = ['src/base/ring.test.ts', 'src/base/soon.test.ts'];
  assert.deepEqual(
    groups(named, root).map(({ files }) => files),
    [[named[0]], [named[1]]],
  );
  const shared = groups(['src/base'], root);
  assert.ok(shared.length < filesOf(['src/base']).length / 4, String(shared.length));
  for (const { files } of groups(['test/etcd', 'src/cli'], root)) assert.equal(files.length, 1);
});

test('flags are passed on to the test runner', () => {
  assert.deepEqual(runnerArguments(['--test-name-pattern=x'], ['a', 'b']).slice(-3), [
    '--test-name-pattern=x',
    'a',
    'b',
  ]);
});

/** Runs two files in one process; `body` is that of the second's test. */
function runShared(context: TestContext, body: string) {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('package.json', '{"type":"module"}');
  write(
    'src/a.test.ts',
    `import { beforeEach, test } from 'node:test';
     beforeEach(() => console.log('hook of a'));
     test('a', () => {});`,
  );
  write('src/b.test.ts', `import { test } from 'node:test';\ntest('b', () => {${body}});\n`);
  write('.cache/tests/list.ts', moduleOf(['src/a.test.ts', 'src/b.test.ts']));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const argv = runnerArguments([], ['.cache/tests/list.ts']);
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
}

test('the runner ends with its counts, and a failing test fails the run', (context) => {
  const good = runShared(context, '');
  assert.equal(good.status, 0);
  assert.match(good.stdout, /tests 2\n.*pass 2\n.*fail 0\n/s);
  const bad = runShared(context, "throw new Error('no');");
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /pass 1\n.*fail 1\n/s);
  assert.match(bad.stdout, /test at src\/b\.test\.ts:2/);
});

test('a hook of a file is for its own tests, whatever others share its process', (context) => {
  const { stdout } = runShared(context, '');
  assert.equal(stdout.match(/hook of a/g)?.length, 1);
});
