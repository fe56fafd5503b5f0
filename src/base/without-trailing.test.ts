import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTrailing } from './without-trailing.ts';

test('a trailing text is removed, and nothing else', () => {
  assert.equal(withoutTrailing('0100', '0'), '01');
  assert.equal(withoutTrailing('000', '0'), '');
  assert.equal(withoutTrailing('', '0'), '');
  assert.equal(withoutTrailing('/a//', '/'), '/a');
});
