import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindsPage } from './kinds-page.ts';

const root = join(import.meta.dirname, '..');

test('docs/kinds.md is current; `node scripts/kinds-page.ts` makes it so', () => {
  assert.equal(readFileSync(join(root, 'docs/kinds.md'), 'utf8'), kindsPage());
});
