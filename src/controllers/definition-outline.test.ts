import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { encodeObject } from '../verbs/stored-form.ts';
import { definitionOutline } from './definition-outline.ts';

test('the outline of a CustomResourceDefinition holds everything except the schemas', () => {
  const definition = (schema: JsonObject) => ({
    metadata: { name: 'a', annotations: { last: '{"openAPIV3Schema":{"type":"object"}}', 'b"}': '\\' } },
    spec: {
      names: { kind: 'A' },
      versions: [
        { name: 'v1', schema: { openAPIV3Schema: schema }, served: true },
        { name: 'v2', served: true, schema: { openAPIV3Schema: schema }, storage: true },
      ],
    },
    status: { acceptedNames: { kind: 'A' } },
  });
  const nested = { type: 'object', properties: { openAPIV3Schema: { description: '}}{"\\"' } }, default: [{}, '{'] };
  const type = { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1' };
  const outline = definitionOutline({ bytes: encodeObject(type, definition(nested)), revision: 7 });
  const { metadata, ...rest } = definition({});
  assert.deepEqual(outline, { ...type, metadata: { ...metadata, resourceVersion: '7' }, ...rest });
});
