import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../base/limits.ts';
import {
  bool,
  bytes,
  duration,
  embedded,
  float64,
  inline,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  microTime,
  pointer,
  quantity,
  raw,
  string,
  struct,
  time,
} from './build.ts';
import { DecodeError, decodeObject, decodingObject, type EmptyMember } from './decode.ts';
import type { StructNode } from './node.ts';

const Inner = struct('test/v1.Inner', () => ({
  name: string(1).required(),
  count: int32(2),
}));

const Common = struct('test/v1.Common', () => ({ shared: string(1) }));

const Schema: StructNode = struct('test/v1.Schema', () => ({
  type: string(1),
  items: pointer(2, SchemaOrList),
  more: pointer(3, SchemaOrBool),
}));
const SchemaOrList = struct('test/v1.SchemaOrList', () => ({ Schema: pointer(1, Schema), Schemas: list(2, Schema) }), {
  form: 'structOrList',
});
const SchemaOrBool = struct('test/v1.SchemaOrBool', () => ({ Allows: bool(1), Schema: pointer(2, Schema) }), {
  form: 'structOrBool',
});

const Thing = struct('test/v1.Thing', () => ({
  Common: inline(0, Common),
  text: string(1),
  alwaysText: string(2).always(),
  flag: bool(3),
  flagPointer: bool(4).pointer(),
  small: int32(5),
  big: int64(6),
  real: float64(7).pointer(),
  data: bytes(8),
  size: quantity(9).pointer(),
  port: intOrString(10).pointer(),
  at: time(11).pointer(),
  exactly: microTime(12).pointer(),
  span: duration(13).pointer(),
  anything: raw(14).pointer(),
  any: json(15).pointer(),
  labels: map(16, 'string'),
  files: map(17, 'bytes'),
  lists: map(18, listOf('string')),
  inner: pointer(19, Inner),
  value: embedded(20, Struct),
  items: list(21, Inner),
  alwaysItems: list(22, Inner).always(),
  schema: pointer(23, Schema),
  gated: string(24).behind('Gate'),
}));
const Struct = struct('test/v1.Struct', () => ({ a: string(1), inner: pointer(2, Inner) }));

const ByValue = struct('test/v1.ByValue', () => ({
  at: time(1),
  born: time(2).omitZero(),
  size: quantity(3),
  port: intOrString(4),
  data: raw(5),
  inner: embedded(6, Inner),
  pointers: pointer(7, Inner).always(),
}));

/** What is always written of a Thing. */
const bare = { alwaysText: '', value: {}, alwaysItems: null };
const decoded = (value: unknown, node = Thing) => decodeObject(node, value).value;
const part = (name: string, value: unknown) => decoded({ [name]: value })[name];

function refusal(value: unknown, node = Thing): { message: string; path: string } {
  try {
    decodeObject(node, value);
  } catch (error) {
    if (error instanceof DecodeError) return { message: error.message, path: error.path };
    throw error;
  }
  assert.fail('was accepted');
}

describe('the decoder of built-in types', () => {
  it('the decoder of built-in types writes empty fields without omitempty, and structs by value', () => {
    assert.deepEqual(decoded({}), bare);
    assert.deepEqual(decoded(null), bare);
    assert.deepEqual(decoded({}, ByValue), {
      at: null,
      size: '0',
      port: 0,
      data: null,
      inner: { name: '' },
      pointers: null,
    });
  });

  it('the decoder of built-in types takes null as absent, and omits empty values', () => {
    const nothing = {
      text: null,
      flag: false,
      small: 0,
      data: '',
      labels: {},
      items: [],
      inner: null,
      alwaysItems: [],
    };
    assert.deepEqual(decoded(nothing), bare);
    assert.deepEqual(decoded({ value: null, anything: null, any: null, at: null, alwaysText: null }), bare);
  });

  it('the decoder of built-in types keeps the zero value of a pointer', () => {
    assert.deepEqual(decoded({ flagPointer: false, real: 0, inner: {} }), {
      ...bare,
      flagPointer: false,
      real: 0,
      inner: { name: '' },
    });
  });

  it('the decoder of built-in types takes null in lists and maps as the zero value', () => {
    assert.deepEqual(part('labels', { a: null }), { a: '' });
    assert.deepEqual(part('files', { a: null }), { a: '' });
    assert.deepEqual(part('lists', { a: null, b: ['x', null] }), { a: null, b: ['x', ''] });
    assert.deepEqual(part('items', [null]), [{ name: '' }]);
  });

  it('the decoder of built-in types writes fields in the order of the declaration', () => {
    const value = decoded({ items: [{ count: 1, name: 'a' }], small: 1, shared: 's', text: 't' });
    assert.equal(
      JSON.stringify(value),
      '{"shared":"s","text":"t","alwaysText":"","small":1,"value":{},"items":[{"name":"a","count":1}],"alwaysItems":null}',
    );
  });

  it('the decoder of built-in types keeps the key __proto__ of a map', () => {
    const value = decoded(JSON.parse('{"labels":{"__proto__":"x","constructor":"y"}}'));
    assert.equal(JSON.stringify(value['labels']), '{"__proto__":"x","constructor":"y"}');
    assert.equal(Object.getPrototypeOf(value['labels']), Object.prototype);
  });

  it('the decoder of built-in types drops a field whose feature gate is off', () => {
    const gateEnabled = (gate: string) => gate !== 'Gate';
    assert.deepEqual(decodeObject(Thing, { gated: 'x' }, { gateEnabled }), { value: bare, unknown: [], keys: 1 });
    assert.equal(part('gated', 'x'), 'x');
  });
});

describe('ownership of decoded values', () => {
  it('ownership of decoded values copies a value that the decoder does not own', () => {
    const given = { ...bare, labels: { a: 'b' }, items: [{ name: 'a' }] };
    const value = decoded(given);
    assert.notEqual(value['labels'], given.labels);
    assert.notEqual(value['items'], given.items);
    assert.notEqual(value, given);
  });

  it('ownership of decoded values returns a value that the decoder owns itself if it is canonical', () => {
    const labels = { a: 'b' };
    const given = { text: 't', alwaysText: '', labels, value: {}, items: [{ name: 'a' }], alwaysItems: null };
    assert.equal(decodeObject(Thing, given, { owned: true }).value, given);
    const untidy = { labels, text: 't' };
    const { value } = decodeObject(Thing, untidy, { owned: true });
    assert.deepEqual(Object.keys(value), ['text', 'alwaysText', 'labels', 'value', 'alwaysItems']);
    assert.equal(value['labels'], labels);
    assert.deepEqual(Object.keys(untidy), ['labels', 'text']);
  });
});

describe('unknown fields and keys of a decoded object', () => {
  it('unknown fields and keys of a decoded object are reported by their paths in the order of the document', () => {
    const { unknown, value } = decodeObject(Thing, {
      zzz: 1,
      items: [{ name: 'a' }, { nmae: 'b', Name: 'c' }],
      value: { inner: { x: null } },
      Text: 'case matters',
      'with.dot': {},
    });
    assert.deepEqual(unknown, ['zzz', 'items[1].nmae', 'items[1].Name', 'value.inner.x', 'Text', 'with.dot']);
    assert.deepEqual(value['items'], [{ name: 'a' }, { name: '' }]);
  });

  it('unknown fields and keys of a decoded object are counted, in unknown and opaque values, too', () => {
    const count = (text: string) => decodeObject(Thing, JSON.parse(text)).keys;
    assert.equal(count('{"text":"","labels":{"a":"","b":""},"items":[{"name":"x"}]}'), 6);
    assert.equal(count('{"nope":{"a":[{"b":1},{"c":{"d":1}}]},"anything":{"x":{"y":[[{"z":1}]]}}}'), 9);
  });

  it('unknown fields and keys of a decoded object are reported up to the limit', () => {
    const many = Object.fromEntries(Array.from({ length: limits.strictErrors + 5 }, (_, index) => [`u${index}`, 1]));
    assert.equal(decodeObject(Thing, many).unknown.length, limits.strictErrors);
  });
});

describe('decoding of scalars', () => {
  const accepted: [field: string, given: unknown, canonical: unknown][] = [
    ['small', 2147483647, 2147483647],
    ['small', -2147483648, -2147483648],
    ['small', 1e3, 1000],
    ['big', 9007199254740993n, 9007199254740993n],
    ['big', -9223372036854775808n, -9223372036854775808n],
    ['big', 12n, 12],
    ['big', 1e17, 100000000000000000n],
    ['real', 1.5, 1.5],
    ['real', 3n, 3],
    ['data', 'aGk=', 'aGk='],
    ['data', 'aG\nk=\r\n', 'aGk='],
    ['data', 'aGl=', 'aGk='],
    ['size', '0.5', '500m'],
    ['size', 2, '2'],
    ['size', '1024Mi', '1Gi'],
    ['port', 80, 80],
    ['port', '80', '80'],
    ['port', '', ''],
    ['at', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['at', '2026-01-02T03:04:05.999+02:00', '2026-01-02T01:04:05Z'],
    ['exactly', '2026-01-02T03:04:05.123456+02:00', '2026-01-02T01:04:05.123456Z'],
    ['span', '90s', '1m30s'],
    ['anything', { a: [1, null] }, { a: [1, null] }],
    ['any', [1, 'a', null], [1, 'a', null]],
  ];
  for (const [field, given, canonical] of accepted) {
    it(`accepts ${typeof given === 'bigint' ? `${given}n` : JSON.stringify(given)} for ${field}`, () => {
      assert.deepEqual(part(field, given), canonical);
    });
  }

  const field = (name: string, type: string) => `into Go struct field Thing.${name} of type ${type}`;
  const refused: [field: string, given: unknown, message: string | RegExp][] = [
    ['text', 5, `json: cannot unmarshal number ${field('text', 'string')}`],
    ['text', true, `json: cannot unmarshal bool ${field('text', 'string')}`],
    ['shared', [], `json: cannot unmarshal array ${field('shared', 'string')}`],
    ['flag', 'yes', `json: cannot unmarshal string ${field('flag', 'bool')}`],
    ['small', '2', `json: cannot unmarshal string ${field('small', 'int32')}`],
    ['small', 1.5, `json: cannot unmarshal number 1.5 ${field('small', 'int32')}`],
    ['small', 2147483648, `json: cannot unmarshal number 2147483648 ${field('small', 'int32')}`],
    ['big', 9223372036854775808n, `json: cannot unmarshal number 9223372036854775808 ${field('big', 'int64')}`],
    ['big', 1e19, `json: cannot unmarshal number 10000000000000000000 ${field('big', 'int64')}`],
    ['real', '1', `json: cannot unmarshal string ${field('real', 'float64')}`],
    ['data', 7, `json: cannot unmarshal number ${field('data', '[]uint8')}`],
    ['data', 'not base64!', 'illegal base64 data at input byte 3'],
    ['data', 'aGk', 'illegal base64 data at input byte 0'],
    ['size', '1kb', /^quantities must match the regular expression/],
    ['size', '1K', "unable to parse quantity's suffix"],
    ['size', {}, /^quantities must match the regular expression/],
    ['port', true, `json: cannot unmarshal bool ${field('port', 'int32')}`],
    ['port', 1.5, `json: cannot unmarshal number 1.5 ${field('port', 'int32')}`],
    ['at', 'yesterday', /^parsing time "yesterday" as "2006-01-02T15:04:05Z07:00"/],
    ['at', 5, `json: cannot unmarshal number ${field('at', 'string')}`],
    ['exactly', '2026-01-02T03:04:05Z', /^parsing time "2026-01-02T03:04:05Z" as "2006-01-02T15:04:05\.000000Z07:00"/],
    ['span', '5 minutes', 'time: unknown unit " minutes" in duration "5 minutes"'],
    ['span', '5', 'time: missing unit in duration "5"'],
    ['labels', [], `json: cannot unmarshal array ${field('labels', 'map[string]string')}`],
    ['items', {}, `json: cannot unmarshal object ${field('items', '[]v1.Inner')}`],
    ['inner', 'x', `json: cannot unmarshal string ${field('inner', 'v1.Inner')}`],
  ];
  for (const [name, given, message] of refused) {
    it(`rejects ${typeof given === 'bigint' ? `${given}n` : JSON.stringify(given)} for ${name}`, () => {
      const found = refusal({ [name]: given });
      assert.equal(found.path, name);
      if (typeof message === 'string') assert.equal(found.message, message);
      else assert.match(found.message, message);
    });
  }
});

describe('strategic merge results that Go restores from maps', () => {
  it('strategic merge results that Go restores from maps have integers that are too large without their upper half', () => {
    const read = (small: unknown) => decodeObject(Thing, { small }, { restores: true }).value['small'];
    assert.deepEqual([2147483648, -2147483649n, 4294967297].map(read), [-2147483648, 2147483647, 1]);
    assert.throws(() => read(1.5));
  });

  it('strategic merge results that Go restores from maps have the least integer for floats beyond 64 bits', () => {
    const read = (field: string, value: number) =>
      decodeObject(Thing, { [field]: value }, { restores: true }).value[field];
    assert.deepEqual(
      [1e20, -1e20, 2 ** 63].map((value) => read('small', value) ?? 0),
      [0, 0, 0],
    );
    assert.deepEqual(
      [1e20, -1e20].map((value) => read('big', value)),
      [-(2n ** 63n), -(2n ** 63n)],
    );
  });

  it('strategic merge results that Go restores from maps omit the keys of maps in the paths of unknown fields', () => {
    const Of = struct('test/v1.Of', () => ({ byName: map(1, Inner), all: list(2, Inner) }));
    const value = { byName: { first: { typo: 1 } }, all: [{ typo: 1 }] };
    assert.deepEqual(decodeObject(Of, value, { restores: true }).unknown, ['byName.typo', 'all[0].typo']);
    assert.deepEqual(decodeObject(Of, value).unknown, ['byName.first.typo', 'all[0].typo']);
  });
});

describe('decoding errors', () => {
  it('decoding errors name the innermost struct and the field path from the root, with indexes', () => {
    assert.deepEqual(refusal({ items: [{ name: 'a' }, { count: 'b' }] }), {
      message: 'json: cannot unmarshal string into Go struct field Inner.items.count of type int32',
      path: 'items[1].count',
    });
    assert.deepEqual(refusal({ labels: { k: 1 } }), {
      message: 'json: cannot unmarshal number into Go struct field Thing.labels of type string',
      path: 'labels.k',
    });
  });

  it('decoding errors of types with their own unmarshaler are reported before values of wrong types, wherever they are', () => {
    const late = 'json: cannot unmarshal number into Go struct field Thing.text of type string';
    assert.equal(refusal({ text: 5, flag: 'yes' }).message, late);
    assert.match(refusal({ text: 5, at: 'yesterday' }).message, /^parsing time/);
  });

  it('decoding errors of values within such types are reported before those, too', () => {
    assert.deepEqual(refusal({ small: 'a', schema: { items: { type: 1 } } }), {
      message: 'json: cannot unmarshal number into Go struct field Schema.schema.items of type string',
      path: 'schema.items.type',
    });
  });

  it('decoding errors name the value if the document itself is of the wrong type', () => {
    assert.deepEqual(refusal([]), { message: 'json: cannot unmarshal array into Go value of type v1.Thing', path: '' });
  });

  it('decoding errors report the first error in the order of the document', () => {
    assert.equal(refusal({ items: 'late in the declaration', text: 1 }).path, 'items');
  });
});

describe('types with their own unmarshaler', () => {
  it('types with their own unmarshaler accept a struct, a boolean or a list', () => {
    assert.deepEqual(part('schema', { more: false }), { more: false });
    assert.deepEqual(part('schema', { more: { type: 'a' } }), { more: { type: 'a' } });
    assert.deepEqual(part('schema', { items: [{ type: 'a' }, {}] }), { items: [{ type: 'a' }, {}] });
    assert.deepEqual(part('schema', { items: { items: { type: 'a' } } }), { items: { items: { type: 'a' } } });
    assert.equal(refusal({ schema: { more: 'x' } }).message, 'boolean or JSON schema expected');
  });

  it('types with their own unmarshaler report no unknown fields, whose keys count nevertheless', () => {
    const { unknown, keys } = decodeObject(Thing, { schema: { items: { typo: { a: 1 } }, typo: 1 } });
    assert.deepEqual(unknown, ['schema.typo']);
    assert.equal(keys, 5);
  });

  it('types with their own unmarshaler nest up to the limit', () => {
    const nested = (levels: number): unknown => {
      let value: unknown = {};
      for (let level = 0; level < levels; level++) value = { more: value };
      return { schema: value };
    };
    assert.ok(decoded(nested(limits.typedDepth - 2)));
    assert.equal(refusal(nested(limits.typedDepth)).message, 'exceeded max depth');
  });

  it('types with their own unmarshaler count the keys of opaque values at any accepted depth', () => {
    let deep: unknown = {};
    for (let level = 0; level < 9_000; level++) deep = [deep];
    assert.equal(decodeObject(Thing, { anything: deep }).keys, 1);
  });
});

describe('the result of decoding', () => {
  it('the result of decoding lists empty lists and maps of the document', () => {
    const empties: EmptyMember[] = [];
    const { value } = decodeObject(Lists, { names: [], labels: {}, inner: [{ names: [] }, {}] }, { empties });
    assert.deepEqual(value, { inner: [{}, {}] });
    assert.deepEqual(empties, [
      { path: ['names'], isList: true },
      { path: ['labels'], isList: false },
      { path: ['inner', 0, 'names'], isList: true },
    ]);
  });

  it('the result of decoding lists values that strict decoding skips', () => {
    const opaque: string[] = [];
    decodeObject(Thing, { anything: { a: 1 }, schema: { items: { type: 'a' } } }, { opaque });
    assert.deepEqual(opaque, ['anything', 'schema.items']);
  });

  for (const [literal, canonical] of [
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['1.0', '1'],
    ['1e400', '10e399'],
    ['123456789012345678901234', '123456789012345678901234'],
    ['0.30000000000000000001', '300000001n'],
  ] as const) {
    it(`a quantity that is the JSON number ${literal} is parsed from its text`, () => {
      const floats = (path: string) => (path === 'size' ? literal : undefined);
      assert.equal(decodeObject(ByValue, { size: Number(literal) }, { floats }).value['size'], canonical);
    });
  }

  it('numbers that are written as floats are not integers', () => {
    const floats = (path: string) => (path === 'inner[1].count' ? '3.0' : undefined);
    assert.throws(
      () => decodeObject(Lists, { inner: [{ count: 3 }, { count: 3 }] }, { floats }),
      new DecodeError(
        'json: cannot unmarshal number 3.0 into Go struct field Lists.inner.count of type int32',
        'inner[1].count',
        { root: 'v1.Lists', type: 'int32', value: 3 },
      ),
    );
  });
});

const Lists: StructNode = struct('test/v1.Lists', () => ({
  names: list(1, 'string'),
  labels: map(2, 'string'),
  inner: list(3, Lists),
  count: int32(4),
}));

describe('a map of many members', () => {
  const many = limits.membersInStep * 2;
  const type = struct('test/v1.Many', () => ({ data: map(1, 'string'), counts: map(2, listOf('int32')) }));
  const names = Array.from({ length: many }, (_, index) => `k${(index * 7) % (many + 1)}`);
  const document = () => ({
    data: Object.fromEntries(names.map((name) => [name, name === 'k7' ? null : 'v'])),
    counts: Object.fromEntries([['__proto__', [1]], ...names.map((name) => [name, [1]])]),
  });

  it('a map of many members is decoded in steps with the same result as at once', () => {
    for (const owned of [true, false]) {
      const atOnceRead = decodeObject(type, document(), { owned });
      const steps = decodingObject(type, document(), { owned });
      let step = steps.next();
      let count = 0;
      for (; !step.done; step = steps.next()) count++;
      assert.ok(count > 4, `${count} steps`);
      assert.equal(JSON.stringify(step.value), JSON.stringify(atOnceRead));
      assert.deepEqual(Object.keys(step.value.value['data'] as object), names.toSorted());
    }
  });
});
