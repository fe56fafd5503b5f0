import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, ObjectMeta } from '../api/object.ts';
import { atOnce } from '../base/steps.ts';
import { createCatalog } from '../resources/catalog.ts';
import { unstructuredCodec } from '../resources/codec.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { encodeBesideSpec, encodeObject, encodeStored, encodingStored, metadataIn } from './stored-form.ts';

test('the metadata of a stored object is decoded without the rest, whatever its strings contain', () => {
  const metadata = {
    name: 'a',
    labels: { 'example.com/x': 'y' },
    annotations: { braces: '}}{"', backslash: '\\', both: '\\"}', öß: '🙂' },
    managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { 'k:{"name":"}"}': {} } } }],
  };
  const bytes = encodeObject({ kind: 'A', apiVersion: 'v1' }, { metadata, spec: { metadata: { name: 'other' } } });
  assert.deepEqual(metadataIn(bytes), metadata);
});

test('long metadata of a stored object is decoded without managedFields, wherever and whatever they are', () => {
  const managers = [{ manager: '],"}', fieldsV1: { 'f:x': { 'k:{"name":"]"}': {} }, 'f:"managedFields":[': {} } }];
  const annotations = { managedFields: 'x', '"managedFields":[': '],', long: '\\"'.repeat(10_000) };
  for (const managedFields of [managers, [], undefined]) {
    for (const metadata of [
      { name: 'managedFields', annotations, managedFields },
      { annotations, managedFields, name: 'managedFields' },
      { managedFields, name: 'managedFields', annotations },
    ]) {
      const bytes = encodeObject({ kind: 'A', apiVersion: 'v1' }, { metadata: metadata as ObjectMeta, spec: {} }, true);
      const read = metadataIn(bytes);
      assert.deepEqual({ ...read, managedFields: undefined }, { ...metadata, managedFields: undefined });
      assert.equal(read.managedFields ?? undefined, undefined);
    }
  }
});

test('an update that leaves a long spec unchanged copies its bytes', () => {
  const pods = createCatalog().find('', 'pods') as ResourceDefinition;
  const spec = { text: '"},"status":{}}'.repeat(1_000), nested: { spec: 1 } };
  const object = (rest: object): ApiObject => ({ metadata: { name: 'a', uid: 'u' }, ...rest }) as ApiObject;
  const changes: [before: object, after: object][] = [
    [
      { spec, status: { a: 1 } },
      { spec, status: { b: '2' } },
    ],
    [{ spec }, { spec, status: { phase: 'Running' } }],
    [{ spec, status: {} }, { spec }],
    [
      { data: 1, spec, status: {} },
      { data: 2, status: { ö: 'ü' }, spec },
    ],
  ];
  for (const [before, after] of changes) {
    const [previous, next] = [object(before), object({ metadata: { name: 'a', labels: { a: 'b' } }, ...after })];
    const copied = encodeBesideSpec(pods, next, { object: previous, bytes: encodeStored(pods, previous) });
    assert.equal(copied?.toString(), encodeStored(pods, next).toString());
  }
  const bytes = encodeStored(pods, object({ spec }));
  const others: [before: object, after: object][] = [
    [{ spec }, { spec: { ...spec } }],
    [{ spec: undefined }, { spec: undefined }],
    [{ spec, status: {} }, { spec }],
  ];
  for (const [before, after] of others) {
    assert.equal(encodeBesideSpec(pods, object(after), { object: object(before), bytes }), undefined);
  }
});

test('an object that is encoded in steps has the same bytes as at once', () => {
  const object = (): ApiObject => ({
    metadata: {
      uid: 'u',
      name: 'a',
      resourceVersion: '7',
      labels: { b: '1', a: '2' },
      managedFields: [{ manager: 'm', fieldsV1: { 'f:z': {}, 'f:a': { '.': {} } } }],
    },
    spec: { z: [{ b: 1, a: 2n ** 60n }], 10: 'ten', 9: 'nine', empty: {}, gone: undefined },
    data: { ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${(index * 7) % 10_007}`, index])) },
  });
  const builtin = [...createCatalog().definitions].find(({ resource }) => resource === 'configmaps')!;
  const custom: ResourceDefinition = { ...builtin, codec: unstructuredCodec };
  for (const definition of [builtin, custom]) {
    const bytes = atOnce(encodingStored(definition, object()));
    assert.equal(bytes.toString(), encodeStored(definition, object()).toString());
  }
});
