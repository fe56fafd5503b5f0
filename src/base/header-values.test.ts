import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValues, SeparateValues } from './header-values.ts';

test('repeated header fields keep the first value, and lists all values', () => {
  const fields = ['accept: a', 'accept: b', 'connection: c', 'connection: d', 'cookie: e=1', 'cookie: f=2'].map(
    (line) => {
      const [name = '', value = ''] = line.split(': ');
      return { name, value };
    },
  );
  assert.deepEqual({ ...headerValues(fields) }, { accept: 'a', connection: 'c, d', cookie: 'e=1; f=2' });
});

test('the values of a repeated header field are found among few fields and among many', () => {
  for (const others of [0, 100]) {
    const more = Array.from({ length: others }, (_, index) => ({ name: `other-${index}`, value: 'x' }));
    const fields = [{ name: 'a', value: '1' }, ...more, { name: 'constructor', value: '2' }, { name: 'a', value: '3' }];
    const values = new SeparateValues(fields);
    assert.deepEqual([values.of('a'), values.of('constructor'), values.of('b')], [['1', '3'], ['2'], []]);
  }
});

test('each header field is read once, however many names are looked up', () => {
  let looks = 0;
  const fields = Array.from({ length: 1_000 }, (_, index) => ({
    get name() {
      looks++;
      return `name-${index}`;
    },
    value: String(index),
  }));
  const values = new SeparateValues(fields);
  for (let index = 0; index < 1_000; index++) assert.deepEqual(values.of(`name-${index}`), [String(index)]);
  assert.equal(looks, 1_000);
});
