import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { atOnce } from '../base/steps.ts';
import {
  countKeys,
  findDuplicateFields,
  floatLiterals,
  JsonError,
  parseJson,
  strictDecodingErrors,
  unreadableJson,
} from './json-reader.ts';
import { jsonText } from './json-text.ts';
import { stringifyJson } from './json-writer.ts';

const BROKEN: [string, string][] = [
  ['', 'unexpected end of JSON input'],
  [' \n', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"kind":', 'unexpected end of JSON input'],
  ['"abc', 'unexpected end of JSON input'],
  ['"\\', "invalid character ' ' in string escape code"],
  ['"\\u1', "invalid character ' ' in \\u hexadecimal character escape"],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['[-', "invalid character ' ' in numeric literal"],
  ['1.', "invalid character ' ' after decimal point in numeric literal"],
  ['1e+', "invalid character ' ' in exponent of numeric literal"],
  ['[1', 'unexpected end of JSON input'],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['// note\n{}', "invalid character '/' looking for beginning of value"],
  ['apiVersion: v1\n', "invalid character 'a' looking for beginning of value"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['ü', "invalid character 'Ã' looking for beginning of value"],
  ['你', "invalid character 'ä' looking for beginning of value"],
  ['[\x01]', "invalid character '\\x01' looking for beginning of value"],
  ['[\x7f]', "invalid character '\\x7f' looking for beginning of value"],
  ['\\', "invalid character '\\\\' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":1}{}', "invalid character '{' after top-level value"],
  ['{"a":1} and more', "invalid character 'a' after top-level value"],
  ['01', "invalid character '1' after top-level value"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['-a', "invalid character 'a' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1e+x', "invalid character 'x' in exponent of numeric literal"],
  ['"\n"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
];

test('invalid JSON is rejected in the words of Go', () => {
  for (const [text, message] of BROKEN) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof JsonError && error.message === message,
      text,
    );
    assert.throws(() => parseJson(text, { mergeRepeated: true }), { message }, text);
  }
  assert.equal(
    unreadableJson(new JsonError('unexpected end of JSON input')),
    "couldn't get version/kind; json parse error: unexpected end of JSON input",
  );
});

function nested(depth: number): string {
  return `{"unknown":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

test('JSON that nests deeper than ten thousand levels is rejected', () => {
  assert.ok(parseJson(nested(limits.documentDepth - 1)));
  assert.throws(() => parseJson(nested(limits.documentDepth)), { name: 'JsonError', message: 'exceeded max depth' });
  assert.throws(() => parseJson('['.repeat(1_000_000)), { name: 'JsonError', message: 'exceeded max depth' });
});

test('brackets in JSON side by side or in strings are not counted as depth', () => {
  const flat = `[${'[],'.repeat(limits.documentDepth + 1)}[]]`;
  assert.equal((parseJson(flat) as unknown[]).length, limits.documentDepth + 2);
  const text = JSON.stringify({ a: '[{\\"'.repeat(limits.documentDepth) });
  assert.deepEqual(parseJson(text), JSON.parse(text));
});

test('JSON integers keep 64 bits', () => {
  const kept = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '1234567890123456789'];
  for (const text of kept) assert.equal(parseJson(text), BigInt(text));
  assert.equal(parseJson('9007199254740991'), 9007199254740991);
  assert.equal(parseJson('9223372036854775808'), 2 ** 63);
  assert.equal(parseJson('100000000000000000000'), 1e20);
  assert.deepEqual(parseJson('{"a":[0.1234567890123456789,1e3,1.0,2.50e2,-1e-7]}'), {
    a: [0.12345678901234568, 1000, 1, 250, -1e-7],
  });
  for (const padding of Array.from({ length: 20 }, (_, index) => ' '.repeat(index))) {
    assert.equal(parseJson(`${padding}9007199254740993`), 9007199254740993n);
  }
});

test('a JSON number out of range is infinite however it is written, and a syntax error comes first', () => {
  assert.deepEqual(parseJson(`[1e400,1${'0'.repeat(400)},-1${'0'.repeat(400)}]`), [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
  for (const number of ['1e400', `1${'0'.repeat(400)}`]) {
    assert.throws(
      () => parseJson(`[${number},x]`),
      new JsonError("invalid character 'x' looking for beginning of value"),
    );
  }
});

test('half a surrogate pair and invalid UTF-8 in JSON become the replacement character', () => {
  assert.equal(parseJson('"\\ud83d\\ude80 \\ud800 \\u00e9"'), '🚀 \ufffd é');
  assert.equal(parseJson('"\\ud800\\u0041\\udc00"'), '\ufffdA\ufffd');
  assert.equal(parseJson(Uint8Array.from([0x22, 0xff, 0xfe, 0x61, 0x22])), '\ufffd\ufffda');
  assert.equal(jsonText(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61])), '\ufeffa');
});

test('every escape in JSON is read by the slow reader as by the fast one', () => {
  const text = '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u20ac\\ud83d\\ude80","",{"":{}},[[]],true,false,null,-0.5e-2]';
  assert.deepEqual(parseJson(text, { mergeRepeated: true }), JSON.parse(text));
});

test('__proto__ in JSON is a key like any other', () => {
  for (const options of [{}, { mergeRepeated: true }]) {
    const value = parseJson('{"__proto__":{"a":1},"b":9007199254740993}', options) as object;
    assert.deepEqual(Object.keys(value), ['__proto__', 'b']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  }
});

test('the keys of a JSON text are counted, with duplicates', () => {
  const cases: [string, number][] = [
    ['{}', 0],
    ['[1,"a:b",":"]', 0],
    ['{"a":{"b":[{"c":"d:"}]}}', 3],
    ['{"a" \n\t:1,"a":2}', 2],
    ['{"a\\"":"\\\\","b\\\\":"\\""}', 2],
    ['{"a:', 0],
  ];
  for (const [text, count] of cases) assert.equal(countKeys(text), count, text);
});

const TWICE =
  '{"kind":"X","extra":1,"metadata":{"name":"both","zone":"x","name":"both"},"data":{"a":"1","a":"2","a":"3"},"extra":2,"other":{"x":1,"x":2}}';

test('duplicate members of JSON are reported once each, with their path', () => {
  assert.deepEqual(findDuplicateFields(TWICE), ['metadata.name', 'data.a', 'extra', 'other.x']);
  assert.deepEqual(findDuplicateFields('[{"op":"add","value":{"bar":1,"bar":2},"op":"add"}]'), [
    '[0].value.bar',
    '[0].op',
  ]);
  assert.deepEqual(findDuplicateFields('{"spec":{"ports":[{"name":"a","name":"b"}],"ports":[]},"spec":{}}'), [
    'spec.ports[0].name',
    'spec.ports',
    'spec',
  ]);
  assert.deepEqual(findDuplicateFields('{"a":{"x":1},"b":{"x":1}}'), []);
  // Each time an object is written out, its members count anew.
  assert.deepEqual(findDuplicateFields('{"data":{"a":1},"data":{"a":2,"b":3}}'), ['data']);
});

test('unknown and duplicate fields of JSON are reported in the order of the text', () => {
  assert.deepEqual(atOnce(strictDecodingErrors(TWICE, ['extra', 'metadata.zone', 'other'])), [
    'unknown field "extra"',
    'unknown field "metadata.zone"',
    'duplicate field "metadata.name"',
    'duplicate field "data.a"',
    'unknown field "other"',
  ]);
  const many = Array.from({ length: 150 }, (_, index) => `u${index}`);
  const text = JSON.stringify(Object.fromEntries(many.map((name) => [name, 1])));
  assert.equal(atOnce(strictDecodingErrors(text, many)).length, limits.strictErrors);
});

test('a duplicate object in JSON is merged, a duplicate list replaced, and otherwise the last one counts', () => {
  const text =
    '{"spec":{"clusterIP":"None","ports":[{"name":"a"},{"name":"b"}],"ports":[{"name":"c"}]},"spec":{"selector":{"x":"y"},"clusterIP":""}}';
  assert.equal(
    stringifyJson(parseJson(text, { mergeRepeated: true })),
    '{"spec":{"clusterIP":"","ports":[{"name":"c"}],"selector":{"x":"y"}}}',
  );
  assert.deepEqual(parseJson(text), { spec: { selector: { x: 'y' }, clusterIP: '' } });
  assert.deepEqual(parseJson('{"a":{"b":1},"a":2,"a":{"c":3}}', { mergeRepeated: true }), { a: { c: 3 } });
});

test('duplicate members of opaque JSON values are not reported', () => {
  const text = '{"data":{"a":1,"a":2},"data":{"b":1,"b":1},"other":{"a":1,"a":1}}';
  assert.deepEqual(atOnce(strictDecodingErrors(text, [], ['data'])), [
    'duplicate field "data"',
    'duplicate field "other.a"',
  ]);
});

test('floats in JSON are found by their paths, as they are written', () => {
  const at = floatLiterals('{"spec": {"a": 3.0, "b":1e2,"c": [1, -2.50,3], "d":3, "e": "x:1.5,"}}');
  const paths = ['spec.a', 'spec.b', 'spec.c[0]', 'spec.c[1]', 'spec.c[2]', 'spec.d', 'spec.e'];
  assert.deepEqual(
    paths.map((path) => at?.(path)),
    ['3.0', '1e2', undefined, '-2.50', undefined, undefined, undefined],
  );
  const long = floatLiterals('{"a": 123456789012345678901, "b": 9223372036854775807, "c": -9223372036854775809}');
  assert.deepEqual(
    ['a', 'b', 'c'].map((path) => long?.(path)),
    ['123456789012345678901', undefined, '-9223372036854775809'],
  );
  for (const text of [
    '{"image":"nginx:1.25","n":12}',
    '{"t":"2024-01-02T03:04:05.5Z"}',
    '{"n":[1,2,-3]}',
    '{"a":"1e5"}',
  ]) {
    assert.equal(floatLiterals(text), undefined, text);
  }
});

test('an invalid byte outside of JSON strings is quoted in the error', () => {
  const at = (...bytes: (number | string)[]) =>
    jsonText(Buffer.concat(bytes.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.of(each)))));
  const cases: readonly (readonly [text: string, character: string])[] = [
    [at(0xff, 0xfe, '{'), 'ÿ'],
    [at(0xfe, 0xff), 'þ'],
    [at(0x80, 0x81), '\\u0080'],
    [at('{"a":', 0xff, '}'), 'ÿ'],
    [at(`{"é😀${'x'.repeat(10_000)}":[`, 0xe4, '}'), 'ä'],
    [at(`{"${'é'.repeat(2_047)}a":[`, 0xff), 'ÿ'],
    [at('["', 0xff, '\\"", ', 0xfd, ']'), 'ý'],
    [at('[', 0xe4, 0xff, ']'), 'ä'],
    [at('[', 0xf0, 0x9f), 'ð'],
    [at('[\ufffd]'), 'ï'],
  ];
  for (const [text, character] of cases) {
    assert.throws(() => parseJson(text), {
      message: `invalid character '${character}' looking for beginning of value`,
    });
  }
  assert.deepEqual(parseJson(at('["', 0xff, 0xe4, '"]')), ['\ufffd\ufffd']);
});

test('the JSON integer -0 is zero, and the float -0.0 is negative zero', () => {
  for (const [text, value] of [
    ['-0', 0],
    ['-0.0', -0],
    ['[-0]', 0],
    ['{"a": -0}', 0],
    ['[-0, 1]', 0],
    ['[-0.0]', -0],
    ['[-0e1]', -0],
  ] as const) {
    const read = parseJson(text) as number | number[] | { a: number };
    const found = typeof read === 'number' ? read : Array.isArray(read) ? read[0] : read.a;
    assert.ok(Object.is(found, value), `${text}: ${JSON.stringify(found)}`);
  }
});
