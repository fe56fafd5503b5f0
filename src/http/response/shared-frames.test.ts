import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { SharedFrames } from './shared-frames.ts';

const objectAt = (revision: number): StoredObject => ({ bytes: Buffer.alloc(0), revision });

test('a watch frame is encoded once for each object and media type, up to the limit of memory', () => {
  const shared = new SharedFrames(100);
  const [one, other] = [objectAt(1), objectAt(2)];
  const frame = shared.frame(one, 'json', () => Buffer.alloc(40));
  assert.equal(
    shared.frame(one, 'json', () => assert.fail()),
    frame,
  );
  const cbor = shared.frame(one, 'cbor', () => Buffer.alloc(30));
  assert.notEqual(cbor, frame);
  const last = shared.frame(other, 'json', () => Buffer.alloc(60));
  assert.notEqual(
    shared.frame(one, 'json', () => Buffer.alloc(40)),
    frame,
  );
  assert.equal(
    shared.frame(other, 'json', () => assert.fail()),
    last,
  );
});
