import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDurations, Duration, durationIn, formatDuration, nanosOf, parseDuration } from './duration.ts';

describe('a CEL duration', () => {
  it('a CEL duration is parsed as by Go', () => {
    const cases: readonly (readonly [string, bigint])[] = [
      ['0', 0n],
      ['-0', 0n],
      ['1h30m5.5s', 5_405_500_000_000n],
      ['-1.5h', -5_400_000_000_000n],
      ['.5ms', 500_000n],
      ['1.s', 1_000_000_000n],
      ['1µs2us3ns', 3_003n],
      ['0.9999999999s', 999_999_999n],
      ['2562047h47m16.854775807s', 2n ** 63n - 1n],
      ['-2562047h47m16.854775808s', -(2n ** 63n)],
    ];
    for (const [text, nanos] of cases) assert.equal(nanosOf(parseDuration(text)!), nanos, text);
  });

  it('a CEL duration is an error for an invalid text', () => {
    for (const text of ['', '1', '.s', '1d', 's', '1 s', '1e3s', '9223372036854775808ns', '--1s']) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });

  it('a CEL duration is formatted in seconds', () => {
    assert.equal(formatDuration(parseDuration('1h30m')!), '5400s');
    assert.equal(formatDuration(parseDuration('-1.5s')!), '-1.5s');
    assert.equal(formatDuration(parseDuration('1ns')!), '0.000000001s');
    assert.equal(formatDuration(new Duration(0, 0)), '0s');
  });

  it('a CEL duration is converted to whole units, and does not overflow', () => {
    assert.equal(durationIn(60_000_000_000n, parseDuration('-90s')!), -1);
    assert.throws(() => addDurations(parseDuration('9223372036854775807ns')!, new Duration(0, 1)), {
      message: 'integer overflow',
    });
  });
});
