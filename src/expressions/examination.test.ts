import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineExpression } from './examination.ts';

test('a syntax error is reported with its position', () => {
  const { fault, issues } = examineExpression({ expression: "'ä' + self.size( +" });
  assert.match(fault ?? '', /^compilation failed: ERROR: <input>:1:/);
  assert.ok(issues!.length > 0);
  for (const { offset } of issues!) assert.ok(offset !== undefined && offset <= 18);
});

test('an undeclared name is reported with its position in code points', () => {
  const { issues } = examineExpression({ expression: "'😀' == other" });
  assert.deepEqual(
    issues?.map(({ offset }) => offset),
    [7],
  );
});

test('a valid expression has no issues', () => {
  const found = examineExpression({ expression: 'self.a + 1', object: { a: 1 } });
  assert.equal(found.issues, undefined);
  assert.equal(found.value, 2);
});
