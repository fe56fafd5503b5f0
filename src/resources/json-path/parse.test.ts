import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPathFault } from './parse.ts';

test('invalid JSONPath expressions are rejected', () => {
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
    '.a,.b': "unrecognized character in action: U+002C ','",
    '..a....b': 'invalid multiple recursive descent',
    '.a[ 0 ]': 'invalid array index  0 ',
    '.a[-]': 'array index - is not a number',
    '.a[?(@.b': 'unterminated filter',
    '.a[?(@.b)': 'unclosed array expect ]',
    '.a[?(@.b=~"x")]': "unrecognized character in action: U+007E '~'",
    '.a[?(!@.b)]': "unrecognized character in action: U+0021 '!'",
    '.a[?(@.b in ["x"])]': 'invalid array index "x"',
    '"a': 'unterminated quoted string',
    '"\\q"': 'unquote string "\\q" error invalid syntax',
  };
  for (const [path, fault] of Object.entries(faults)) assert.equal(jsonPathFault(path), fault, path);
});

test('valid JSONPath expressions are parsed, unusual ones included', () => {
  const paths = ['.spec.a', 'spec[0]', 'a[]', 'a b', '@', 'a..b', '..', 'a[?(@.x==1)]', 'a[1:2]', "a['x']", 'a[*]'];
  for (const path of [...paths, 'a=b', 'ä', 'https://example.com', '80', '.', 'a.', '}', '"x"', "'x'", 'x\\']) {
    assert.equal(jsonPathFault(path), undefined, path);
  }
});
