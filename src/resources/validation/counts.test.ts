import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, fieldErrorBody } from '../../api/errors.ts';
import { validateCounts, validateNotDecremented, validateParts } from './counts.ts';

const text = (found: readonly FieldError[]) => found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);

describe('counts in a status', () => {
  it('counts in a status are not negative', () => {
    assert.deepEqual(text(validateCounts({ a: -1, b: 2 }, ['a', 'b', 'c'], 's')), [
      's.a: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  it('counts in a status of a part are not greater than the total', () => {
    assert.deepEqual(text(validateParts({ all: 1, some: 2 }, ['some', 'none'], { whole: 'all', field: 's' })), [
      's.some: Invalid value: 2: cannot be greater than s.all',
    ]);
  });

  it('counts in a status that may only increase do not decrease or disappear', () => {
    const place = { member: 'n', field: 's' };
    assert.deepEqual(validateNotDecremented({ n: 3 }, { n: 2 }, place), []);
    assert.deepEqual(validateNotDecremented({ n: 1 }, {}, place), []);
    assert.deepEqual(text(validateNotDecremented({ n: 1 }, { n: 2 }, place)), [
      's.n: Invalid value: 1: cannot be decremented',
    ]);
    assert.deepEqual(text(validateNotDecremented({}, { n: 2 }, place)), [
      's.n: Invalid value: 0: cannot be decremented',
    ]);
  });
});
