import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { doubleText, parseBool, parseDouble, parseInteger } from './text.ts';

describe('a CEL double in text', () => {
  it('a CEL double in text is formatted as by Go', () => {
    const cases: readonly (readonly [number, string])[] = [
      [0, '0'],
      [-0, '-0'],
      [100_000, '100000'],
      [1_000_000, '1e+06'],
      [123_456_789, '1.23456789e+08'],
      [0.0001, '0.0001'],
      [0.00001, '1e-05'],
      [-12_300, '-12300'],
      [1e100, '1e+100'],
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, '+Inf'],
    ];
    for (const [value, text] of cases) assert.equal(doubleText(value), text);
  });

  it('a CEL double in text is parsed as by Go', () => {
    const cases: readonly (readonly [string, number | undefined])[] = [
      ['1.5', 1.5],
      ['.5', 0.5],
      ['5.', 5],
      ['-1e3', -1000],
      ['1_000.5', 1000.5],
      ['_1', undefined],
      ['1__0', undefined],
      ['0x1.8p1', 3],
      ['0x_1p2', 4],
      ['0x1', undefined],
      ['inf', Number.POSITIVE_INFINITY],
      ['-Infinity', Number.NEGATIVE_INFINITY],
      ['NaN', Number.NaN],
      ['-nan', undefined],
      ['1e400', undefined],
      ['', undefined],
      [' 1', undefined],
      ['.', undefined],
    ];
    for (const [text, value] of cases) assert.equal(parseDouble(text), value, text);
  });
});

describe('CEL integers and booleans in text', () => {
  it('CEL integers and booleans in text are parsed as by Go', () => {
    assert.equal(parseInteger('+007'), 7n);
    assert.equal(parseInteger('-9223372036854775808'), -(2n ** 63n));
    for (const text of ['', '1_000', '0x1', '1.0', '--1']) assert.equal(parseInteger(text), undefined, text);
    assert.equal(parseBool('True'), true);
    assert.equal(parseBool('f'), false);
    assert.equal(parseBool('yes'), undefined);
  });
});
