import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindTypesText } from './kind-types.ts';

test('the kinds that tests name in requests are those of the declarations', async () => {
  const file = join(import.meta.dirname, '..', 'src/testing/builtin-kinds.ts');
  assert.equal(readFileSync(file, 'utf8'), await kindTypesText(), 'run node scripts/kind-types.ts');
});
