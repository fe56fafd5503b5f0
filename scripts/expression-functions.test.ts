import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PAGE, page } from './expression-functions.ts';

test('the page of functions is what their declarations make', () => {
  const written = readFileSync(join(import.meta.dirname, '..', PAGE), 'utf8');
  assert.equal(written, page(), 'run `node scripts/expression-functions.ts`');
});
