import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combined } from './combined-rules.ts';

test('the rules of a kind are those of all parts, and the last part counts', () => {
  const validate = () => [];
  assert.deepEqual(combined({ validate, createOnUpdate: false }, {}, { createOnUpdate: true }), {
    validate,
    createOnUpdate: true,
  });
});

test('rules of steps, deletions and subresources are combined member by member', () => {
  const validateUpdate = () => [];
  const rules = combined(
    { checks: { update: ['content'] }, subresources: { status: { validateUpdate }, approval: {} } },
    { checks: { changeTellsEmpty: true }, deletion: { propagation: 'Orphan' } },
    { deletion: { returnsObject: true }, subresources: { status: { keeps: ['labels'] } } },
  );
  assert.deepEqual(rules, {
    checks: { update: ['content'], changeTellsEmpty: true },
    deletion: { propagation: 'Orphan', returnsObject: true },
    subresources: { status: { validateUpdate, keeps: ['labels'] }, approval: {} },
  });
});
