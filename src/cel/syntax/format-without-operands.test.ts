import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatWithoutOperands } from './format-without-operands.ts';

test('a verb without an operand is told as missing, whatever it is', () => {
  const rows: readonly (readonly [text: string, told: string])[] = [
    ['no verbs', 'no verbs'],
    ['input \'."%d %s"\'', 'input \'."%!d(MISSING) %!s(MISSING)"\''],
    ["error at: '|%'\n", "error at: '|%!'(MISSING)\n"],
    ['100%% of %5.2f', '100% of %!f(MISSING)'],
    ['% d', '%!d(MISSING)'],
    ['%ä', '%!ä(MISSING)'],
    ['100%', '100%!(NOVERB)'],
  ];
  for (const [text, told] of rows) assert.equal(formatWithoutOperands(text), told, text);
});
