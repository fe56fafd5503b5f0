import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFields } from './csv.ts';

test('fields of CSV are separated by commas outside of quotes', () => {
  const cases: [text: string, fields: string[]][] = [
    ['a', ['a']],
    ['a, b,', ['a', ' b', '']],
    [',', ['', '']],
    ['""', ['']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a""b"', ['a"b']],
    ['"a\nb",c\nd', ['a\nb', 'c']],
    ['\r\na\r\nb', ['a']],
  ];
  for (const [text, fields] of cases) assert.deepEqual(csvFields(text), fields, JSON.stringify(text));
});

test('misplaced quotes in CSV are rejected in the words of kube-apiserver', () => {
  const extraneous = 'extraneous or missing " in quoted-field';
  const cases: [text: string, message: string][] = [
    ['\n', 'EOF'],
    ['a"b', 'parse error on line 1, column 2: bare " in non-quoted-field'],
    ['é"b', 'parse error on line 1, column 3: bare " in non-quoted-field'],
    ['a,b"c,d', 'parse error on line 1, column 4: bare " in non-quoted-field'],
    [' "a"', 'parse error on line 1, column 2: bare " in non-quoted-field'],
    ['"', `parse error on line 1, column 2: ${extraneous}`],
    ['"a', `parse error on line 1, column 3: ${extraneous}`],
    ['x,"a"b', `parse error on line 1, column 5: ${extraneous}`],
    ['"a"""b', `parse error on line 1, column 5: ${extraneous}`],
    ['"a\nb"c', `record on line 1; parse error on line 2, column 2: ${extraneous}`],
  ];
  for (const [text, message] of cases) assert.throws(() => csvFields(text), new Error(message), JSON.stringify(text));
});
