import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestion } from './suggestion.ts';

const NAMES = ['serve', 'verify', 'version', 'run', '--data-dir', '--v'];

test('a suggestion is a name with up to two wrong, missing or additional letters', () => {
  assert.equal(suggestion('serv', NAMES), ' (did you mean serve?)');
  assert.equal(suggestion('versoin', NAMES), ' (did you mean version?)');
  assert.equal(suggestion('--datadirr', NAMES), ' (did you mean --data-dir?)');
});

test('no suggestion is made for a word that is unlike every name or too short', () => {
  assert.equal(suggestion('kubectl', NAMES), '');
  assert.equal(suggestion('x', NAMES), '');
  assert.equal(suggestion('--xy', NAMES), '');
  assert.equal(suggestion('a'.repeat(1_000_000), NAMES), '');
});

test('the closest of several names is suggested', () => {
  assert.equal(suggestion('--nodess', ['--node', '--nodes', '--modes']), ' (did you mean --nodes?)');
});
