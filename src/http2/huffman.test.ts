import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { decodeHuffman } from './huffman.ts';

/** RFC 7541, appendix C.4 and C.6. */
const examples: Record<string, string> = {
  f1e3c2e5f23a6ba0ab90f4ff: 'www.example.com',
  a8eb10649cbf: 'no-cache',
  '25a849e95ba97d7f': 'custom-key',
  '25a849e95bb8e8b4bf': 'custom-value',
  '6402': '302',
  aec3771a4b: 'private',
  d07abe941054d444a8200595040b8166e082a62d1bff: 'Mon, 21 Oct 2013 20:13:21 GMT',
  '9d29ad171863c78f0b97c8e9ae82ae43d3': 'https://www.example.com',
  '640eff': '307',
  d07abe941054d444a8200595040b8166e084a62d1bff: 'Mon, 21 Oct 2013 20:13:22 GMT',
  '9bd9ab': 'gzip',
  '94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007':
    'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
};

/** Codes of some bytes of every length, as appendix B has them. */
const codes: readonly (readonly [byte: number, code: string])[] = [
  [48, '00000'],
  [32, '010100'],
  [58, '1011100'],
  [38, '11111000'],
  [33, '1111111000'],
  [39, '11111111010'],
  [35, '111111111010'],
  [0, '1111111111000'],
  [94, '11111111111100'],
  [60, '111111111111100'],
  [92, '1111111111111110000'],
  [128, '11111111111111100110'],
  [153, '111111111111111011100'],
  [129, '1111111111111111010010'],
  [1, '11111111111111111011000'],
  [9, '111111111111111111101010'],
  [199, '1111111111111111111101100'],
  [192, '11111111111111111111100000'],
  [203, '111111111111111111111011110'],
  [2, '1111111111111111111111100010'],
  [10, '111111111111111111111111111100'],
  [22, '111111111111111111111111111110'],
];

/** So many bits, in whole bytes. */
function packed(bits: string): Buffer {
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** Filled up with ones. */
function filled(bits: string): Buffer {
  return packed(bits.padEnd(Math.ceil(bits.length / 8) * 8, '1'));
}

test('the Huffman examples of RFC 7541 are decoded', () => {
  for (const [coded, text] of Object.entries(examples)) {
    assert.equal(decodeHuffman(Buffer.from(coded, 'hex'))?.toString(), text);
  }
});

test('Huffman codes of every length are decoded, next to any other', () => {
  for (const [one, oneCode] of codes) {
    for (const [other, otherCode] of codes) {
      assert.deepEqual([...(decodeHuffman(filled(oneCode + otherCode)) ?? [])], [one, other]);
    }
  }
});

/** The code of every byte, found by walking down from what begins with `bits`. */
function findCodes(found: Map<number, string>, bits = ''): void {
  // Eight times a code is whole bytes, and eight times the same byte; nothing else is.
  const eight = bits === '' ? undefined : decodeHuffman(packed(bits.repeat(8)));
  if (eight?.length === 8 && new Set(eight).size === 1) found.set(eight[0]!, bits);
  else if (bits.length < 30) for (const next of '01') findCodes(found, bits + next);
}

test('every byte has the Huffman code of RFC 7541', () => {
  const found = new Map<number, string>();
  findCodes(found);
  const table = Array.from({ length: 256 }, (_, byte) => `${byte} ${found.get(byte)}`).join('\n');
  const ofAppendixB = '0f5fb6ca5d7821d7a293824c717c7a18cfc27f27986989e653bb342b037aa418';
  assert.equal(createHash('sha256').update(table).digest('hex'), ofAppendixB);
  for (const [byte, code] of codes) assert.equal(found.get(byte), code);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const coded = filled(Array.from(all, (byte) => found.get(byte)).join(''));
  assert.deepEqual(decodeHuffman(coded), all);
});

test('the Huffman code of an empty text is empty', () => {
  assert.equal(decodeHuffman(Buffer.alloc(0))?.length, 0);
});

test('Huffman padding is less than a byte of ones', () => {
  assert.equal(decodeHuffman(packed('00000111'))?.toString(), '0');
  assert.equal(decodeHuffman(packed('00000110')), undefined);
  assert.equal(decodeHuffman(packed('00000011')), undefined);
  assert.equal(decodeHuffman(packed('1111100011111111')), undefined, 'a byte of ones');
  assert.equal(decodeHuffman(packed('0000011111111111')), undefined, '11 ones');
  assert.equal(decodeHuffman(Buffer.from([0xff])), undefined, 'nothing but filling');
});

test('the end-of-string symbol in a Huffman code is an error', () => {
  assert.equal(decodeHuffman(packed(`${'1'.repeat(30)}00`)), undefined);
  assert.equal(decodeHuffman(packed(`00000${'1'.repeat(30)}00000`)), undefined);
  assert.equal(decodeHuffman(packed('1'.repeat(32))), undefined);
});

test('a long Huffman code is decoded, and the next one after it', () => {
  const text = '0'.repeat(80_000);
  assert.equal(decodeHuffman(packed('00000'.repeat(80_000)))?.toString(), text);
  assert.equal(decodeHuffman(packed('00000111'))?.toString(), '0');
});
