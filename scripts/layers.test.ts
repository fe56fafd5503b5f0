import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { layerProblems } from './layers.ts';

const layers = {
  pure: ['base'],
  folders: {
    base: { floor: 0, imports: [] as string[] },
    store: { floor: 1, imports: ['base'] },
    cache: { floor: 2, imports: ['base', 'store'] },
    '': { floor: 3, imports: ['cache'] },
  },
};

/** The problems of a house with these files. */
function problems(context: TestContext, files: Record<string, string>, table: object = layers): string[] {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'layers.json'), JSON.stringify(table));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'src', file)), { recursive: true });
    writeFileSync(join(root, 'src', file), text);
  }
  return layerProblems(root);
}

test('listed imports pass; so do packages, Node where it may be, comments, and anything in tests', (context) => {
  const files = {
    'base/a.ts': "// import('../cache/c.ts')\n/**\n * import('../cache/c.ts')\n */\nexport const a = 1;\n",
    'base/a.test.ts': "import { c } from '../cache/c.ts';\nimport 'node:fs';\n",
    'store/b.ts': "import 'node:fs';\nimport { x } from 'yaml';\nimport { a } from '../base/a.ts';\n",
    'cache/c.ts': "export {\n  a,\n} from '../base/a.ts';\nimport type { B } from '../store/b.ts';\nimport './d.ts';\n",
    'index.ts': "export * from './cache/c.ts';\n",
  };
  assert.deepEqual(problems(context, files), []);
});

test('an import that is not listed fails, whatever its form', (context) => {
  const forms = [
    "import { c } from '../cache/c.ts';\n",
    "import type { C } from '../cache/c.ts';\n",
    "import {\n  type C,\n  c,\n} from '../cache/c.ts';\n",
    "import '../cache/c.ts';\n",
    'import * as c from "../cache/c.ts";\n',
    "export { c } from '../cache/c.ts';\n",
    "export * from '../cache/c.ts';\n",
    "const c = await import('../cache/c.ts');\n",
    "type C = import('../cache/c.ts').C;\n",
    "new Worker(new URL('../cache/c.ts', import.meta.url));\n",
  ];
  for (const form of forms) {
    assert.deepEqual(
      problems(context, { 'store/b.ts': form }),
      ['src/store/b.ts:1: store may not import from cache (../cache/c.ts)'],
      form,
    );
  }
});

test('the files right in src are a folder of their own', (context) => {
  assert.deepEqual(problems(context, { 'index.ts': "export * from './base/a.ts';\n" }), [
    'src/index.ts:1: src may not import from base (./base/a.ts)',
  ]);
  assert.deepEqual(problems(context, { 'base/a.ts': "import '../index.ts';\n" }), [
    'src/base/a.ts:1: base may not import from src (../index.ts)',
  ]);
});

test('Node in a pure folder, an unknown folder and a way out of src fail', (context) => {
  assert.deepEqual(problems(context, { 'base/a.ts': "\nimport type { Buffer } from 'node:buffer';\n" }), [
    'src/base/a.ts:2: base is pure: no node:buffer',
  ]);
  assert.deepEqual(problems(context, { 'base/a.ts': "await import('node:fs');\n" }), [
    'src/base/a.ts:1: base is pure: no node:fs',
  ]);
  assert.deepEqual(problems(context, { 'utils/a.ts': '' }), ['src/utils: layers.json does not know this folder']);
  assert.deepEqual(problems(context, { 'store/deep/b.ts': "import '../../../test/b.ts';\n" }), [
    'src/store/deep/b.ts:1: ../../../test/b.ts is outside src',
  ]);
});

test('a circle fails even where every step of it is listed', (context) => {
  const folders = { a: { floor: 1, imports: ['b'] }, b: { floor: 1, imports: ['c'] }, c: { floor: 1, imports: ['a'] } };
  const files = { 'a/a.ts': "import '../b/b.ts';\n", 'b/b.ts': "import '../c/c.ts';\n" };
  const table = { pure: [], folders };
  assert.deepEqual(problems(context, files, table), []);
  assert.deepEqual(problems(context, { ...files, 'c/c.ts': "import '../a/a.ts';\n" }, table), [
    'circle: a → b → c → a',
  ]);
});

test('the table itself is checked', (context) => {
  const folders = {
    a: { floor: 1, imports: ['b', 'd'] },
    b: { floor: 2, imports: [] },
    c: { floor: 1, imports: ['d'] },
  };
  const table = { pure: ['c', 'e'], folders: { ...folders, d: { floor: 0, imports: ['x'] } } };
  assert.deepEqual(problems(context, {}, table), [
    'layers.json: pure folder e is unknown',
    'layers.json: a lists b, which is on a higher floor',
    'layers.json: c is pure, d is not',
    'layers.json: d lists x, which is unknown',
  ]);
});

test('files of a folder that import each other fail, also for types and with import()', (context) => {
  for (const back of [
    "import { a } from './a.ts';\n",
    "import type { A } from './a.ts';\n",
    "await import('./a.ts');\n",
  ]) {
    const circle = { 'base/a.ts': "import { b } from './b.ts';\n", 'base/b.ts': back };
    assert.deepEqual(problems(context, circle), ['circle: base/a.ts → base/b.ts → base/a.ts']);
  }
  const outside = { '../bench/a.ts': "import './b.ts';\n", '../bench/b.ts': "await import('./a.ts');\n" };
  assert.deepEqual(problems(context, outside), ['circle: a.ts → b.ts → a.ts']);
});
