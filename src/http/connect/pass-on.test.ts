import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedQuery } from './pass-on.ts';

test('the query of a proxied request is encoded as by Go', () => {
  assert.equal(sortedQuery(''), '');
  assert.equal(sortedQuery('b=2&a=1&z=%20x&a=0'), 'a=1&a=0&b=2&z=+x');
  assert.equal(sortedQuery('a=*~&b=%zz&c;d'), 'a=%2A~');
});
