// What a controller may write into the status of a ValidatingAdmissionPolicy.

import assert from 'node:assert/strict';
import test from 'node:test';
import { validatingPolicyRules } from './validation-policy.ts';

test('a warning about an expression says where it stands and what is wrong, and conditions are judged after it', () => {
  const policy = {
    metadata: { name: 'p' },
    status: {
      typeChecking: {
        expressionWarnings: [
          { fieldRef: 'spec.validations[0].expression', warning: 'w' },
          {},
          { fieldRef: ' ', warning: 'w' },
        ],
      },
      conditions: [{ type: 'T', status: 'x' }],
    },
  } as never;
  const found = validatingPolicyRules.validateStatusUpdate?.(policy, policy, undefined as never) ?? [];
  assert.deepEqual(
    found.map(({ field }) => field),
    [
      'status.typeChecking.expressionWarnings[1].warning',
      'status.typeChecking.expressionWarnings[1].fieldRef',
      'status.typeChecking.expressionWarnings[2].fieldRef',
      'status.conditions[0].status',
      'status.conditions[0].lastTransitionTime',
      'status.conditions[0].reason',
    ],
  );
});
