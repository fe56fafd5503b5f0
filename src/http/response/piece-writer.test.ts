import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { PieceWriter } from './piece-writer.ts';

/** Writes these texts; the pieces as they were when they were given away, and how many buffers they were in. */
async function written(texts: readonly string[], isFree: boolean) {
  const pieces: string[] = [];
  const buffers = new Set<Buffer>();
  const writer = new PieceWriter(async (piece) => {
    pieces.push(piece.toString('latin1'));
    buffers.add(piece);
    return isFree;
  });
  for (const [at, text] of texts.entries()) {
    await (at % 2 === 0 ? writer.text(text) : writer.bytes(Buffer.from(text, 'latin1')));
  }
  return { pieces, rest: writer.rest().toString('latin1'), buffers: buffers.size };
}

const texts = Array.from({ length: 7 }, (_, at) => String(at).repeat(limits.responsePieceBytes * (0.3 + at / 4)));

for (const isFree of [true, false]) {
  test(`a long body comes in pieces of the same size, none of it lost${isFree ? ', in one buffer' : ''}`, async () => {
    const { pieces, rest, buffers } = await written(texts, isFree);
    assert.ok(pieces.length > 5);
    for (const piece of pieces) assert.equal(piece.length, limits.responsePieceBytes);
    assert.ok(pieces.join('') + rest === texts.join(''));
    assert.equal(buffers, isFree ? 1 : pieces.length);
  });
}

test('a short body is one piece at the end', async () => {
  const { pieces, rest } = await written(['ab', 'cd'], true);
  assert.deepEqual([pieces, rest], [[], 'abcd']);
});

test('a short body takes little memory, and a longer one what it needs', async () => {
  const memoryOf = async (length: number) => {
    const writer = new PieceWriter(async () => true);
    for (let written = 0; written < length; written += 1024) await writer.text('x'.repeat(1024));
    assert.equal(writer.rest().length, length);
    return writer.rest().buffer.byteLength;
  };
  assert.ok((await memoryOf(4 * 1024)) <= 16 * 1024);
  assert.ok((await memoryOf(24 * 1024)) <= 64 * 1024);
  assert.equal(await memoryOf(limits.responsePieceBytes), limits.responsePieceBytes);
});
