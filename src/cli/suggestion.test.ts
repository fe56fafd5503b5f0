import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestion } from './suggestion.ts';

const NAMES = ['serve', 'verify', 'version', 'run', '--data-dir', '--v'];

test('a name with up to two wrong, missing or additional letters is recognized', () => {
  assert.equal(suggestion('serv', NAMES), ' (did you mean serve?)');
  assert.equal(suggestion('versoin', NAMES), ' (did you mean version?)');
  assert.equal(suggestion('--datadirr', NAMES), ' (did you mean --data-dir?)');
});

test('a word that is unlike every name, and one for which the name is too short, mean nothing', () => {
  assert.equal(suggestion('kubectl', NAMES), '');
  assert.equal(suggestion('x', NAMES), '');
  assert.equal(suggestion('--xy', NAMES), '');
  assert.equal(suggestion('a'.repeat(1_000_000), NAMES), '');
});

test('of several names the closest is meant', () => {
  assert.equal(suggestion('--nodess', ['--node', '--nodes', '--modes']), ' (did you mean --nodes?)');
});
