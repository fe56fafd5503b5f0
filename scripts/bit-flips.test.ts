import assert from 'node:assert/strict';
import { it } from 'node:test';
import { flipBits } from './bit-flips.ts';

it('a flipped bit in any file of a store is detected or changes nothing', () => {
  const report = flipBits({ flips: 90, seed: 1 });
  assert.deepEqual(report.silent, []);
  assert.equal(report.detected + report.harmless, 90);
  assert.ok(report.detected > 20 && report.harmless > 5, JSON.stringify(report));
});
