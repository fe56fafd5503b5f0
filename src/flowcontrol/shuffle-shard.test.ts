import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { dealHand } from './shuffle-shard.ts';

test('shuffle sharding deals cards by the remainders of the hash, each among those left', () => {
  // 5 of 8 is 5; (1000003 / 8 = 125000) of 7 is 1; 17857 of 6 is 1, which is taken, and so 2.
  assert.deepEqual(dealHand(1_000_005n, 8, 3), [5, 1, 2]);
  assert.deepEqual(dealHand(0n, 4, 4), [0, 1, 2, 3]);
  assert.deepEqual(dealHand(123n, 1, 1), [0]);
});

test('shuffle sharding deals no card twice, and all cards about equally often', () => {
  const seeded = new SeededRandom(7);
  const dealt = new Array<number>(16).fill(0);
  for (let flow = 0; flow < 4000; flow++) {
    const hash = BigInt(seeded.below(2 ** 32)) * 2n ** 32n + BigInt(seeded.below(2 ** 32));
    const hand = dealHand(hash, 16, 4);
    assert.equal(new Set(hand).size, 4);
    for (const card of hand) dealt[card]!++;
  }
  for (const count of dealt) assert.ok(count > 850 && count < 1150, `${dealt}`);
});
