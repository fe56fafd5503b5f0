import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { SeededRandom } from './seeded-random.ts';
import { SmallPieces } from './small-pieces.ts';

test('small pieces are taken out in order and unchanged, whatever their sizes', () => {
  const random = new SeededRandom(9);
  for (let round = 0; round < 200; round++) {
    const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
    const [put, taken]: [Buffer[], Buffer[]] = [[], []];
    for (let count = random.below(60); count > 0; count--) {
      const piece = Buffer.alloc(random.below(random.chance(80) ? 200 : 20_000), count);
      put.push(piece);
      pieces.add(piece);
      if (random.chance(5)) taken.push(...pieces.take());
    }
    taken.push(...pieces.take());
    assert.ok(Buffer.concat(taken).equals(Buffer.concat(put)));
    assert.deepEqual(pieces.take(), []);
  }
});

test('a single piece, and large ones, are not copied', () => {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  const [one, other] = [Buffer.from('x'), Buffer.alloc(5000)];
  pieces.add(one);
  pieces.add(other);
  const taken = pieces.take();
  assert.ok(taken[0] === one && taken[1] === other);
});

test('many small pieces hold little more memory than their bytes', () => {
  const read = Buffer.alloc(16_384, 'x');
  for (const sizes of [[1], [1, 4096], [4095]]) {
    const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
    let bytes = 0;
    for (let index = 0; index < 20_000; index++) {
      const size = sizes[index % sizes.length]!;
      // Large pieces come with little else, or they are not many.
      pieces.add(size < 4096 ? Buffer.from(read.buffer, 0, size) : Buffer.allocUnsafeSlow(size));
      bytes += size;
    }
    const taken = pieces.take();
    const held = new Map(taken.map((piece) => [piece.buffer, piece.buffer.byteLength]));
    const heldBytes = [...held.values()].reduce((sum, each) => sum + each, 0);
    assert.ok(heldBytes < 1.4 * bytes + 60_000, `${heldBytes} for ${bytes}`);
    assert.ok(taken.length < bytes / 2000 + 10, `${taken.length} pieces for ${bytes} bytes`);
  }
});
