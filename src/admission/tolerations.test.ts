import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { mergeTolerations } from './tolerations.ts';

describe('mergeTolerations', () => {
  const any: JsonObject = { operator: 'Exists' };
  const key: JsonObject = { key: 'k', operator: 'Exists' };
  const value: JsonObject = { key: 'k', operator: 'Equal', value: 'v' };
  const effect: JsonObject = { ...value, effect: 'NoExecute' };
  const short: JsonObject = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const long: JsonObject = { ...short, tolerationSeconds: 9 };
  const cases: readonly [string, JsonObject[], JsonObject[], JsonObject[]][] = [
    ['nothing', [], [], []],
    ['equal ones once', [key], [key], [key]],
    [
      'different ones in order',
      [value],
      [{ key: 'other', operator: 'Exists' }],
      [value, { key: 'other', operator: 'Exists' }],
    ],
    ['an earlier one that covers', [any], [key, value], [any]],
    ['a later one that covers', [value, effect], [key], [key]],
    ['any effect covers one', [value], [effect], [value]],
    [
      'one effect covers no other',
      [effect],
      [{ ...value, effect: 'NoSchedule' }],
      [effect, { ...value, effect: 'NoSchedule' }],
    ],
    ['another value is no other value', [value], [{ ...value, value: 'w' }], [value, { ...value, value: 'w' }]],
    ['the longer one', [short], [long], [long]],
    ['some time does not cover for good', [long], [effect], [long, effect]],
  ];
  for (const [title, first, second, expected] of cases) {
    it(title, () => assert.deepEqual(mergeTolerations(first, second), expected));
  }
});
