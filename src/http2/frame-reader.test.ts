import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { frame, preface, words } from '../../test/http2-client.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FrameReader } from './frame-reader.ts';
import { ConnectionError, ERROR } from './protocol.ts';

/** What a reader makes of such pieces. */
function read(pieces: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const reader = new FrameReader({
    frame: (head, payload) => seen.push(`${head.type} ${head.flags} ${head.stream} ${payload.toString('hex')}`),
  });
  for (const piece of pieces) reader.push(piece);
  return seen;
}

const sent = Buffer.concat([
  preface,
  frame(4, 0, 0, 'settings'),
  frame(0, 1, 0x7fff_ffff, ''),
  frame(255, 255, 3, 'x'),
  frame(6, 0, 0, 'pingpong'),
]);
const seen = ['4 0 0 73657474696e6773', '0 1 2147483647 ', '255 255 3 78', '6 0 0 70696e67706f6e67'];

test('the same HTTP/2 frames are read from the same bytes, however they are split', () => {
  assert.deepEqual(read([sent]), seen);
  for (let one = 0; one <= sent.length; one++) {
    for (let other = one; other <= sent.length; other++) {
      assert.deepEqual(read([sent.subarray(0, one), sent.subarray(one, other), sent.subarray(other)]), seen);
    }
  }
  assert.deepEqual(read(Array.from(sent, (byte) => Buffer.from([byte]))), seen);
});

test('HTTP/2 frames of all sizes are joined after any split', () => {
  const random = new SeededRandom(3);
  for (let round = 0; round < 100; round++) {
    const sizes = Array.from({ length: 10 }, () => (random.chance(30) ? 16_384 : random.below(1000)));
    const bytes = Buffer.concat([
      preface,
      ...sizes.map((size, index) => frame(0, 0, index + 1, Buffer.alloc(size, index))),
    ]);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + random.below(random.chance(50) ? 40 : 20_000);
      pieces.push(bytes.subarray(at, (at += size)));
    }
    assert.deepEqual(read(pieces), read([bytes]));
  }
});

test('the reserved bit of a stream ID is ignored', () => {
  assert.deepEqual(read([preface, frame(0, 0, 0x8000_0005)]), ['0 0 5 ']);
});

test('an HTTP/2 preface with any wrong byte is rejected', () => {
  for (let at = 0; at < preface.length; at++) {
    const wrong = Buffer.from(preface);
    wrong[at]! ^= 1;
    assert.throws(
      () => read([wrong]),
      (error) => error instanceof ConnectionError && error.code === ERROR.protocol,
    );
    assert.throws(() => read(Array.from(wrong, (byte) => Buffer.from([byte]))), ConnectionError);
  }
  assert.throws(() => read([Buffer.from('GET /')]), ConnectionError, 'before all of it has come');
  assert.throws(() => read([Buffer.from('P'), Buffer.from('UT /')]), ConnectionError, 'in pieces, too');
});

test('an HTTP/2 frame that is too large is rejected when its length is known', () => {
  const large = Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1]);
  assert.throws(
    () => read([preface, large]),
    (error) => error instanceof ConnectionError && error.code === ERROR.frameSize,
  );
  assert.deepEqual(read([preface, frame(0, 0, 1, Buffer.alloc(16_384))]).length, 1);
});

test('HTTP/2 frames before an invalid one are passed on', () => {
  const types: string[] = [];
  const reader = new FrameReader({ frame: (head, payload) => types.push(words({ ...head, payload })) });
  assert.throws(() => reader.push(Buffer.concat([preface, frame(6, 0, 0), Buffer.alloc(9, 0xff)])), ConnectionError);
  assert.deepEqual(types, ['ping']);
});
