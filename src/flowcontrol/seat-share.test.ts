import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proportionalShare, wholeShare } from './seat-share.ts';

function threeOf(total: number) {
  const wants = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  return [0, 1, 2].map((index) => proportionalShare(total, wants, index));
}

test('flow controllers without requests, or with the same number, have the same number of seats', () => {
  const shares = threeOf(600);
  const seats = () => shares.map((share) => share.seats());
  assert.deepEqual(seats(), [200, 200, 200]);
  for (const share of shares) share.want(90);
  assert.deepEqual(seats(), [200, 200, 200]);
  assert.deepEqual(
    shares.map(({ equal }) => equal),
    [200, 200, 200],
  );
});

test('a flow controller with many requests gets the seats of those without, but for a quarter of an equal share', () => {
  const [busy, ...others] = threeOf(600);
  busy!.want(1000);
  assert.equal(busy!.seats(), 500);
  for (const other of others) assert.equal(other.seats(), 51);
});

test('a flow controller gets seats back as soon as its requests want them', () => {
  const [first, second] = threeOf(600);
  first!.want(400);
  second!.want(400);
  assert.equal(first!.seats(), second!.seats());
  first!.want(0);
  assert.ok(second!.seats() > 490);
});

test('each of many flow controllers has a seat, however few there are', () => {
  const wants = new Int32Array(new SharedArrayBuffer(8 * Int32Array.BYTES_PER_ELEMENT));
  wants[0] = 100;
  assert.equal(proportionalShare(2, wants, 7).seats(), 1);
});

test('a flow controller that is alone has all seats', () => {
  const share = wholeShare(600);
  share.want(1000);
  assert.deepEqual([share.seats(), share.equal], [600, 600]);
});
