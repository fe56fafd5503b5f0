import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { mergeTolerations } from './tolerations.ts';

describe('a merge of tolerations', () => {
  const any: JsonObject = { operator: 'Exists' };
  const key: JsonObject = { key: 'k', operator: 'Exists' };
  const value: JsonObject = { key: 'k', operator: 'Equal', value: 'v' };
  const effect: JsonObject = { ...value, effect: 'NoExecute' };
  const short: JsonObject = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const long: JsonObject = { ...short, tolerationSeconds: 9 };
  const cases: readonly [string, JsonObject[], JsonObject[], JsonObject[]][] = [
    ['is empty if there are none', [], [], []],
    ['keeps equal tolerations once', [key], [key], [key]],
    [
      'keeps different tolerations in order',
      [value],
      [{ key: 'other', operator: 'Exists' }],
      [value, { key: 'other', operator: 'Exists' }],
    ],
    ['keeps an earlier toleration that covers later ones', [any], [key, value], [any]],
    ['keeps a later toleration that covers earlier ones', [value, effect], [key], [key]],
    ['takes a toleration of any effect as covering one effect', [value], [effect], [value]],
    [
      'takes a toleration of one effect as covering no other',
      [effect],
      [{ ...value, effect: 'NoSchedule' }],
      [effect, { ...value, effect: 'NoSchedule' }],
    ],
    [
      'takes tolerations of different values as different',
      [value],
      [{ ...value, value: 'w' }],
      [value, { ...value, value: 'w' }],
    ],
    ['keeps the longer tolerationSeconds', [short], [long], [long]],
    ['takes limited tolerationSeconds as not covering unlimited ones', [long], [effect], [long, effect]],
  ];
  for (const [title, first, second, expected] of cases) {
    it(`a merge of tolerations ${title}`, () => assert.deepEqual(mergeTolerations(first, second), expected));
  }
});
