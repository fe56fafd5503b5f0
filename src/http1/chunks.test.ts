import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { ChunkDecoder, ChunkError } from './chunks.ts';

/** The data of a body that arrives in pieces of so many bytes, and what follows it; or the fault. */
function decoded(text: string, step = text.length): string {
  const decoder = new ChunkDecoder();
  let data = '';
  let rest = Buffer.alloc(0);
  try {
    for (let at = 0; at < text.length; at += step) {
      const bytes = Buffer.concat([rest, Buffer.from(text.slice(at, at + step), 'latin1')]);
      rest = Buffer.from(decoder.decode(bytes, (piece) => (data += piece.toString('latin1'))));
    }
  } catch (error) {
    if (error instanceof ChunkError) return error.message;
    throw error;
  }
  return `${data}|${decoder.isOver ? rest.toString('latin1') : 'incomplete'}`;
}

test('HTTP/1.1 chunks are joined, however they arrive', () => {
  for (const step of [1, 2, 3, 100]) {
    assert.equal(decoded('2\r\nab\r\n00A;x=y\r\n0123456789\r\n0\r\n\r\nGET', step), 'ab0123456789|GET');
    assert.equal(decoded('1 \t\r\na\r\n0\r\nX: 1\r\nY: 2\r\n\r\nGET', step), 'a|GET');
  }
  assert.equal(decoded('2\r\na'), 'a|incomplete');
});

test('malformed HTTP/1.1 chunks are rejected with a reason', () => {
  const cases: [text: string, fault: string][] = [
    ['zz\r\n', 'invalid byte in chunk length'],
    [' 1\r\na\r\n', 'invalid byte in chunk length'],
    ['1 ;x\r\na\r\n', 'invalid byte in chunk length'],
    ['\r\n', 'empty hex number for chunk length'],
    [`${'1'.repeat(17)}\r\n`, 'http chunk length too large'],
    ['1\na', 'chunked line ends with bare LF'],
    ['1\r\r\na', 'invalid CR in chunked line'],
    ['1\r\nabc', 'malformed chunked encoding'],
    [`1;${'x'.repeat(5000)}`, 'header line too long'],
    [`0\r\nX: ${'x'.repeat(5000)}`, 'http: suspiciously long trailer after chunked body'],
    ['0\r\nnone\r\n\r\n', 'malformed MIME header: missing colon: "none"'],
    [`1;${'x'.repeat(4000)}\r\na\r\n`.repeat(5), 'chunked encoding contains too much non-data'],
  ];
  for (const [text, fault] of cases) assert.equal(decoded(text), fault);
});

test('the data of small chunks is passed on together, and in order with large chunks', () => {
  const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`;
  const parts = Array.from({ length: 2_000 }, (_, index) => (index % 500 === 250 ? 'y'.repeat(3_000) : 'x'));
  const pieces: Buffer[] = [];
  const text = `${parts.map(chunk).join('')}0\r\n\r\n`;
  new ChunkDecoder().decode(Buffer.from(text), (piece) => pieces.push(piece));
  assert.equal(Buffer.concat(pieces).toString(), parts.join(''));
  assert.ok(pieces.length < 12, `${pieces.length} pieces`);
});
