import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age } from './age.ts';

test('ages are formatted like those of kubectl', () => {
  const ages = (seconds: number) => age('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z') + seconds * 1000);
  assert.equal(ages(119), '119s');
  assert.equal(ages(125), '2m5s');
  assert.equal(ages(600), '10m');
  assert.equal(ages(3 * 3600 + 60), '3h1m');
  assert.equal(ages(9 * 3600), '9h');
  assert.equal(ages(50 * 3600), '2d2h');
  assert.equal(ages(9 * 86400), '9d');
  assert.equal(ages(800 * 86400), '2y70d');
});

test('an invalid time has no age, and a future one has the age 0s', () => {
  assert.equal(age(undefined, 0), '');
  assert.equal(age('soon', 0), '');
  assert.equal(age('2030-01-01T00:00:00Z', 0), '0s');
});
