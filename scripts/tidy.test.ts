import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type TidyExceptions, tidyProblems } from './tidy.ts';

const longFunction = `export function long(): number {\n${'  console.log();\n'.repeat(80)}  return 1;\n}\n`;
const manyParameters = 'export function many(a: 1, b: 2, c: 3, d: 4): void {\n  console.log(a, b, c, d);\n}\n';

/** A tree of one source file with these exceptions. */
function tree(context: TestContext, source: string, exceptions: Partial<TidyExceptions> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'tidy-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src/table'), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), source);
  writeFileSync(join(root, 'src/table/b.ts'), longFunction);
  const tables = [{ path: 'src/table', reason: 'A table.' }];
  writeFileSync(join(root, 'tidy.json'), JSON.stringify({ tables, exceptions: [], ...exceptions }));
  return root;
}

function exception(measure: number): Partial<TidyExceptions> {
  return { exceptions: [{ file: 'src/a.ts', rule: 'noExcessiveLinesPerFunction', measure, reason: 'Because.' }] };
}

test('what is small passes, and comments and blank lines do not count', (context) => {
  const padded = `export function f(): number {\n${'\n  // why\n'.repeat(90)}  return 1;\n}\n`;
  assert.deepEqual(tidyProblems(tree(context, padded), ['src']), []);
});

test('a long function, a long file and many parameters are each a problem', (context) => {
  const functionProblems = tidyProblems(tree(context, longFunction), ['src']);
  assert.deepEqual(functionProblems, ['src/a.ts:1: a function has 81 lines, and may have 70']);
  const longFile = Array.from({ length: 401 }, (_, index) => `export const a${index} = 1;\n`).join('');
  assert.match(tidyProblems(tree(context, longFile), ['src']).join(), /a file has 401 lines, and may have 400/);
  assert.match(
    tidyProblems(tree(context, manyParameters), ['src']).join(),
    /a function has 4 parameters, and may have 3/,
  );
});

test('an exception holds up to its number, and must follow the code down', (context) => {
  assert.deepEqual(tidyProblems(tree(context, longFunction, exception(81)), ['src']), []);
  const rule = 'src/a.ts: noExcessiveLinesPerFunction';
  const cases: [source: string, measure: number, problem: string][] = [
    [longFunction, 80, `${rule} is 81, and tidy.json lets it be 80`],
    [longFunction, 90, `${rule} has shrunk to 81: lower it in tidy.json`],
    ['export const a = 1;\n', 81, `${rule} is kept now: take the exception out of tidy.json`],
  ];
  for (const [source, measure, problem] of cases) {
    assert.deepEqual(tidyProblems(tree(context, source, exception(measure)), ['src']), [problem]);
  }
});

test('a tree whose files are mostly long is a problem, though none is too long', (context) => {
  const root = tree(context, 'export const a = 1;\n');
  const long = Array.from({ length: 231 }, (_, index) => `export const a${index} = 1;\n`).join('');
  for (let index = 0; index < 100; index++) writeFileSync(join(root, `src/a${index}.ts`), long);
  assert.deepEqual(tidyProblems(root, ['src']), ['nine of ten files have up to 231 lines, and may have 230']);
});
