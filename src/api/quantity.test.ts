import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  MALFORMED_QUANTITY,
  parseQuantity,
  QuantityError,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.ts';

const CANONICAL: [string | number, string][] = [
  ['0', '0'], ['00', '0'], ['-0', '0'], ['0Mi', '0'], ['0.0', '0'], [0, '0'], ['+', '0'], ['.', '0'],
  ['1', '1'], ['10', '10'], ['100', '100'], ['1000', '1k'], ['100000', '100k'], ['01', '01'], [' 5 ', '5'], ['+5', '+5'],
  ['100m', '100m'], ['1000m', '1'], ['2000m', '2'], ['1500m', '1500m'], ['10000m', '10'], ['1k', '1k'], ['1000k', '1M'],
  ['1000000E', '1e24'], ['1000E', '1e21'], ['1E', '1E'],
  ['0.5', '500m'], ['.5', '500m'], ['1.', '1.'], ['1.5', '1500m'], ['1.500', '1.500'], ['0.1', '100m'], [0.1, '100m'],
  ['-1', '-1'], ['-0.5', '-500m'], ['-1000', '-1k'],
  ['1024Ki', '1Mi'], ['2048Mi', '2Gi'], ['128Mi', '128Mi'], ['500Gi', '500Gi'], ['12Gi', '12Gi'], ['1Ti', '1Ti'],
  ['1025Ki', '1025Ki'], ['1000Ki', '1000Ki'], ['0.5Mi', '512Ki'], ['1.5Gi', '1536Mi'], ['0.5Ki', '512'],
  ['1.1Ki', '1126400m'], ['1048576Ki', '1Gi'], ['1024Pi', '1Ei'], ['8Ei', '9223372036854775807'],
  ['9999Pi', '9223372036854775807'], ['-9999Ei', '-9223372036854775807'],
  ['1e3', '1e3'], ['1E3', '1E3'], ['1e9', '1e9'], ['1e-1', '100e-3'], ['1.5e3', '1500'], ['10e2', '1e3'], [1e21, '1e+21'],
  ['0.1n', '1n'], ['1.1n', '2n'], ['-0.1n', '-1n'], ['1e-99999', '1e-9'], ['1e999999', '1e999999'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
]; // biome-ignore format: a table

test('a quantity has the canonical text of Kubernetes', () => {
  for (const [given, canonical] of CANONICAL) assert.equal(canonicalQuantity(String(given)), canonical, String(given));
});

test('the canonical text of a quantity is the same amount', () => {
  for (const [given, canonical] of CANONICAL) {
    const text = String(given).trim();
    if (text.includes('Ei') || text.includes('9999Pi')) continue;
    assert.equal(compareQuantities(parseQuantity(text), parseQuantity(canonical)), 0, text);
  }
});

const REFUSALS: [string, string][] = [
  ['', MALFORMED_QUANTITY],
  ['ten', MALFORMED_QUANTITY],
  ['1gi', MALFORMED_QUANTITY],
  ['1 Gi', MALFORMED_QUANTITY],
  ['1.2.3', MALFORMED_QUANTITY],
  ['1_000', MALFORMED_QUANTITY],
  ['1Gi1x', MALFORMED_QUANTITY],
  ['1ki', "unable to parse quantity's suffix"],
  ['1K', "unable to parse quantity's suffix"],
  ['1Gm', "unable to parse quantity's suffix"],
  ['1e', "unable to parse quantity's suffix"],
  ['1Ki1', "unable to parse quantity's suffix"],
  ['--1', "unable to parse quantity's suffix"],
  ['5-3', "unable to parse quantity's suffix"],
  ['9'.repeat(2_000), 'unable to parse numeric part of quantity'],
];

test('invalid quantities are rejected', () => {
  for (const [text, message] of REFUSALS) {
    assert.throws(
      () => parseQuantity(text),
      (error) => error instanceof QuantityError && error.message === message,
      text,
    );
    assert.equal(canonicalQuantity(text), undefined, text);
  }
});

test('a long text that is not a quantity is rejected in linear time', () => {
  assert.throws(() => parseQuantity(`${'0'.repeat(200_000)}x`), QuantityError);
  assert.throws(() => parseQuantity(`1${'e'.repeat(200_000)}1x`), QuantityError);
});

test('quantities are compared by amount, whatever the suffix', () => {
  const rising = [
    '-1k',
    '-1',
    '-1m',
    '0',
    '1n',
    '999m',
    '1',
    '1023',
    '1Ki',
    '1025',
    '1M',
    '1Mi',
    '1Gi',
    '1e12',
    '1e999999',
  ];
  for (const [index, one] of rising.entries()) {
    for (const [other, text] of rising.entries()) {
      assert.equal(
        compareQuantities(parseQuantity(one), parseQuantity(text)),
        Math.sign(index - other),
        `${one} ${text}`,
      );
    }
  }
  assert.equal(compareQuantities(parseQuantity('1000m'), parseQuantity('1')), 0);
});

test('the sum of quantities has the format of the first one, unless that is zero', () => {
  const sums: [string, string, string][] = [
    ['1', '500m', '1500m'],
    ['500m', '500m', '1'],
    ['1Gi', '512Mi', '1536Mi'],
    ['1Gi', '1', '1073741825'],
    ['0', '1Gi', '1Gi'],
    ['1Gi', '0', '1Gi'],
    ['1e3', '1', '1001'],
    ['1e999999', '1', '1e999999'],
  ];
  for (const [one, other, sum] of sums) {
    assert.equal(formatQuantity(addQuantities(parseQuantity(one), parseQuantity(other))), sum);
  }
  assert.equal(formatQuantity(subtractQuantities(parseQuantity('1'), parseQuantity('300m'))), '700m');
  assert.equal(formatQuantity(subtractQuantities(parseQuantity('0'), parseQuantity('300m'))), '-300m');
});

test('quantities are rounded away from zero', () => {
  const milli = (text: string) => formatQuantity(roundUpQuantity(parseQuantity(text), -3));
  assert.equal(milli('0.0001'), '1m');
  assert.equal(milli('1.0001'), '1001m');
  assert.equal(milli('-1.0001'), '-1001m');
  assert.equal(milli('1500m'), '1500m');
  assert.equal(quantityValue(parseQuantity('1500m')), 2n);
  assert.equal(quantityValue(parseQuantity('1Gi')), 1073741824n);
  assert.throws(() => quantityValue(parseQuantity('1e999999')), QuantityError);
});
