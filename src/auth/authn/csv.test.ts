import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, parseCsv } from './csv.ts';

test('a CSV file has records with quoted fields, empty lines, and either line ending', () => {
  const text = 'a,b,"c,d"\r\n\r\n"e ""f""",,\n\n"two\nlines",g\nlast';
  assert.deepEqual(parseCsv(text), [
    { line: 1, fields: ['a', 'b', 'c,d'] },
    { line: 3, fields: ['e "f"', '', ''] },
    { line: 5, fields: ['two\nlines', 'g'] },
    { line: 7, fields: ['last'] },
  ]);
  assert.deepEqual(parseCsv(''), []);
});

test('a misplaced quote in a CSV file is an error that names its line and column', () => {
  assert.throws(() => parseCsv('a,b\nc,d"e'), {
    name: CsvError.name,
    message: 'parse error on line 2, column 4: bare " in non-quoted-field',
  });
  assert.throws(() => parseCsv('a\n"b'), {
    message: 'parse error on line 2, column 3: extraneous or missing " in quoted-field',
  });
  assert.throws(() => parseCsv('"a"b,c'), {
    message: 'parse error on line 1, column 3: extraneous or missing " in quoted-field',
  });
});
