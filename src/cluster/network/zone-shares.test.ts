import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { isOverloaded, zoneRatios, zoneShares, zoneTransfers } from './zone-shares.ts';

function node(zone: string | undefined, cpu: string, { ready = true, labels = {} } = {}): Node {
  const zones = zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return { metadata: { labels: { ...labels, ...zones } }, status: { allocatable: { cpu }, conditions } } as Node;
}

test('zones share endpoints as their ready nodes share processors', () => {
  const control = { labels: { 'node-role.kubernetes.io/control-plane': '' } };
  const nodes = [node('a', '2'), node('a', '1'), node('b', '1'), node('b', '9', { ready: false })];
  assert.deepEqual(
    [...(zoneRatios([...nodes, node('c', '4', control)]) ?? [])],
    [
      ['a', 0.75],
      ['b', 0.25],
    ],
  );
});

test('zones have no shares with a single zone, or with a node that tells no zone or no processors', () => {
  const two = [node('a', '1'), node('b', '1')];
  assert.notEqual(zoneRatios(two), undefined);
  assert.equal(zoneRatios([node('a', '1')]), undefined);
  assert.equal(zoneRatios([...two, node(undefined, '1')]), undefined);
  assert.equal(zoneRatios([...two, node('a', '0')]), undefined);
});

test('no zone gets so few endpoints that they take a fifth more than their share', () => {
  const ratios = new Map([
    ['a', 0.6],
    ['b', 0.4],
  ]);
  // 0.4 of 4 endpoints are 1.6: with one of them, its load would be more than a fifth too high.
  assert.deepEqual(
    [...(zoneShares(ratios, 4) ?? [])],
    [
      ['a', { most: 2, desired: 2.4 }],
      ['b', { most: 2, desired: 2 }],
    ],
  );
  assert.equal(zoneShares(new Map([...'abcde'].map((zone) => [zone, 0.2])), 6), undefined);
});

test('a zone is overloaded if it has too few endpoints or none at all', () => {
  const ratios = new Map([
    ['a', 0.5],
    ['b', 0.5],
  ]);
  const counts = (a: number, b: number) => new Map([...Object.entries({ a, b })]);
  assert.equal(isOverloaded(counts(5, 5), ratios), false);
  assert.equal(isOverloaded(counts(6, 4), ratios), true);
  assert.equal(isOverloaded(new Map([['a', 3]]), ratios), true);
  assert.equal(isOverloaded(counts(5, 5), undefined), true);
  assert.equal(isOverloaded(new Map(), undefined), false);
});

test('zones with more endpoints than their share give some to those that have less', () => {
  const share = (desired: number) => ({ most: 9, desired });
  const shares = new Map([
    ['a', share(2.4)],
    ['b', share(2.4)],
    ['c', share(1.2)],
  ]);
  const counts = new Map([
    ['a', 5],
    ['b', 1],
  ]);
  const { given, received } = zoneTransfers(shares, counts);
  assert.deepEqual(
    [[...given], [...received].sort()],
    [
      [['a', 2]],
      [
        ['b', 1],
        ['c', 1],
      ],
    ],
  );
});
