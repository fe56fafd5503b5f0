import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combined } from './combined-rules.ts';

test('combined rules of a kind hold those of all parts, and the last part wins', () => {
  const validate = () => [];
  assert.deepEqual(combined({ validate, createOnUpdate: false }, {}, { createOnUpdate: true }), {
    validate,
    createOnUpdate: true,
  });
});

test('combined rules of checks, deletion and subresources are merged member by member', () => {
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
