import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { flagsPage } from './flags-page.ts';

const root = join(import.meta.dirname, '..');

test('docs/flags.md is current; `node scripts/flags-page.ts` makes it so', () => {
  assert.equal(readFileSync(join(root, 'docs/flags.md'), 'utf8'), flagsPage());
});
