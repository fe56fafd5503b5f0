// The page on security names bounds and their tests: each must exist.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Folders whose code works on what clients send and are sent. */
const FACING_CLIENTS = [
  'api',
  'schema',
  'patch',
  'apply',
  'cel',
  'expressions',
  'verbs',
  'http',
  'http2',
  'flowcontrol',
];

test('every bound of what clients send and are sent stands on the page', () => {
  const used = FACING_CLIENTS.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        Array.from(readFileSync(join(root, 'src', folder, file), 'utf8').matchAll(/\blimits\.(\w+)/g)),
      ),
  ).map(([, name]) => name as string);
  assert.ok(used.length > 60);
  assert.deepEqual(
    Object.keys(limits).filter((name) => used.includes(name) && !quoted.includes(name)),
    [],
  );
});
