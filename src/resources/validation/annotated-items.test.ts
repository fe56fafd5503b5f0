import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANNOTATED_TAINT, ANNOTATED_TOLERATION, annotatedItems } from './annotated-items.ts';

const ITEMS = 'json: cannot unmarshal';

const refused: [text: string, type: typeof ANNOTATED_TAINT, why: string][] = [
  ['x', ANNOTATED_TAINT, "invalid character 'x' looking for beginning of value"],
  ['{}', ANNOTATED_TAINT, `${ITEMS} object into Go value of type []core.Taint`],
  ['["x",5]', ANNOTATED_TAINT, `${ITEMS} string into Go value of type core.Taint`],
  ['[{"key":5}]', ANNOTATED_TAINT, `${ITEMS} number into Go struct field Taint.Key of type string`],
  ['[{"EFFECT":true}]', ANNOTATED_TAINT, `${ITEMS} bool into Go struct field Taint.Effect of type core.TaintEffect`],
  ['[{"timeAdded":5}]', ANNOTATED_TAINT, `${ITEMS} number into Go struct field Taint.TimeAdded of type string`],
  [
    '[{"timeAdded":"x"}]',
    ANNOTATED_TAINT,
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    '[{"operator":5,"key":6}]',
    ANNOTATED_TOLERATION,
    `${ITEMS} number into Go struct field Toleration.Operator of type core.TolerationOperator`,
  ],
  [
    '[{"tolerationSeconds":1.5}]',
    ANNOTATED_TOLERATION,
    `${ITEMS} number 1.5 into Go struct field Toleration.TolerationSeconds of type int64`,
  ],
];
for (const [text, type, why] of refused) {
  test(`a list of ${type.name}s in an annotation cannot be ${text}`, () => {
    assert.equal(annotatedItems(text, type), why);
  });
}

test('a list in an annotation may be empty or null, and its members may have any case', () => {
  for (const text of ['', 'null', '[]']) assert.deepEqual(annotatedItems(text, ANNOTATED_TAINT), []);
  const items = annotatedItems('[null,{"KEY":"a","value":null,"other":1,"Effect":"NoSchedule"}]', ANNOTATED_TAINT);
  assert.deepEqual(items, [{}, { key: 'a', effect: 'NoSchedule' }]);
});
