import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineExpression } from '../../expressions/examination.ts';
import { diagnosticsOf, placeText } from './expression-faults.ts';

const marked = (text: string): string[] =>
  diagnosticsOf(text, examineExpression({ expression: text })).map(({ from, to }) => text.slice(from, to));

test('an unknown word in a CEL expression is marked, even after characters of two UTF-16 units', () => {
  assert.deepEqual(marked("'😀' == nobody"), ['nobody']);
});

test('a CEL expression that ends too early is marked at its end', () => {
  assert.deepEqual(marked('self.a +'), ['+']);
});

test('a valid CEL expression has no marks, and an error without a position marks it all', () => {
  assert.deepEqual(marked('self.a + 1'), []);
  assert.deepEqual(diagnosticsOf('abc', { fault: 'program instantiation failed' }), [
    { from: 0, to: 3, severity: 'error', message: 'program instantiation failed' },
  ]);
});

test('positions in a CEL expression are formatted as line and column', () => {
  assert.equal(placeText('a\nbc', 3), '2:2');
  assert.equal(placeText('a', 0), '1:1');
});
