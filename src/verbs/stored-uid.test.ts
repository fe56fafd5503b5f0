import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import type { JsonObject, ObjectMeta } from '../api/object.ts';
import { encodeObject } from './stored-form.ts';
import { uidOf } from './stored-uid.ts';

const TYPE = { kind: 'Thing', apiVersion: 'example.com/v1' };

test('the UID of an object is that of its metadata, not of an owner, a label or its content', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'of-owner' };
  const metadata: ObjectMeta = { name: 'a', labels: { uid: 'label' }, ownerReferences: [owner], uid: 'own' };
  for (const byName of [false, true]) {
    const bytes = encodeObject(TYPE, { metadata, spec: { uid: 'content' } as JsonObject }, byName);
    assert.equal(uidOf({ bytes }), 'own');
    // As read before.
    assert.equal(uidOf({ bytes }), 'own');
  }
});

test('an object without a UID has none, whatever its content', () => {
  const bytes = Buffer.from(
    '{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"uid":"x"}}',
  );
  assert.equal(uidOf({ bytes }), '');
});
