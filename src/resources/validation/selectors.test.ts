import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from './selectors.ts';

const text = (found: ReturnType<typeof validateNodeSelector>) =>
  found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

describe('validation of node selectors', () => {
  it('validation of node selectors requires at least one term', () => {
    const expected = ['s.nodeSelectorTerms: Required value: must have at least one node selector term'];
    assert.deepEqual(text(validateNodeSelector({ nodeSelectorTerms: null }, 's')), expected);
    assert.deepEqual(text(validateNodeSelector({}, 's')), expected);
  });

  for (const [expression, expected] of [
    [{ key: 'a', operator: 'Gt', values: ['1'] }, []],
    [
      { key: 'a', operator: 'Gt', values: ['1', '2'] },
      ["e[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"],
    ],
    [
      { key: 'a', operator: 'In' },
      ["e[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
    ],
    [
      { key: 'a', operator: 'DoesNotExist', values: ['x'] },
      ["e[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
    ],
    [{ key: 'a', operator: 'Equals' }, ['e[0].operator: Invalid value: "Equals": not a valid selector operator']],
  ] as const) {
    it(`validation of node selectors checks the labels ${JSON.stringify(expression)}`, () => {
      const found = text(validateNodeSelectorTerm({ matchExpressions: [expression] }, 't'));
      assert.deepEqual(
        found,
        expected.map((each) => `t.matchExpressions${each.slice(1)}`),
      );
    });
  }

  for (const [expression, expected] of [
    [{ key: 'metadata.name', operator: 'In', values: ['n1'] }, []],
    [
      { key: 'metadata.name', operator: 'Exists' },
      ['t.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator'],
    ],
    [
      { key: 'metadata.name', operator: 'In', values: ['a', 'b'] },
      [
        "t.matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ],
    ],
    [
      { key: 'spec.x', operator: 'In', values: ['a'] },
      ['t.matchFields[0].key: Invalid value: "spec.x": not a valid field selector key'],
    ],
  ] as const) {
    it(`validation of node selectors checks the fields ${JSON.stringify(expression)}`, () => {
      assert.deepEqual(text(validateNodeSelectorTerm({ matchFields: [expression] }, 't')), expected);
    });
  }

  it('validation of node selectors checks values in required terms and not in preferred ones', () => {
    const term = { matchExpressions: [{ key: 'a', operator: 'In', values: ['x y'] }] };
    assert.equal(validateNodeSelectorTerm(term, 't').length, 1);
    assert.equal(validateNodeSelectorTerm(term, 't', true).length, 0);
  });
});
