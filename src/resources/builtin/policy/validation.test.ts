import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../../api/errors.ts';
import type { JsonObject } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { disruptionBudgetRules } from './validation.ts';

const CONTEXT: StrategyContext = {
  nowMs: 0,
  gateEnabled: () => true,
  user: { name: '', uid: '', groups: [], extra: {} },
};

describe('validation of PodDisruptionBudgets', () => {
  for (const [spec, ...expected] of [
    [{ minAvailable: 1, selector: {} }],
    [{ maxUnavailable: '100%' }],
    [
      { minAvailable: 1, maxUnavailable: 1 },
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
    [{ minAvailable: -1 }, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
    [{ maxUnavailable: '101%' }, 'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    [
      { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ],
    [
      { unhealthyPodEvictionPolicy: 'X' },
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "X": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
  ] as readonly (readonly [JsonObject, ...string[]])[]) {
    it(`validation of PodDisruptionBudgets checks the spec ${JSON.stringify(spec)}`, () => {
      const found = disruptionBudgetRules.validate!({ metadata: {}, spec }, CONTEXT);
      assert.deepEqual(
        found.map((each) => `${each.field}: ${fieldErrorBody(each)}`),
        expected,
      );
    });
  }

  it('validation of PodDisruptionBudgets rejects negative counts in the status', () => {
    const found = disruptionBudgetRules.subresources!['status']!.validateUpdate!(
      { metadata: {}, status: { disruptionsAllowed: -1, expectedPods: -1 } },
      { metadata: {} },
      CONTEXT,
    );
    assert.deepEqual(
      found.map(({ field }) => field),
      ['status.disruptionsAllowed', 'status.expectedPods'],
    );
  });
});
