import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { takeAway, unusedExports } from './exports.ts';

/** A tree that exports `a` and `B` from src/a.ts, and holds these files besides. */
function tree(context: TestContext, files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'exports-'));
  context.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['src', 'test', 'scripts', 'bench']) mkdirSync(join(root, folder));
  const all = { 'src/a.ts': 'export const a = 1;\n\nexport interface B {}\n', ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

/** What is unused when src/user.ts has this text. */
function unused(context: TestContext, user: string): string[] {
  return unusedExports(tree(context, { 'src/user.ts': user })).map(({ name }) => name);
}

test('exports that no file imports are found, with their lines', (context) => {
  assert.deepEqual(unusedExports(tree(context)), [
    { file: 'src/a.ts', line: 1, name: 'a' },
    { file: 'src/a.ts', line: 3, name: 'B' },
  ]);
});

test('an import uses the names that it lists, whatever it calls them and over how many lines', (context) => {
  assert.deepEqual(unused(context, "import { a } from './a.ts';\n"), ['B']);
  assert.deepEqual(unused(context, "import type { B } from './a.ts';\n"), ['a']);
  assert.deepEqual(unused(context, "import {\n  a as other,\n  type B,\n} from './a.ts';\n"), []);
  assert.deepEqual(unused(context, "export { a } from './a.ts';\n"), ['B']);
});

test('a file that is loaded later is used by the names that stand in the text', (context) => {
  assert.deepEqual(unused(context, "const { a } = await import('./a.ts');\n"), ['B']);
});

test('a namespace is used by its members, and wholly where it is handed on', (context) => {
  assert.deepEqual(unused(context, "import * as all from './a.ts';\nall.a;\n"), ['B']);
  assert.deepEqual(unused(context, "import * as all from './a.ts';\nObject.values(all);\n"), []);
  assert.deepEqual(unused(context, "export * from './a.ts';\n"), []);
});

test('what the package exports is for its users, and tests may use what they test', (context) => {
  const files = {
    'src/index.ts': 'export const startServer = 1;\n',
    'test/a.test.ts': "import { a } from '../src/a.ts';\n",
  };
  const names = unusedExports(tree(context, files)).map(({ name }) => name);
  assert.deepEqual(names, ['B']);
});

test('the word export is taken away where nothing needs it', (context) => {
  const root = tree(context, { 'src/user.ts': "import { a } from './a.ts';\n" });
  takeAway(root, unusedExports(root));
  assert.equal(readFileSync(join(root, 'src/a.ts'), 'utf8'), 'export const a = 1;\n\ninterface B {}\n');
});
