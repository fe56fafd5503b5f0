import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './query.ts';
import { writeOptions } from './write-options.ts';

test('every value of dryRun is All, and an empty one is not supported', () => {
  const dryRun = (query: string) =>
    writeOptions({ query: parseQuery(query), definition: { minor: 34 } }, 'CreateOptions').dryRun;
  assert.equal(dryRun(''), false);
  assert.equal(dryRun('dryRun=All'), true);
  assert.equal(dryRun('dryRun=All&dryRun=All'), true);
  for (const query of ['dryRun=', 'dryRun', 'dryRun=all', 'dryRun=All&dryRun=']) {
    assert.throws(() => dryRun(query), /dryRun: Unsupported value: .*: supported values: "All"/, query);
  }
});
