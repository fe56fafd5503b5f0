import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from './seeded-random.ts';
import { indexOfText, lastIndexOfText } from './text-search.ts';

describe('text search', () => {
  it('text search finds what JavaScript finds', () => {
    const random = new SeededRandom(7);
    const pick = (most: number) => random.below(most);
    const repetitive = (length: number) => Array.from({ length }, () => (pick(20) === 0 ? 'b' : 'a')).join('');
    for (let round = 0; round < 60; round++) {
      // Long enough for the search with a guarantee.
      const text = repetitive(3_000 + pick(1_000));
      const start = pick(text.length - 900);
      const part = pick(3) === 0 ? repetitive(800) : text.slice(start, start + 800);
      const from = pick(text.length);
      assert.equal(indexOfText(text, part), text.indexOf(part));
      assert.equal(indexOfText(text, part, from), text.indexOf(part, from));
      assert.equal(lastIndexOfText(text, part), text.lastIndexOf(part));
      assert.equal(lastIndexOfText(text, part, from), text.lastIndexOf(part, from));
    }
  });

  it('text search takes linear time for repetitive texts', () => {
    // The product of the lengths is 10¹², so that nothing but a linear search ends.
    const text = 'a'.repeat(2_000_000);
    const half = 'a'.repeat(500_000);
    for (const part of [`${half}b`, `b${half}`, `${half}b${half}`]) {
      assert.equal(indexOfText(text, part), -1);
      assert.equal(lastIndexOfText(text, part), -1);
    }
    assert.equal(lastIndexOfText(`b${text}`, `b${half}`), 0);
    assert.equal(indexOfText(`${text}b`, `${half}b`), 1_500_000);
  });
});
