import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from '../../base/seeded-random.ts';
import { EvaluationError } from './evaluation-error.ts';
import {
  addInt,
  addUint,
  canonicalInt,
  divideInt,
  intOfDouble,
  moduloInt,
  multiplyInt,
  negateInt,
  subtractInt,
  subtractUint,
  uintOfDouble,
} from './int.ts';
import { type Int, Uint } from './value.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** The result, or undefined for an overflow. */
function attempt(operation: () => Int): Int | undefined {
  try {
    return operation();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function within(value: bigint): Int | undefined {
  return value < MIN || value > MAX ? undefined : canonicalInt(value);
}

describe('CEL int arithmetic', () => {
  const random = new SeededRandom(63);
  const edges = [
    0n,
    1n,
    -1n,
    2n ** 53n,
    -(2n ** 53n),
    2n ** 53n - 1n,
    1n - 2n ** 53n,
    2n ** 31n,
    MAX,
    MIN,
    3_037_000_500n,
  ];
  const some = (): bigint => {
    const edge = random.pick(edges) + BigInt(random.below(5) - 2);
    return edge < MIN || edge > MAX ? random.pick(edges) : edge;
  };

  it('CEL int arithmetic is exact within 64 bits', () => {
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [some(), some()];
      const [left, right] = [canonicalInt(a), canonicalInt(b)];
      assert.equal(
        attempt(() => addInt(left, right)),
        within(a + b),
        `${a} + ${b}`,
      );
      assert.equal(
        attempt(() => subtractInt(left, right)),
        within(a - b),
        `${a} - ${b}`,
      );
      assert.equal(
        attempt(() => multiplyInt(left, right)),
        within(a * b),
        `${a} * ${b}`,
      );
      assert.equal(
        attempt(() => negateInt(left)),
        within(-a),
        `-${a}`,
      );
      if (b === 0n) continue;
      assert.equal(
        attempt(() => divideInt(left, right)),
        within(a / b),
        `${a} / ${b}`,
      );
      if (a === MIN && b === -1n) continue;
      assert.equal(
        attempt(() => moduloInt(left, right)),
        within(a % b),
        `${a} % ${b}`,
      );
    }
  });

  it('CEL int arithmetic never gives a negative zero', () => {
    for (const zero of [multiplyInt(0, -5), divideInt(-1, 2), moduloInt(-4, 2), negateInt(0)]) {
      assert.ok(Object.is(zero, 0));
    }
  });

  it('CEL int arithmetic fails for a division by zero and for the quotient that overflows', () => {
    assert.throws(() => divideInt(1, 0), { message: 'division by zero' });
    assert.throws(() => moduloInt(1, 0), { message: 'modulus by zero' });
    assert.throws(() => divideInt(MIN, -1), { message: 'integer overflow' });
    assert.throws(() => moduloInt(MIN, -1), { message: 'integer overflow' });
  });
});

describe('CEL uint arithmetic', () => {
  it('CEL uint arithmetic stays between 0 and 2^64', () => {
    const greatest = new Uint(2n ** 64n - 1n);
    assert.deepEqual(addUint(new Uint(2n ** 64n - 2n), new Uint(1)), greatest);
    assert.throws(() => addUint(greatest, new Uint(1)), { message: 'unsigned integer overflow' });
    assert.throws(() => subtractUint(new Uint(0), new Uint(1)), { message: 'unsigned integer overflow' });
  });
});

describe('a CEL double', () => {
  it('a CEL double is truncated to an int or a uint if it is in range', () => {
    assert.equal(intOfDouble(-1.9), -1);
    assert.ok(Object.is(intOfDouble(-0.5), 0));
    assert.equal(intOfDouble(2 ** 62), 2n ** 62n);
    assert.deepEqual(uintOfDouble(2 ** 63), new Uint(2n ** 63n));
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63, -(2 ** 63)]) {
      assert.throws(() => intOfDouble(value), { message: 'integer overflow' });
    }
    for (const value of [Number.NaN, -1, 2 ** 64]) {
      assert.throws(() => uintOfDouble(value), { message: 'unsigned integer overflow' });
    }
  });
});
