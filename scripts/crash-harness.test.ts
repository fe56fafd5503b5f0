import assert from 'node:assert/strict';
import { it } from 'node:test';
import { crashRounds } from './crash-harness.ts';

it('the crash harness finds every acknowledged write after each crash', async () => {
  const report = await crashRounds({ rounds: 8, seed: 1 });
  assert.equal(report.rounds, 8);
  assert.ok(report.acknowledged > 0 && report.inHistory > 0, JSON.stringify(report));
});
