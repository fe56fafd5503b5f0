import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnsentBytes, type Waiting } from './unsent-bytes.ts';

class Answer implements Waiting {
  readonly #at: UnsentBytes;
  isCut = false;

  constructor(at: UnsentBytes, bytes: number) {
    this.#at = at;
    this.wait(bytes);
  }

  wait(bytes: number): void {
    this.#at.report(this, bytes);
  }

  cutOff(): void {
    this.isCut = true;
    this.wait(0);
  }
}

test('past the limit of unsent bytes, the response that made no progress for longest is aborted', () => {
  const unsent = new UnsentBytes(100);
  const [first, second, third] = [40, 40, 20].map((bytes) => new Answer(unsent, bytes)) as [Answer, Answer, Answer];
  first.wait(30);
  first.wait(50);
  assert.deepEqual([first.isCut, second.isCut, third.isCut], [false, true, false]);
  assert.equal(unsent.bytes, 70);
  second.wait(0);
  assert.equal(unsent.bytes, 70);
});

test('a single response may be larger than the limit of unsent bytes', () => {
  const unsent = new UnsentBytes(100);
  const large = new Answer(unsent, 1000);
  assert.equal(large.isCut, false);
  const other = new Answer(unsent, 1);
  assert.deepEqual([large.isCut, other.isCut, unsent.bytes], [true, false, 1]);
});

test('each connection has a limit of unsent bytes below the total one', () => {
  const all = new UnsentBytes(100);
  const [one, other] = [new UnsentBytes(60, all), new UnsentBytes(60, all)];
  const slow = new Answer(one, 30);
  const fast = new Answer(one, 20);
  assert.equal(other.crowded, false);
  const third = new Answer(other, 20);
  assert.equal(other.crowded, true);
  const large = new Answer(other, 31);
  assert.deepEqual([slow.isCut, fast.isCut, third.isCut, large.isCut], [true, false, false, false]);
  assert.deepEqual([one.bytes, other.bytes, all.bytes], [20, 51, 71]);
});
