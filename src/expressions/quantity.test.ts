// Quantities in expressions: which are integers, sums, and what can be compared with what.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../test/cel/expression-outcome.ts';
import { Environment } from '../cel/environment.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import { QUANTITIES } from './quantity.ts';

const environment = new Environment({ libraries: [standardLibrary(), QUANTITIES] });
const outcome = (expression: string) => outcomeOf(expression, { environment });

describe('quantities in CEL', () => {
  const values: Readonly<Record<string, unknown>> = {
    'isQuantity("1.5Gi")': true,
    'isQuantity("20A")': false,
    'quantity("200M") == quantity("0.2G")': true,
    'quantity("50M").isLessThan(quantity("50Mi"))': true,
    'quantity("1").compareTo(quantity("1000m"))': '0',
    'sign(quantity("-1n"))': '-1',
    'quantity("50k").add(quantity("20")) == quantity("50.02k")': true,
    'quantity("50k").sub(20) == quantity("49980")': true,
    'quantity("50k").add(20).sub(quantity("100k")).sub(-50000).asInteger()': '20',
    'quantity("50.703k").asApproximateFloat()': '50703d',
    'quantity("1k").asInteger()': '1000',
    'quantity("999999999999999999").isInteger()': true,
    'quantity("1000000000000000000").isInteger()': false,
    'quantity("1e18").isInteger()': true,
    'quantity("1000m").isInteger()': false,
    'quantity("500m").add(quantity("500m")).isInteger()': false,
    'quantity("1.0").isInteger()': false,
  };
  for (const [expression, value] of Object.entries(values)) {
    it(`the quantity library of CEL evaluates ${expression}`, () => assert.deepEqual(outcome(expression).value, value));
  }

  const errors: Readonly<Record<string, string>> = {
    'quantity("10MM")': "unable to parse quantity's suffix",
    'quantity("1.5").asInteger()': 'cannot convert value to integer',
    'quantity("2") == quantity("1").add(1)': 'no such overload',
    'dyn(quantity("2")) == 2': 'no such overload',
  };
  for (const [expression, error] of Object.entries(errors)) {
    it(`the quantity library of CEL fails for ${expression}`, () => assert.equal(outcome(expression).error, error));
  }

  it('quantities in CEL have no method sign', () =>
    assert.match(outcome('quantity("1").sign()').compile ?? '', /no matching overload/));

  it('quantities in CEL cost one to compare, and a tenth of their characters to parse', () => {
    assert.deepEqual(outcome('quantity("12Mi") == quantity("12345678901")'), {
      value: false,
      cost: 4,
      estimate: [4, 4],
    });
  });

  it('quantities in CEL with huge exponents are compared and added in constant time', () => {
    assert.equal(outcome('quantity("1e999999999").isGreaterThan(quantity("9e999999998"))').value, true);
    assert.equal(outcome('quantity("1e999999999").add(1).isInteger()').value, false);
    assert.equal(outcome('quantity("123456789012345678901e999999999").asApproximateFloat()').value, '+Infd');
  });
});
