import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineExpression } from '../../expressions/examination.ts';
import { diagnosticsOf, placeText } from './expression-faults.ts';

const marked = (text: string): string[] =>
  diagnosticsOf(text, examineExpression({ expression: text })).map(({ from, to }) => text.slice(from, to));

test('the word that is not known is marked, behind characters of two units as well', () => {
  assert.deepEqual(marked("'😀' == nobody"), ['nobody']);
});

test('a text that ends too early is marked at its end', () => {
  assert.deepEqual(marked('self.a +'), ['+']);
});

test('an expression without faults has no marks, and a fault without a place marks all', () => {
  assert.deepEqual(marked('self.a + 1'), []);
  assert.deepEqual(diagnosticsOf('abc', { fault: 'program instantiation failed' }), [
    { from: 0, to: 3, severity: 'error', message: 'program instantiation failed' },
  ]);
});

test('places are formatted as line and column', () => {
  assert.equal(placeText('a\nbc', 3), '2:2');
  assert.equal(placeText('a', 0), '1:1');
});
