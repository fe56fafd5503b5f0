import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../api/object.ts';
import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { limits } from '../base/limits.ts';
import {
  bool,
  bytes,
  duration,
  embedded,
  fields,
  float64,
  inline,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  mapOf,
  pointer,
  quantity,
  string,
  struct,
  time,
} from './build.ts';
import type { StructNode } from './node.ts';
import { decodeProtobuf } from './protobuf-decode.ts';
import { encodeProtobuf } from './protobuf-encode.ts';

const Inner = struct('test/v1.Inner', () => ({ name: string(1).required(), count: int32(2).pointer() }));

const Source = struct('test/v1.Source', () => ({ empty: pointer(2, Inner), path: string(1).pointer() }));

const Thing: StructNode = struct('test/v1.Thing', () => ({
  Source: inline(7, Source),
  kind: string(0),
  name: string(1),
  inner: embedded(2, Inner),
  optional: pointer(3, Inner),
  numbers: list(4, 'int64'),
  flags: list(5, 'bool'),
  labels: map(6, 'string'),
  parts: map(8, Inner),
  ratio: float64(9).pointer(),
  data: bytes(10),
  amount: quantity(11).pointer(),
  port: intOrString(12).pointer(),
  since: time(13).omitZero(),
  every: duration(14).pointer(),
  any: json(15).pointer(),
  deeper: pointer(16, Thing),
  choice: pointer(17, StructOrBool),
  several: pointer(18, StructOrList),
  verbs: list(19, 'string').named(),
  limit: int64(20).pointer(),
  ready: bool(21).pointer(),
}));

const StructOrBool = struct('test/v1.OrBool', () => ({ allows: bool(1).always(), inner: pointer(2, Inner).always() }), {
  form: 'structOrBool',
});

const StructOrList = struct(
  'test/v1.OrList',
  () => ({ inner: pointer(1, Inner).always(), names: list(2, 'string').always() }),
  { form: 'structOrList' },
);

const ZERO = { inner: { name: '' } };

function encode(value: JsonObject, type = Thing): string {
  const out = new ProtobufWriter();
  encodeProtobuf(type, value, out);
  return Buffer.from(out.bytes()).toString('hex');
}

function decode(hex: string, type = Thing): Json {
  return decodeProtobuf(type, Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

describe('protobuf encoding', () => {
  // Every Thing has its name (0a00), its inner struct (12020a00), the time that was never set (6a00) and the embedded
  // struct that is a message of its own (3a00).
  for (const [title, value, hex] of [
    ['non-pointer fields always, and pointers only when set', {}, '0a00 1202 0a00 3a00 6a00'],
    [
      'explicit zeros',
      { optional: { name: '', count: 0 }, ready: false, limit: 0 },
      '0a00 1202 0a00 1a04 0a00 1000 3a00 6a00 a00100 a80100',
    ],
    [
      'an embedded struct with a field number as a message',
      { path: 'p', empty: { name: 'e' } },
      '0a00 1202 0a00 3a08 0a0170 1203 0a0165 6a00',
    ],
    [
      'maps in the order of the bytes of their keys',
      { labels: { '\u{1f600}': '1', '\uffff': '2', a: '3' } },
      '0a00 1202 0a00 3206 0a0161 120133 3208 0a03efbfbf 120132 3209 0a04f09f9880 120131 3a00 6a00',
    ],
    [
      'the map key __proto__',
      { labels: JSON.parse('{"__proto__":"x"}') },
      '0a00 1202 0a00 320e 0a095f5f70726f746f5f5f 120178 3a00 6a00',
    ],
    [
      'integers of all lengths',
      { numbers: [1, -1, 300, 9007199254740993n, -(2n ** 63n)] },
      '0a00 1202 0a00 2001 20ffffffffffffffffff01 20ac02 2081808080808080 10 20808080808080808080 01 3a00 6a00',
    ],
    ['booleans', { flags: [true, false] }, '0a00 1202 0a00 2801 2800 3a00 6a00'],
    ['a union of struct and boolean', { choice: true }, '0a00 1202 0a00 3a00 6a00 8a01 02 0801'],
    [
      'the struct in a union of struct and boolean, which allows',
      { choice: { name: 'i' } },
      '0a00 1202 0a00 3a00 6a00 8a01 07 0801 1203 0a0169',
    ],
    ['a union of struct and list', { several: ['x', 'y'] }, '0a00 1202 0a00 3a00 6a00 9201 06 120178 120179'],
    [
      'the struct in a union of struct and list',
      { several: { name: 'i' } },
      '0a00 1202 0a00 3a00 6a00 9201 05 0a03 0a0169',
    ],
    ['a named list type as a message', { verbs: ['get'] }, '0a00 1202 0a00 3a00 6a00 9a01 05 0a03676574'],
    ['a floating-point number', { ratio: 1.5 }, '0a00 1202 0a00 3a00 49000000000000f83f 6a00'],
    ['bytes', { data: '//79' }, '0a00 1202 0a00 3a00 5203fffefd 6a00'],
    ['a Quantity', { amount: '1Gi' }, '0a00 1202 0a00 3a00 5a05 0a03314769 6a00'],
    ['an IntOrString', { port: 'http' }, '0a00 1202 0a00 3a00 620a 0801 1000 1a0468747470 6a00'],
    ['a Duration', { every: '-1s' }, '0a00 1202 0a00 3a00 6a00 720b 0880ec94a3fcffffffff01'],
    ['JSON', { any: [1, null] }, '0a00 1202 0a00 3a00 6a00 7a0a 0a085b312c6e756c6c5d'],
  ] as [string, JsonObject, string][]) {
    it(`protobuf encoding writes ${title}, and reads it`, () => {
      assert.equal(encode(value), hex.replaceAll(' ', ''));
      assert.deepStrictEqual(decode(encode(value)), { ...ZERO, ...value });
    });
  }

  it('protobuf encoding keeps any text, of any length and with any characters', () => {
    for (const text of [
      '',
      'x'.repeat(96),
      'x'.repeat(97),
      'é',
      `${'y'.repeat(200)}€`,
      '\u{1f600}',
      'a\0b',
      'z'.repeat(70_000),
    ]) {
      assert.deepEqual(decode(encode({ name: text })), text === '' ? ZERO : { name: text, ...ZERO });
    }
    assert.deepEqual(decode(encode({ name: 'a\ud800b' })), { name: 'a\ufffdb', ...ZERO });
    assert.deepEqual(decode('0a02 61ff'), { name: 'a\ufffd', ...ZERO });
  });
});

describe('protobuf decoding', () => {
  it('protobuf decoding skips unknown fields, groups included', () => {
    assert.deepEqual(decode('f807 05 f90700000000000000 00 fa0702 6162 fd07 01020304 0a0161'), { name: 'a', ...ZERO });
    assert.deepEqual(decode('fb07 0801 fb07 fc07 fc07 0a0161'), { name: 'a', ...ZERO });
  });

  it('protobuf decoding takes the last of repeated scalars, appends to lists and maps, and merges messages', () => {
    assert.deepEqual(decode('0a0161 0a0162 0a00'), ZERO);
    assert.deepEqual(decode('0a0161 2001 0a0162 2002'), { name: 'b', ...ZERO, numbers: [1, 2] });
    assert.deepEqual(decode('3206 0a0161 120131 1a00 3206 0a0162 120132 3206 0a0161 120133'), {
      ...ZERO,
      optional: { name: '' },
      labels: { a: '3', b: '2' },
    });
    assert.deepEqual(decode('1a03 0a0161 1a02 1007'), { ...ZERO, optional: { name: 'a', count: 7 } });
    assert.deepEqual(decode('3a03 0a0170 3a05 1203 0a0165'), { empty: { name: 'e' }, path: 'p', ...ZERO });
  });

  it('protobuf decoding reads fields in any order and writes them in the order of the declaration', () => {
    const value = decode('2001 1203 0a0161 0a0162') as JsonObject;
    assert.deepEqual(Object.keys(value), ['name', 'inner', 'numbers']);
  });

  it('protobuf decoding reads packed lists of numbers', () => {
    assert.deepEqual(decode('2203 01ac02 2003 2a02 0100'), { ...ZERO, numbers: [1, 300, 3], flags: [true, false] });
    assert.deepEqual(decode('2200'), ZERO);
  });

  it('protobuf decoding keeps the map key __proto__', () => {
    const { labels } = decode('320e 0a095f5f70726f746f5f5f 120178') as { labels: JsonObject };
    assert.deepEqual(Object.keys(labels), ['__proto__']);
    assert.equal(({} as JsonObject).x, undefined);
  });

  it('protobuf decoding sorts map entries as Go does', () => {
    const entry = (field: number, name: string) => {
      const key = Buffer.from(name).toString('hex');
      const length = (bytes: number) => bytes.toString(16).padStart(2, '0');
      return `${length((field << 3) | 2)}${length(name.length + 2)}0a${length(name.length)}${key}`;
    };
    for (const names of [
      ['a', 'b', '__proto__'],
      ['b', '__proto__', 'a'],
      ['b', 'a', 'b', '__proto__'],
    ]) {
      const { labels } = decode(names.map((name) => entry(6, name)).join('')) as { labels: JsonObject };
      assert.deepEqual(Object.keys(labels), ['__proto__', 'a', 'b']);
    }
    // Entries of another map between them.
    const mixed = decode(`${entry(6, 'b')}${entry(8, 'd')}${entry(6, 'a')}${entry(8, 'c')}`);
    const { labels, parts } = mixed as { labels: JsonObject; parts: JsonObject };
    assert.deepEqual(
      [Object.keys(labels), Object.keys(parts)],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    );
  });

  it('protobuf decoding reads map entries without key or value', () => {
    assert.deepEqual(decode('3200 4203 0a0161'), { ...ZERO, labels: { '': '' }, parts: { a: { name: '' } } });
  });

  for (const [title, hex, words] of [
    ['a truncated field', '0a05 6162', /unexpected EOF/],
    ['a truncated tag', '0a0161 92', /unexpected EOF/],
    ['a message that exceeds the message around it', '1204 0a05 6162 0000000000', /unexpected EOF/],
    ['a varint of more than ten bytes', '20ffffffffffffffffffff01', /integer overflow/],
    ['a negative length', '0affffffffffffffffff01', /negative length/],
    ['a wrong wire type', '0801', /wrong wireType = 0 for field Name/],
    ['a wrong wire type of a message', '1001', /wrong wireType = 0 for field Inner/],
    ['a string for a number', '0a00 a20101 61', /wrong wireType = 2 for field Limit/],
    ['field number zero', '0000', /illegal tag 0/],
    ['an unknown wire type', 'fe07', /illegal wireType 6/],
    ['the end of a group without its start', 'fc07', /unexpected end of group/],
    ['a group without an end', 'fb07 0801', /unexpected EOF/],
    ['an invalid Quantity', '5a03 0a0178', /quantity/],
    ['a time after the year 9999', '6a07 0880f2e4a9fa7f', /year outside of range/],
    ['an IntOrString that is neither', '6202 0802', /IntOrString/],
    ['invalid JSON', '7a03 0a017b', /json: /],
    ['a floating-point number that is NaN', '49 000000000000f87f', /unsupported value/],
  ] as [string, string, RegExp][]) {
    it(`protobuf decoding rejects ${title}`, () => {
      assert.throws(() => decode(hex), { name: 'ProtobufError', message: words });
    });
  }

  it('protobuf decoding rejects messages that nest too deeply', () => {
    const nested = (depth: number) => {
      let value: JsonObject = {};
      for (let level = 1; level < depth; level++) value = { deeper: value };
      return encode(value);
    };
    assert.ok(decode(nested(limits.typedDepth)));
    assert.throws(() => decode(nested(limits.typedDepth + 2)), /exceeded max depth/);
  });

  it('protobuf decoding reads fieldsV1 that is not JSON as unreadable managed fields of a body', () => {
    const Entry = struct('test/v1.Entry', () => ({ fieldsV1: fields(1).pointer() }));
    const bytes = (text: string) => Uint8Array.of(0x0a, text.length + 2, 0x0a, text.length, ...Buffer.from(text));
    const read = (text: string) => decodeProtobuf(Entry, bytes(text), { isBody: true });
    assert.deepEqual(read('{"f:a":{}}'), { fieldsV1: { 'f:a': {} } });
    assert.deepEqual(read('{"f:a":{}}{}'), { fieldsV1: [] });
    assert.throws(() => decodeProtobuf(Entry, bytes('{}{}')), /after top-level value/);
  });

  it('protobuf decoding reads a list without items in a map of a body as an empty list', () => {
    const Lists = struct('test/v1.Lists', () => ({ lists: map(1, listOf('string')) }));
    for (const hex of ['0a050a01611200', '0a030a0161']) {
      const bytes = Buffer.from(hex, 'hex');
      assert.deepEqual(decodeProtobuf(Lists, bytes, { isBody: true }), { lists: { a: [] } });
      assert.deepEqual(decodeProtobuf(Lists, bytes), { lists: { a: null } });
    }
  });

  it('protobuf decoding rejects a declaration of maps that protobuf does not have', () => {
    const Impossible = struct('test/v1.Impossible', () => ({ maps: list(1, mapOf('string')) }));
    assert.throws(() => encode({}, Impossible), /no maps in lists/);
  });
});
