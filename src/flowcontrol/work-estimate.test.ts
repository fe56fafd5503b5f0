import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ListWork,
  listEstimate,
  listEstimateByCount,
  type ObjectStats,
  ONE_SEAT,
  widestList,
  writeEstimate,
} from './work-estimate.ts';

const LIST: ListWork = { limit: 0, selects: false, single: false, fromCache: true };
/** 10 kB each. */
const MANY: ObjectStats = { objects: 2000, bytes: 20_000_000 };

function seats(list: Partial<ListWork>, stats: ObjectStats | undefined = MANY, levelSeats?: number): number {
  return listEstimate({ ...LIST, ...list }, stats, levelSeats).initialSeats;
}

test('a list takes a seat for each 100 kB, at most ten from memory, and at most a hundred otherwise', () => {
  assert.equal(seats({ limit: 15 }), 2);
  assert.equal(seats({}), 10);
  assert.equal(seats({ fromCache: false, limit: 500 }), 50);
  assert.equal(seats({ fromCache: false }), 100);
  assert.equal(seats({ fromCache: false }, MANY, 9), 9);
  assert.equal(widestList(true).initialSeats, 100);
});

test('with the legacy estimate a list takes a seat for each hundred objects, at most ten', () => {
  const counted = (list: Partial<ListWork>, objects: number) =>
    listEstimateByCount({ limit: 0, selects: false, single: false, fromCache: true, ...list }, { objects, bytes: 1 })
      .initialSeats;
  assert.equal(counted({}, 250), 3);
  assert.equal(counted({ fromCache: false }, 250), 5);
  assert.equal(counted({ fromCache: false, limit: 100 }, 250), 2);
  assert.equal(counted({ fromCache: false, limit: 100, selects: true }, 250), 4);
  assert.equal(counted({ single: true }, 250), 1);
  assert.equal(counted({}, 100_000), 10);
  assert.equal(widestList(false).initialSeats, 10);
});

test('a list with a selector reads half of the stored objects, and one by name a single object', () => {
  assert.equal(seats({ fromCache: false, limit: 50, selects: true }, { objects: 1000, bytes: 1_000_000 }), 5);
  assert.equal(seats({ single: true, fromCache: false }), 1);
});

test('a list of an unknown or empty resource takes one seat', () => {
  assert.equal(listEstimate(LIST, undefined).initialSeats, 1);
  assert.equal(seats({}, { objects: 0, bytes: 0 }), 1);
});

test('a write that many watches receive keeps seats for a while, for longer the fewer they are', () => {
  assert.equal(writeEstimate(9), ONE_SEAT);
  assert.deepEqual(writeEstimate(10), { initialSeats: 1, finalSeats: 1, additionalMs: 5 });
  assert.deepEqual(writeEstimate(31), { initialSeats: 1, finalSeats: 4, additionalMs: 5 });
  assert.deepEqual(writeEstimate(200), { initialSeats: 1, finalSeats: 10, additionalMs: 10 });
  assert.deepEqual(writeEstimate(200, 4), { initialSeats: 1, finalSeats: 4, additionalMs: 25 });
});
