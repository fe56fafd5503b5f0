import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { drained } from './drained.ts';

/** A stream that is full after one byte, and the end of its write. */
function fullStream(): { stream: Writable; written: () => void } {
  let written = () => {};
  const stream = new Writable({
    highWaterMark: 1,
    write(_piece, _encoding, done) {
      written = done;
    },
  });
  stream.write('full');
  return { stream, written: () => written() };
}

test('the wait for room in a stream ends when the stream drains, and leaves no listeners', async () => {
  const { stream, written } = fullStream();
  const waiting = drained(stream);
  written();
  await waiting;
  assert.deepEqual([stream.listenerCount('drain'), stream.listenerCount('close')], [0, 0]);
});

test('the wait for room in a stream ends with the stream', async () => {
  const { stream } = fullStream();
  const waiting = drained(stream);
  stream.destroy();
  await waiting;
  await drained(stream);
});
