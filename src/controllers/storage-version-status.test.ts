import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { keepServerRows, serversOf, setServerRow } from './storage-version-status.ts';

const row = (apiServerID: string, encodingVersion: string) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: ['v1', 'v2'],
  servedVersions: ['v1'],
});

// biome-ignore lint/suspicious/noExplicitAny: a status in JSON.
const statusOf = (object: ApiObject) => (object as any).status;

test('a StorageVersion has a common encoding version while all servers have the same, with a transition time', () => {
  const object: ApiObject = { metadata: { name: 'core.pods' } };
  assert.equal(setServerRow(object, row('a', 'v1'), 0), true);
  assert.equal(setServerRow(object, row('a', 'v1'), 5_000), false, 'nothing new');
  setServerRow(object, row('b', 'v1'), 5_000);
  const [same] = statusOf(object).conditions;
  assert.deepEqual([statusOf(object).commonEncodingVersion, same.status], ['v1', 'True']);
  assert.equal(same.lastTransitionTime, '1970-01-01T00:00:00Z');
  setServerRow(object, row('b', 'v2'), 10_000);
  const [differing] = statusOf(object).conditions;
  assert.deepEqual(differing, {
    type: 'AllEncodingVersionsEqual',
    status: 'False',
    reason: 'CommonEncodingVersionUnset',
    message: 'Common encoding version unset',
    lastTransitionTime: '1970-01-01T00:00:10Z',
  });
  assert.equal('commonEncodingVersion' in statusOf(object), false);
  assert.deepEqual(
    keepServerRows(object, (id) => id === 'b', 20_000),
    { left: 1, gone: 1 },
  );
  assert.deepEqual([serversOf(object), statusOf(object).commonEncodingVersion], [['b'], 'v2']);
  setServerRow(object, row('b', 'v1'), 30_000);
  assert.equal(statusOf(object).conditions[0].lastTransitionTime, '1970-01-01T00:00:30Z', 'another common version');
});
