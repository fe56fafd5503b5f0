import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { agreedOrder, mergedGroups } from './merged-discovery.ts';

const resource = (name: string, verbs: string[], subresources: string[] = []): JsonObject => ({
  resource: name,
  scope: 'Namespaced',
  verbs,
  ...(subresources.length === 0 ? {} : { subresources: subresources.map((each) => ({ subresource: each })) }),
});
const version = (name: string, ...resources: JsonObject[]): JsonObject => ({ version: name, resources });
const group = (name: string, ...versions: JsonObject[]): JsonObject => ({ metadata: { name }, versions });
const namesOf = (groups: readonly JsonObject[]) => groups.map(({ metadata }) => (metadata as { name: string }).name);

describe('the merged discovery of servers', () => {
  const apps = group('apps', version('v1', resource('deployments', ['get', 'list'])));
  const batch = group('batch', version('v1', resource('jobs', ['get'])));

  it('the merged discovery document is that of the server itself if the others have nothing else', () => {
    const groups = [apps, { ...batch, freshness: 'Stale' }];
    const others = [{ id: 'a', groups: structuredClone([apps, batch]) }];
    assert.equal(mergedGroups({ id: 'b', groups }, others), groups);
    assert.equal(mergedGroups({ id: 'b', groups }, []), groups);
  });

  it('the merged discovery document has the groups and versions of all servers, in an order that agrees with all', () => {
    const beta = group('batch', version('v2', resource('jobs', ['get'])), version('v1', resource('jobs', ['get'])));
    const own = { id: 'b', groups: [group('z'), apps, group('y')] };
    const merged = mergedGroups(own, [
      { id: 'a', groups: [group('z'), batch, group('y')] },
      { id: 'c', groups: [beta] },
    ]);
    assert.deepEqual(namesOf(merged), ['z', 'apps', 'batch', 'y']);
    assert.deepEqual(merged[2], beta);
  });

  it('a resource that servers serve differently has the verbs and subresources of all in merged discovery, by name', () => {
    const one = group('apps', version('v1', resource('deployments', ['watch', 'get'], ['status', 'scale'])));
    const other = group('apps', version('v1', resource('deployments', ['list'], ['alpha']), resource('sets', ['get'])));
    const [merged] = mergedGroups({ id: 'a', groups: [one] }, [{ id: 'b', groups: [other] }]);
    const deployments = resource('deployments', ['get', 'list', 'watch'], ['alpha', 'scale', 'status']);
    assert.deepEqual(merged, group('apps', version('v1', deployments, resource('sets', ['get']))));
  });
});

describe('an order that agrees with several lists', () => {
  it('an order that agrees with several lists is one that has all names, or else sorts names without an order', () => {
    assert.deepEqual(agreedOrder([['b', 'c'], ['b', 'a', 'c'], []]), ['b', 'a', 'c']);
    assert.deepEqual(
      agreedOrder([
        ['a', 'c'],
        ['b', 'c'],
      ]),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(
      agreedOrder([
        ['z', 'a'],
        ['z', 'm', 'b'],
        ['b', 'a'],
      ]),
      ['z', 'm', 'b', 'a'],
    );
    assert.deepEqual(agreedOrder([]), []);
  });

  it('an order that agrees with several lists sorts all names if the lists contradict each other', () => {
    assert.deepEqual(
      agreedOrder([
        ['c', 'a', 'b'],
        ['b', 'c', 'd'],
      ]),
      ['a', 'b', 'c', 'd'],
    );
  });
});
