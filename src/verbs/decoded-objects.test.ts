import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { DecodedObjects } from './decoded-objects.ts';

function stored(name: string, length = 0) {
  const text = JSON.stringify({ kind: 'A', apiVersion: 'v1', metadata: { name }, filling: 'x'.repeat(length) });
  return { bytes: Buffer.from(text), revision: 7 };
}

test('bytes are decoded once', () => {
  const objects = new DecodedObjects();
  const one = stored('one');
  const first = objects.of(one);
  assert.equal(first.metadata.name, 'one');
  assert.equal(first.metadata.resourceVersion, '7');
  assert.equal(objects.of(one), first);
  objects.forget(one.bytes);
  assert.notEqual(objects.of(one), first);
});

test('the oldest go when there are too many bytes', () => {
  const objects = new DecodedObjects();
  const many = Array.from({ length: 5 }, (_, index) => stored(`o${index}`, limits.decodedObjectBytes / 4));
  for (const each of many) objects.of(each);
  assert.equal(objects.peek(many[0]!.bytes), undefined);
  assert.notEqual(objects.peek(many[4]!.bytes), undefined);
});
