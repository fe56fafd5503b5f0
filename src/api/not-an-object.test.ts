import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeMetaOf, unreadableTypeMeta } from './not-an-object.ts';

test('kind and apiVersion are found in any case, and the last of several counts', () => {
  assert.deepEqual(typeMetaOf({ kind: 'Pod', apiVersion: 'v1' }), { kind: 'Pod', apiVersion: 'v1' });
  assert.deepEqual(typeMetaOf({ KIND: 'Pod', apiversion: 'v1' }), { kind: 'Pod', apiVersion: 'v1' });
  assert.deepEqual(typeMetaOf({ kind: 'Pod', Kind: 'Secret' }), { kind: 'Secret', apiVersion: '' });
  assert.deepEqual(typeMetaOf({ kind: 'Pod', Kind: null, king: 'Louis' }), { kind: 'Pod', apiVersion: '' });
});

test('an object is rejected for the first of kind and apiVersion that is not a string', () => {
  const refused = (what: string, name: string) =>
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go struct field .${name} of type string`;
  assert.equal(unreadableTypeMeta({ kind: 'Pod', apiVersion: null }), undefined);
  assert.equal(unreadableTypeMeta({ kind: 7, apiVersion: [] }), refused('number', 'kind'));
  assert.equal(unreadableTypeMeta({ apiVersion: [], kind: 7 }), refused('array', 'apiVersion'));
  assert.equal(unreadableTypeMeta({ Kind: {} }), refused('object', 'kind'));
});
