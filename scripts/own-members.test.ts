import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inheritedReads } from './own-members.ts';

const root = mkdtempSync(join(tmpdir(), 'keelson-own-members-'));
after(() => rmSync(root, { recursive: true }));

function readsIn(text: string, folder = 'schema'): string[] {
  mkdirSync(join(root, 'src', folder), { recursive: true });
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true }, include: ['src'] }));
  const file = join(root, 'src', folder, 'reader.ts');
  writeFileSync(file, `type Json = Record<string, string>;\n${text}\n`);
  const found = inheritedReads(root);
  rmSync(file);
  return found;
}

test('a read of a member with any name is reported', () => {
  assert.deepEqual(readsIn('export const read = (one: Json, name: string) => one[name];'), [
    'src/schema/reader.ts:2: one[name] may be inherited: read it with ownMember',
  ]);
  const before =
    'for (const name of names) list.push(one[name]); for (const name of Object.keys(one)) list.push(name);';
  assert.equal(readsIn(`export function read(one: Json, names: string[], list: unknown[]) { ${before} }`).length, 1);
});

test('reads of names that the object has, of literals, of constants and of items are not reported', () => {
  for (const text of [
    'export const read = (one: Json) => Object.keys(one).map((name) => one[name]);',
    'export const read = (one: Json, name: string) => (Object.hasOwn(one, name) ? one[name] : undefined);',
    'export function read(one: Json) { for (const name in one) console.log(one[name]); }',
    "export const read = (one: Json, name: 'a' | 'b') => one[name];",
    "const NAME: string = 'a'; export const read = (one: Json) => one[NAME];",
    'export const read = (all: string[], index: number) => all[index];',
    "export function write(one: Json, name: string) { one[name] = ''; delete one[name]; }",
  ]) {
    assert.deepEqual(readsIn(text), [], text);
  }
  assert.deepEqual(readsIn('export const read = (one: Json, name: string) => one[name];', 'cli'), []);
});
