import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoInteger } from './go-integer.ts';

test('integers are parsed in every base that Go accepts', () => {
  const cases: [text: string, value: number][] = [
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['-12', -12],
    ['0x1F', 31],
    ['017', 15],
    ['0o17', 15],
    ['0b101', 5],
    ['1_000', 1000],
  ];
  for (const [text, value] of cases) assert.equal(parseGoInteger(text), value, text);
  assert.equal(parseGoInteger('010', { base: 10 }), 10);
});

test('invalid integers are rejected in the words of Go', () => {
  for (const text of ['', 'x', '1.5', ' 1', '1 ', '08', '_1', '1__0', '0x', '--1']) {
    const message = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
    assert.throws(() => parseGoInteger(text), { message });
  }
  assert.throws(() => parseGoInteger('99999999999999999999'), {
    message: 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  });
  assert.throws(() => parseGoInteger('-1', { unsigned: true }), {
    message: 'strconv.ParseUint: parsing "-1": invalid syntax',
  });
  assert.throws(() => parseGoInteger('0x1', { base: 10, caller: 'Atoi' }), {
    message: 'strconv.Atoi: parsing "0x1": invalid syntax',
  });
});
