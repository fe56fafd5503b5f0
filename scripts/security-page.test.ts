// The page on security names bounds and their tests: each must exist.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../src/base/limits.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const quoted = Array.from(page.matchAll(/`([^`\n]+)`/g), ([, text]) => text as string);

test('every file that the page names exists', () => {
  const files = quoted.filter((text) => /^(src|test|scripts)\/.*\.ts$/.test(text));
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

test('every bound that the page names is one of limits.ts', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts'));
  const named = rows.flatMap((row) =>
    Array.from(row.split('|')[2]!.matchAll(/`(\w+)`/g), ([, name]) => name as string),
  );
  assert.ok(named.length > 30);
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(limits, name)),
    [],
  );
});

test('every bound of limits.ts stands on the page', () => {
  assert.deepEqual(
    Object.keys(limits).filter((name) => !quoted.includes(name)),
    [],
  );
});
