import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeObject, metadataIn } from './stored-form.ts';

test('metadata is read without the rest, whatever its texts look like', () => {
  const metadata = {
    name: 'a',
    labels: { 'example.com/x': 'y' },
    annotations: { braces: '}}{"', backslash: '\\', both: '\\"}', öß: '🙂' },
    managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { 'k:{"name":"}"}': {} } } }],
  };
  const bytes = encodeObject({ kind: 'A', apiVersion: 'v1' }, { metadata, spec: { metadata: { name: 'other' } } });
  assert.deepEqual(metadataIn(bytes), metadata);
});
