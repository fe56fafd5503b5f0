import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValues } from './header-values.ts';

test('the first value of a field counts, and all values of a list', () => {
  const fields = ['accept: a', 'accept: b', 'connection: c', 'connection: d', 'cookie: e=1', 'cookie: f=2'].map(
    (line) => {
      const [name = '', value = ''] = line.split(': ');
      return { name, value };
    },
  );
  assert.deepEqual({ ...headerValues(fields) }, { accept: 'a', connection: 'c, d', cookie: 'e=1; f=2' });
});
