import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError } from '../api/errors.ts';
import type { StrategyContext } from './definition.ts';
import { lateRules } from './late-rules.ts';

const OBJECT = { metadata: {} };
const CONTEXT = {} as StrategyContext;

test('rules that are loaded late are loaded once and then behave like others', async () => {
  let loads = 0;
  const fault = fieldError.required('spec');
  const rules = lateRules(async () => {
    loads++;
    return {
      validateCreate: () => [fault],
      validateUpdate: () => [],
      subresources: { status: { validateUpdate: () => [fault] } },
    };
  }, 'status');
  await rules.load?.();
  await rules.load?.();
  assert.equal(loads, 1);
  assert.deepEqual(rules.validateCreate?.(OBJECT, CONTEXT), [fault]);
  assert.deepEqual(rules.validateUpdate?.(OBJECT, OBJECT, CONTEXT), []);
  assert.deepEqual(rules.subresources?.['status']?.validateUpdate?.(OBJECT, OBJECT, CONTEXT), [fault]);
});

test('an object cannot be validated before its rules are loaded', () => {
  const rules = lateRules(async () => ({ validate: () => [] }));
  assert.throws(() => rules.validate?.(OBJECT, CONTEXT), /used before they were loaded/);
});
