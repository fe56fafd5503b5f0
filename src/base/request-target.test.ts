import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTarget } from './request-target.ts';

test('a request target is a path with a query, and in absolute form has a host', () => {
  assert.deepEqual(readTarget('GET', '/a%20b?c=%zz'), { path: '/a%20b?c=%zz', host: '' });
  assert.deepEqual(readTarget('GET', 'http://h:1/a'), { path: '/a', host: 'h:1' });
  assert.deepEqual(readTarget('CONNECT', 'h:1'), { path: '', host: 'h:1' });
  for (const bad of ['', 'a', '/%zz', '/\n', 'http://h:x/']) assert.equal(readTarget('GET', bad), undefined, bad);
});
