import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { suite, test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';

type Fields = readonly (readonly [name: string, value: string])[];

const limits = { bytes: 1_000_000, fields: 1_000 };

function encode(encoder: HeaderEncoder, status: number, fields: Fields): Buffer {
  encoder.begin(status);
  for (const [name, value] of fields) encoder.field(name, value);
  return Buffer.from(encoder.end());
}

function decode(decoder: HeaderDecoder, block: Buffer): Fields {
  return decoder.decode(block).fields.map(({ name, value }) => [name, value]);
}

const lasting = ['content-type', 'date', 'x-lasting', 'cache-control'];
const names = [...lasting, 'content-length', 'etag', 'x-one', 'x-two', 'audit-id', 'location', 'warning'];

function randomFields(random: SeededRandom): Fields {
  return Array.from({ length: random.below(12) }, () => {
    const name = random.chance(10) ? `x-rare-${random.below(400)}` : random.pick(names);
    if (random.chance(50)) return [name, `usual ${random.below(3)}`];
    const length = random.chance(5) ? random.below(20_000) : random.below(200);
    return [name, String(random.below(10)).repeat(length)];
  });
}

suite('encoded HPACK blocks', () => {
  for (const [what, changes] of Object.entries({ 'with one table': 0, 'with tables that change': 30 })) {
    test(`encoded HPACK blocks are decoded to the same fields ${what}`, () => {
      const random = new SeededRandom(11);
      const encoder = new HeaderEncoder(new Set(lasting));
      const decoder = new HeaderDecoder(limits);
      for (let round = 0; round < 5_000; round++) {
        for (; random.chance(changes); )
          encoder.limitTable(random.pick([0, 1, 40, 300, 4096, 100_000, random.below(5000)]));
        const status = random.pick([200, 201, 204, 304, 404, 409, 500, 503]);
        const fields = randomFields(random);
        assert.deepEqual(decode(decoder, encode(encoder, status, fields)), [[':status', String(status)], ...fields]);
      }
    });
  }
});

test('a constant HPACK field takes one byte from the second time on', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  const fields: Fields = [
    ['content-type', 'application/json'],
    ['x-lasting', 'the same'],
  ];
  assert.ok(encode(encoder, 200, fields).length > 20);
  assert.equal(encode(encoder, 200, fields).length, 3);
});

test('only the name of a changing HPACK field is put into the table, unless it is there', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  const sizes = ['1111', '2222', '3333'].map((value) => encode(encoder, 200, [['audit-id', value]]).length);
  assert.deepEqual(sizes, [1 + 1 + 9 + 5, 1 + 2 + 5, 1 + 2 + 5]);
  const known = ['1111', '2222'].map((value) => encode(encoder, 200, [['etag', value]]).length);
  assert.deepEqual(known, [1 + 2 + 5, 1 + 2 + 5]);
});

test('an HPACK field that would empty the table is not put into it', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  encode(encoder, 200, [['date', 'today']]);
  const large: Fields = [['x-lasting', 'x'.repeat(2000)]];
  assert.equal(encode(encoder, 200, large).length, encode(encoder, 200, large).length);
  assert.equal(encode(encoder, 200, [['date', 'today']]).length, 2);
});

test('without an HPACK table every field is written as a literal', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  encoder.limitTable(0);
  const fields: Fields = [['date', 'today']];
  const blocks = [1, 2].map(() => encode(encoder, 200, fields));
  assert.deepEqual(
    blocks.map(({ length }) => length),
    [1 + 1 + 2 + 6, 1 + 2 + 6],
    'the first says how large the table is',
  );
});

test('an HPACK table that was smaller for a moment has evicted entries, and the size update is sent (RFC 7541, 4.2)', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  const fields: Fields = [['date', 'today']];
  encode(encoder, 200, fields);
  encoder.limitTable(0);
  encoder.limitTable(4096);
  const block = encode(encoder, 200, fields);
  assert.deepEqual([...block.subarray(0, 4)], [0x20, 0x3f, 0xe1, 0x1f]);
  assert.equal(block[5], 0x61, 'date is written out, and remembered');
  encoder.limitTable(100);
  encoder.limitTable(50);
  encoder.limitTable(80);
  assert.deepEqual([...encode(encoder, 200, fields).subarray(0, 4)], [0x3f, 50 - 31, 0x3f, 80 - 31]);
  assert.equal(encode(encoder, 200, []).length, 1, 'told once');
});

test('an HPACK table is never larger than the default, and an unchanged size is not sent', () => {
  const encoder = new HeaderEncoder(new Set(lasting));
  encoder.limitTable(65_536);
  assert.equal(encode(encoder, 200, []).length, 1);
});

test('many different HPACK names are evicted and still encoded correctly', () => {
  const encoder = new HeaderEncoder(new Set());
  const decoder = new HeaderDecoder(limits);
  for (let index = 0; index < 2_000; index++) {
    const fields: Fields = [
      [`x-${index}`, 'a'],
      [`x-${index >> 1}`, 'b'],
      ['x-0', 'c'],
    ];
    assert.deepEqual(decode(decoder, encode(encoder, 200, fields)).slice(1), fields);
  }
});

test('two connections share one HPACK output buffer in turn', () => {
  const [one, other] = [new HeaderEncoder(new Set(lasting)), new HeaderEncoder(new Set(lasting))];
  const [oneReader, otherReader] = [new HeaderDecoder(limits), new HeaderDecoder(limits)];
  const large: Fields = [['x-large', 'x'.repeat(40_000)]];
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(decode(oneReader, encode(one, 200, large)).slice(1), large);
    assert.deepEqual(decode(otherReader, encode(other, 404, [['date', 'now']]))[1], ['date', 'now']);
  }
});
