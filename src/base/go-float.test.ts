import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoFloat } from './go-float.ts';

test('floating-point numbers are parsed as by Go', () => {
  const cases: [text: string, value: number][] = [
    ['0.01', 0.01],
    ['+5', 5],
    ['-.5', -0.5],
    ['1.', 1],
    ['1e3', 1000],
    ['1_000.2_5', 1000.25],
    ['inf', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN],
    ['0x1.8p1', 3],
    ['-0X_10p-4', -1],
  ];
  for (const [text, value] of cases) assert.equal(parseGoFloat(text), value, text);
});

test('invalid floating-point numbers are rejected in the words of Go', () => {
  for (const text of ['', 'x', '1__0', '_1', '1_', '0x10', '0x1_.8p1', '+nan', '1e', ' 1', '1,5']) {
    assert.throws(() => parseGoFloat(text), { message: `strconv.ParseFloat: parsing "${text}": invalid syntax` });
  }
  assert.throws(() => parseGoFloat('1e999'), { message: 'strconv.ParseFloat: parsing "1e999": value out of range' });
  assert.throws(() => parseGoFloat('1e39', { bits: 32 }), {
    message: 'strconv.ParseFloat: parsing "1e39": value out of range',
  });
});
