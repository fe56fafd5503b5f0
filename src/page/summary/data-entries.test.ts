import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOfData } from './data-entries.ts';

test('entries of a ConfigMap are text or bytes, sorted by name, with their sizes', () => {
  const object = { data: { theme: 'grün' }, binaryData: { logo: '/9j/' } };
  assert.deepEqual(entriesOfData('/configmaps', object), [
    { name: 'logo', bytes: 3, text: undefined },
    { name: 'theme', bytes: 5, text: 'grün' },
  ]);
});

test('entries of a Secret are decoded from base64', () => {
  assert.deepEqual(entriesOfData('/secrets', { data: { key: 'c2VjcmV0', empty: '' } }), [
    { name: 'empty', bytes: 0, text: '' },
    { name: 'key', bytes: 6, text: 'secret' },
  ]);
});

test('objects of other kinds have no data', () => {
  assert.equal(entriesOfData('/pods', { data: { a: 'b' } }), undefined);
});
