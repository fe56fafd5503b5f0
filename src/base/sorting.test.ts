import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { SeededRandom } from './seeded-random.ts';
import { sorting, sortingTexts } from './sorting.ts';
import { atOnce } from './steps.ts';

test('many texts are sorted in steps like by the runtime', () => {
  const random = new SeededRandom(7);
  for (const length of [0, 1, 100, limits.membersInStep, limits.membersInStep + 1, 5 * limits.membersInStep + 17]) {
    const texts = Array.from({ length }, () => `é\u{1f600}k${random.below(length)}`.slice(random.below(4)));
    const expected = [...texts].sort();
    assert.deepEqual(atOnce(sortingTexts([...texts])), expected, String(length));
    let steps = 0;
    for (const _ of sortingTexts(texts)) steps++;
    assert.ok(steps >= length / limits.membersInStep - 1, `${steps} steps for ${length}`);
  }
});

test('equal items keep their order when they are sorted in steps', () => {
  const random = new SeededRandom(8);
  const items = Array.from({ length: 3 * limits.membersInStep }, (_, index) => ({ key: random.below(50), index }));
  const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
  assert.deepEqual(atOnce(sorting([...items], compare)), items.toSorted(compare));
});
