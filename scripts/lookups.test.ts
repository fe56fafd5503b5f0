// Tables that are looked up by texts of clients inherit nothing: each constant that is a record by any text is made
// by `lookup`, in functions too.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** A constant of a file whose type has a member for any text and whose members are written beside it. */
const TABLE =
  /^(?:export )?const (\w+): (?:(?:Readonly|Partial)<)*(?:Record<string, [^=;]|\{ (?:readonly )?\[\w+: string\])(?:[^=;]|=>)*=\s*(?:Object\.freeze\()?\{\s*[^}\s]/gm;
/** The same in a function, where an object that is not read-only is being gathered. */
const OWN_TABLE =
  /^ +const (\w+): Readonly<(?:Partial<)?Record<string, (?:[^=;]|=>)*=\s*(?:Object\.freeze\()?\{\s*[^}\s]/gm;

test('no table that is looked up by any text inherits members', () => {
  const plain = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => tablesIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`));
  assert.deepEqual(plain, []);
});

test('a table made as an ordinary object is found', () => {
  assert.deepEqual(
    tablesIn("const KEYS: Readonly<Record<string, readonly string[]>> = Object.freeze({\n  a: ['b'],\n});"),
    ['KEYS'],
  );
  assert.deepEqual(tablesIn('export const CODES: Record<string, number> = { a: 1 };'), ['CODES']);
  assert.deepEqual(tablesIn('  const codes: Readonly<Record<string, () => number>> = { a: () => 1 };'), ['codes']);
  assert.deepEqual(tablesIn('  const counts: Record<string, number> = { ...known };'), []);
  assert.deepEqual(tablesIn('const CODES: Record<string, number> = lookup({ a: 1 });'), []);
});

function tablesIn(text: string): string[] {
  return [...text.matchAll(TABLE), ...text.matchAll(OWN_TABLE)].map(([, name]) => name as string);
}
