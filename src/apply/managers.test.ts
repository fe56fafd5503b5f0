import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { capped, isReset, isSame, type Manager, parseManagers, readManagers, writeManagers } from './managers.ts';

function manager(name: string, facts: Partial<Manager> = {}): Manager {
  const fields = { 'f:data': { [`f:${name}`]: {} } };
  return { name, operation: 'Update', apiVersion: 'v1', subresource: '', time: undefined, fields, ...facts };
}

describe('entries of managedFields', () => {
  test('entries are sorted by operation, time, manager, API version and subresource', () => {
    const written = writeManagers([
      manager('z', { time: '2026-01-01T00:00:02Z' }),
      manager('b', { time: '2026-01-01T00:00:01Z', subresource: 'status' }),
      manager('b', { time: '2026-01-01T00:00:01Z' }),
      manager('c', { operation: 'Apply', time: '2026-01-01T00:00:09Z' }),
      manager('d', { operation: 'Apply' }),
    ]);
    assert.deepEqual(
      written?.map((entry) => [entry.manager, entry.operation, entry.subresource]),
      [
        ['d', 'Apply', undefined],
        ['c', 'Apply', undefined],
        ['b', 'Update', undefined],
        ['b', 'Update', 'status'],
        ['z', 'Update', undefined],
      ],
    );
  });

  test('entries that are read and written again are unchanged', () => {
    const entries: JsonObject[] = [
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:k': {} } },
        subresource: 'status',
      },
    ];
    assert.equal(JSON.stringify(writeManagers(readManagers(entries))), JSON.stringify(entries));
    assert.deepEqual(parseManagers(entries), readManagers(entries));
    assert.equal(writeManagers([]), undefined);
  });

  const good = { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
  for (const wrong of [
    { operation: 'Patch' },
    { operation: undefined },
    { apiVersion: undefined },
    { fieldsType: 'FieldsV2' },
    { fieldsType: undefined },
    { fieldsV1: { data: {} } },
  ] as JsonObject[]) {
    test(`managedFields of a client with an entry of ${JSON.stringify(wrong)} are ignored`, () => {
      assert.equal(parseManagers([good, { ...good, ...wrong }]), undefined);
    });
  }

  test('managedFields with one empty entry ask for a reset, and an empty list does not', () => {
    assert.equal(isReset([{}]), true);
    assert.equal(isReset([]), false);
    assert.equal(isReset([{}, {}]), false);
    assert.equal(isReset([{ manager: 'x' }]), false);
  });

  test('an applier has one entry for all API versions, and an updater one for each version and subresource', () => {
    const applier = manager('a', { operation: 'Apply' });
    assert.equal(isSame(applier, { ...applier, apiVersion: 'v2' }), true);
    assert.equal(isSame(manager('a'), manager('a', { apiVersion: 'v2' })), false);
    assert.equal(isSame(manager('a'), manager('a', { subresource: 'status' })), false);
  });
});

describe('the limit of entries of updates', () => {
  const updaters = Array.from({ length: 12 }, (_, index) => {
    const two = String(index).padStart(2, '0');
    return manager(`m${two}`, { time: `2026-01-01T00:00:${two}Z` });
  });

  test('ten entries of updates are kept as they are', () =>
    assert.deepEqual(capped(updaters.slice(0, 10)), updaters.slice(0, 10)));

  test('the oldest entries of updates are merged into ancient-changes, with the newest of their times', () => {
    const applier = manager('tool', { operation: 'Apply' });
    const left = capped([applier, ...updaters]);
    assert.equal(left.length, 11);
    const ancient = left.find(({ name }) => name === 'ancient-changes');
    assert.equal(ancient?.time, '2026-01-01T00:00:02Z');
    assert.deepEqual(ancient?.fields, { 'f:data': { 'f:m00': {}, 'f:m01': {}, 'f:m02': {} } });
    assert.ok(left.includes(applier));
  });

  test('entries of updates in different API versions are never merged', () => {
    const mixed = updaters.map((each, index) => ({ ...each, apiVersion: index < 2 ? `v${index}` : 'v9' }));
    const left = capped(mixed);
    assert.ok(left.includes(mixed[0] as Manager));
    assert.ok(left.includes(mixed[1] as Manager));
    assert.equal(left.length, 10);
  });
});

test('managedFields with tens of thousands of entries are read and limited in linear time', () => {
  // Work with the square of their number would take minutes.
  const count = 30_000;
  const entries = Array.from({ length: count }, (_, index) => ({
    ...{ manager: `m${index}`, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' },
    fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
  }));
  const all = parseManagers([...entries, entries[0]!])!;
  assert.equal(all.length, count);
  const left = capped(all);
  assert.equal(left.length, limits.updateManagers);
  const merged = left.find(({ name }) => name === 'ancient-changes')!;
  const { 'f:data': owned } = merged.fields as unknown as Record<string, object>;
  assert.equal(Object.keys(owned!).length, count - limits.updateManagers + 1);
});
