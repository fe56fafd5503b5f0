import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPathFault } from './json-path-syntax.ts';

test('paths that are none', () => {
  const faults: Readonly<Record<string, string>> = {
    '::1': "unrecognized character in action: U+003A ':'",
    '{.spec}': "unrecognized character in action: U+007B '{'",
    'a[': 'unterminated array',
    'a[x]': 'invalid array index x',
    'a["b"]': 'invalid array index "b"',
    '*': "unrecognized character in action: U+002A '*'",
    '10.0.0.0/8': 'cannot parse number 10.0.0.0',
    '-a': 'cannot parse number -',
    '$(X)': "unrecognized character in action: U+0028 '('",
  };
  for (const [path, fault] of Object.entries(faults)) assert.equal(jsonPathFault(path), fault, path);
});

test('paths, among them odd ones', () => {
  const paths = ['.spec.a', 'spec[0]', 'a[]', 'a b', '@', 'a..b', '..', 'a[?(@.x==1)]', 'a[1:2]', "a['x']", 'a[*]'];
  for (const path of [...paths, 'a=b', 'ä', 'https://example.com', '80', '.', 'a.', '}', '"x"', "'x'", 'x\\']) {
    assert.equal(jsonPathFault(path), undefined, path);
  }
});
