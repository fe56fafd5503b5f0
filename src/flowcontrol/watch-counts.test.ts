import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchCounts } from './watch-counts.ts';

test('a write is counted for watches of its resource, its namespace and its object', () => {
  const counts = new WatchCounts();
  const place = (namespace = '', name = '', resource = 'pods') => ({ group: '', resource, namespace, name });
  counts.register(place());
  const ended = counts.register(place('a'));
  counts.register(place('a', 'x'));
  counts.register(place('b'));
  counts.register(place('', '', 'secrets'));
  assert.equal(counts.interested(place('a', 'x')), 3);
  assert.equal(counts.interested(place('a', 'y')), 2);
  assert.equal(counts.interested(place('c', 'x')), 1);
  ended();
  ended();
  assert.equal(counts.interested(place('a', 'x')), 2);
});
