// Events come in whatever pieces the network cuts; each reader puts them together again.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { type EventReader, eventFrames, eventLines, webSocketMessages } from './event-reader.ts';
import { decodeObject, encodeObject } from './protobuf.ts';

/** Feeds a reader with pieces of every size. */
function readInPieces(bytes: Buffer, reader: (take: (event: unknown) => void) => EventReader): void {
  const whole: unknown[] = [];
  reader((event) => whole.push(event))(bytes);
  assert.ok(whole.length > 1);
  for (let size = 1; size < bytes.length; size++) {
    const taken: unknown[] = [];
    const read = reader((event) => taken.push(event));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    assert.deepEqual(taken, whole, `in pieces of ${size}`);
  }
}

test('watch events are read from lines of JSON that are split within a character', () => {
  readInPieces(Buffer.from('{"type":"ADDED","object":"é😀"}\n\n{"type":"DELETED"}\n'), eventLines);
});

test('watch events are read from short and long WebSocket messages, with their close frame', () => {
  const text = JSON.stringify({ type: 'ADDED', object: 'x'.repeat(300) });
  const long = Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 0xff]), Buffer.from(text)]);
  const short = Buffer.from([0x81, 2, 0x7b, 0x7d, 0x89, 0]);
  let goodbyes = 0;
  readInPieces(Buffer.concat([short, long]), (take) => webSocketMessages(take, () => goodbyes++));
  webSocketMessages(
    () => assert.fail('a goodbye is not an event'),
    () => goodbyes++,
  )(Buffer.from([0x88, 0]));
  assert.equal(goodbyes, 1);
});

test('watch events are read from length-delimited protobuf messages', () => {
  const object = encodeObject({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    raw: { 1: { 1: 'settings' }, 2: [{ 1: 'a' }, { 1: 'b' }] },
  });
  assert.deepEqual(decodeObject(object), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    raw: { 1: { 1: 'settings' }, 2: [{ 1: 'a' }, { 1: 'b' }] },
  });
  const raw = Buffer.concat([Buffer.from([0x0a, object.length]), object]);
  const event = Buffer.concat([Buffer.from([0x0a, 5]), Buffer.from('ADDED'), Buffer.from([0x12, raw.length]), raw]);
  const framed = Buffer.concat([Buffer.from([0, 0, 0, event.length]), event]);
  const taken: { type?: string }[] = [];
  eventFrames((each) => taken.push(each as { type?: string }))(framed);
  assert.equal(taken[0]?.type, 'ADDED');
  readInPieces(Buffer.concat([framed, framed]), eventFrames);
});
