import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineExpression } from './examination.ts';

test('a fault of the text is told with its places', () => {
  const { fault, issues } = examineExpression({ expression: "'ä' + self.size( +" });
  assert.match(fault ?? '', /^compilation failed: ERROR: <input>:1:/);
  assert.ok(issues!.length > 0);
  for (const { offset } of issues!) assert.ok(offset !== undefined && offset <= 18);
});

test('a name that nobody declares has the place where it stands, in code points', () => {
  const { issues } = examineExpression({ expression: "'😀' == other" });
  assert.deepEqual(
    issues?.map(({ offset }) => offset),
    [7],
  );
});

test('an expression without a fault has no issues', () => {
  const found = examineExpression({ expression: 'self.a + 1', object: { a: 1 } });
  assert.equal(found.issues, undefined);
  assert.equal(found.value, 2);
});
