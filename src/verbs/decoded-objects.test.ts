import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { ConfigMap } from '../resources/builtin/core/config/types.ts';
import { typedCodec } from '../resources/codec.ts';
import type { StoredForm } from '../resources/stored-form.ts';
import { DecodedObjects } from './decoded-objects.ts';
import type { StoredDefinition } from './stored-form.ts';

function stored(name: string, length = 0) {
  const text = JSON.stringify({ kind: 'A', apiVersion: 'v1', metadata: { name }, filling: 'x'.repeat(length) });
  return { bytes: Buffer.from(text), revision: 7 };
}

/** Of a kind that is read as it is stored. */
const PLAIN: StoredDefinition = {
  storedForm: undefined,
  codec: typedCodec,
  storage: { kind: 'A', group: '', version: 'v1', schema: ConfigMap },
};

test('the bytes of a stored object are decoded once', () => {
  const objects = new DecodedObjects();
  const one = stored('one');
  const first = objects.of(PLAIN, one);
  assert.equal(first.metadata.name, 'one');
  assert.equal(first.metadata.resourceVersion, '7');
  assert.equal(objects.of(PLAIN, one), first);
  objects.forget(one.bytes);
  assert.notEqual(objects.of(PLAIN, one), first);
});

test('the oldest decoded objects are dropped when their bytes exceed the limit', () => {
  const objects = new DecodedObjects();
  const many = Array.from({ length: 5 }, (_, index) => stored(`o${index}`, limits.decodedObjectBytes / 4));
  for (const each of many) objects.of(PLAIN, each);
  assert.equal(objects.peek(many[0]!.bytes), undefined);
  assert.notEqual(objects.peek(many[4]!.bytes), undefined);
});

test('an object that was just written is kept as its definition decodes it, and decoded again by another', () => {
  const objects = new DecodedObjects();
  const { bytes, revision } = stored('one');
  const object = JSON.parse(bytes.toString());
  const formOf = (colour: string): StoredForm => {
    // biome-ignore lint/correctness/useYield: a short object is read in one step
    function* reading(each: ApiObject): Steps<ApiObject> {
      return Object.assign(each, { colour });
    }
    return {
      apiVersion: 'v1',
      reading,
      *writing() {},
      *readingWritten(each) {
        yield* reading(each);
      },
      schemaOf: () => undefined,
      isCurrent: () => false,
    };
  };
  const storedForm = formOf('red');
  atOnce(objects.keeping({ ...PLAIN, storedForm }, bytes, object));
  object.metadata.resourceVersion = String(revision);
  assert.equal(objects.of({ ...PLAIN, storedForm }, { bytes, revision }), object);
  assert.equal(object.colour, 'red');
  assert.equal(objects.of({ ...PLAIN, storedForm: formOf('blue') }, { bytes, revision })['colour'], 'blue');
  assert.equal(object.colour, 'red');
});

test('an object written by another server is not the one that was kept for the same bytes', () => {
  const objects = new DecodedObjects();
  const { bytes, revision } = stored('one');
  const object = { ...JSON.parse(bytes.toString()), metadata: { name: 'one', resourceVersion: '3' } };
  atOnce(objects.keeping(PLAIN, bytes, object));
  assert.equal(objects.of(PLAIN, { bytes, revision }).metadata.resourceVersion, '7');
});
