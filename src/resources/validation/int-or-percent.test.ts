import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isZeroAmount, validateAtMostAll, validateIntOrPercent } from './int-or-percent.ts';

describe('validation of an integer or percentage', () => {
  for (const [amount, faults, tooMany, zero] of [
    [0, 0, 0, true],
    [3, 0, 0, false],
    [-1, 1, 0, false],
    ['0%', 0, 0, true],
    ['25%', 0, 0, false],
    ['101%', 0, 1, false],
    ['-1%', 1, 0, true],
    ['10.5%', 1, 0, true],
    ['3', 1, 0, false],
    ['half', 1, 0, true],
    [undefined, 0, 0, true],
  ] as const) {
    it(`validation of an integer or percentage checks ${amount}`, () => {
      assert.equal(validateIntOrPercent(amount, 'f').length, faults);
      assert.equal(validateAtMostAll(amount, 'f').length, tooMany);
      assert.equal(isZeroAmount(amount), zero);
    });
  }
});
