import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compare, compareStrings } from './comparison.ts';
import { Duration } from './duration.ts';
import { Timestamp } from './timestamp.ts';
import { Double, Uint, type Value } from './value.ts';

describe('the order of CEL values', () => {
  it('the order of CEL values compares numbers of all types by value', () => {
    const ascending: readonly Value[] = [
      new Double(Number.NEGATIVE_INFINITY),
      -(2n ** 63n),
      new Double(-1.5),
      -1,
      new Uint(0),
      new Double(0.5),
      1,
      new Uint(2n ** 63n),
      new Uint(2n ** 64n - 1n),
      new Double(2 ** 65),
    ];
    for (const [i, left] of ascending.entries()) {
      for (const [j, right] of ascending.entries()) {
        assert.equal(Math.sign(compare(left, right)), Math.sign(i - j), `${i} and ${j}`);
      }
    }
  });

  it('the order of CEL values converts an integer to compare it with a double', () => {
    assert.equal(compare(new Double(2 ** 53), 2n ** 53n + 1n), 0);
  });

  it('the order of CEL values compares strings by code points', () => {
    const ascending = ['', 'a', 'a\u{ff5e}', 'a\u{1f600}', 'b', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}'];
    for (const [i, left] of ascending.entries()) {
      for (const [j, right] of ascending.entries()) {
        assert.equal(Math.sign(compareStrings(left, right)), Math.sign(i - j), `${left} and ${right}`);
      }
    }
  });

  it('the order of CEL values includes bytes, booleans, timestamps and durations', () => {
    assert.ok(compare(new Uint8Array([1]), new Uint8Array([1, 0])) < 0);
    assert.ok(compare(false, true) < 0);
    assert.ok(compare(new Timestamp(1, 2), new Timestamp(1, 3)) < 0);
    assert.ok(compare(new Duration(0, -1), new Duration(0, 0)) < 0);
  });

  it('the order of CEL values does not include other types or NaN', () => {
    const none = { message: 'no such overload' };
    for (const [left, right] of [
      [1, '1'],
      [null, null],
      ['a', new Uint8Array()],
      [true, 1],
    ] as const) {
      assert.throws(() => compare(left, right), none);
    }
    assert.throws(() => compare(1, new Double(Number.NaN)), { message: 'NaN values cannot be ordered' });
  });
});
