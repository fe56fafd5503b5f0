import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, parseCsv } from './csv.ts';

test('records, quotes, empty lines and both line ends', () => {
  const text = 'a,b,"c,d"\r\n\r\n"e ""f""",,\n\n"two\nlines",g\nlast';
  assert.deepEqual(parseCsv(text), [
    { line: 1, fields: ['a', 'b', 'c,d'] },
    { line: 3, fields: ['e "f"', '', ''] },
    { line: 5, fields: ['two\nlines', 'g'] },
    { line: 7, fields: ['last'] },
  ]);
  assert.deepEqual(parseCsv(''), []);
});

test('misplaced quotes are told with their line', () => {
  assert.throws(() => parseCsv('a,b\nc,d"e'), { name: CsvError.name, message: /^line 2: a quote stands/ });
  assert.throws(() => parseCsv('a\n"b'), /^CsvError: line 2: a quoted field does not end/);
  assert.throws(() => parseCsv('"a"b,c'), /^CsvError: line 1: text follows/);
});
