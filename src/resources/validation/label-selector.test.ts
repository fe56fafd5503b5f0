import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import { compiledSelector, isEmptySelector, validateLabelSelector } from './label-selector.ts';

const faults = (selector: Parameters<typeof validateLabelSelector>[0]) =>
  validateLabelSelector(selector, 's').map((each) => `${each.field}: ${fieldErrorBody(each)}`);

describe('validation of label selectors', () => {
  it('validation of label selectors accepts an absent, an empty and a valid one', () => {
    assert.deepEqual(faults(undefined), []);
    assert.deepEqual(faults(null), []);
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] }), []);
  });

  for (const [expression, expected] of [
    [
      { key: 'a', operator: 'Is' },
      's.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ],
    [
      { key: 'a', operator: 'In' },
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      { key: 'a', operator: 'Exists', values: ['x'] },
      "s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ] as const) {
    it(`validation of label selectors rejects ${JSON.stringify(expression)}`, () => {
      assert.deepEqual(faults({ matchExpressions: [expression] }), [expected]);
    });
  }

  it('validation of label selectors reports the paths of keys and values', () => {
    const found = validateLabelSelector(
      { matchLabels: { 'a b': 'c d' }, matchExpressions: [{ key: '', operator: 'In', values: ['e f'] }] },
      's',
    );
    assert.deepEqual(
      found.map(({ field }) => field),
      [
        's.matchLabels',
        's.matchLabels',
        's.matchExpressions[0].key',
        's.matchExpressions[0].key',
        's.matchExpressions[0].values[0]',
      ],
    );
  });

  it('validation of label selectors compiles valid ones, and an absent one selects nothing', () => {
    assert.equal(compiledSelector({ matchLabels: { app: 'web' } })?.matches({ app: 'web' }), true);
    assert.equal(compiledSelector(undefined)?.matches({ app: 'web' }), false);
    assert.equal(compiledSelector({ matchExpressions: [{ key: 'a', operator: 'Is' }] }), undefined);
  });

  it('validation of label selectors recognizes an empty selector', () => {
    assert.equal(isEmptySelector({}), true);
    assert.equal(isEmptySelector({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }), false);
  });
});
