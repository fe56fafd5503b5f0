import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { parseJson } from './json-reader.ts';
import { copyJson, quoteJson, stringifyJson } from './json-writer.ts';

test('integers beyond 2^53 are written as digits in JSON', () => {
  assert.equal(stringifyJson({ a: [9007199254740993n, 1], b: 'x' }), '{"a":[9007199254740993,1],"b":"x"}');
  assert.equal(stringifyJson({ a: -9223372036854775808n }, { pretty: true }), '{\n  "a": -9223372036854775808\n}');
});

test('undefined members are omitted in JSON', () => {
  assert.equal(stringifyJson({ a: undefined, b: 1 }), '{"b":1}');
});

test('numbers are written in JSON as by Kubernetes', () => {
  const text =
    '{"n03":1.0,"n04":1.50,"n05":1e3,"n06":1e21,"n07":0.1,"n08":1e-7,"n09":-0.0,"n11":9223372036854775808,"n12":100000000000000000000,"n13":2.50e2}';
  assert.equal(
    stringifyJson(parseJson(text)),
    '{"n03":1,"n04":1.5,"n05":1000,"n06":1e+21,"n07":0.1,"n08":1e-7,"n09":0,"n11":9223372036854776000,"n12":100000000000000000000,"n13":250}',
  );
});

test('pretty JSON is indented by two spaces', () => {
  assert.equal(
    stringifyJson({ a: [1, {}], b: [] }, { pretty: true }),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
  );
});

test('a copy of a JSON value is equal and shares nothing', () => {
  const value = parseJson('{"a":[{"b":1},[2]],"__proto__":{"c":null},"d":9007199254740993,"e":""}') as Record<
    string,
    unknown
  >;
  const copied = copyJson(value);
  assert.deepEqual(copied, value);
  assert.deepEqual(Object.keys(copied), Object.keys(value));
  assert.notEqual(copied.a, value.a);
  (copied.a as { b: number }[])[0]!.b = 5;
  assert.equal(stringifyJson(value), '{"a":[{"b":1},[2]],"__proto__":{"c":null},"d":9007199254740993,"e":""}');
});

test('any JSON that can be decoded can be copied and encoded, at any depth', () => {
  const depth = limits.documentDepth - 1;
  const lists = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  assert.equal(stringifyJson(copyJson(parseJson(lists))), lists);
  const objects = `${'{"__proto__":'.repeat(depth)}1${'}'.repeat(depth)}`;
  assert.equal(stringifyJson(copyJson(parseJson(objects))), objects);
  // The runtime has no encoder without recursion for these integers.
  const integer = `{"a":9007199254740993,"b":${objects}}`;
  assert.equal(stringifyJson(parseJson(integer)), integer);
});

test('strings are quoted in JSON as by Go', () => {
  const cases: [text: string, json: string][] = [
    ['', '""'],
    ['/api/v1?a=b!#~', '"/api/v1?a=b!#~"'],
    ['a<b>&c', String.raw`"a\u003cb\u003e\u0026c"`],
    ['\u2028é"\\', String.raw`"\u2028é\"\\"`],
    ['a\nb\u0001', String.raw`"a\nb\u0001"`],
  ];
  for (const [text, json] of cases) assert.equal(quoteJson(text), json);
});

test('keys that are numbers are written in the order of their texts, among the others', () => {
  const value = { spec: { 10: 'a', 9: 'b', '': 'c', a: { 1: [], '-': {} } }, list: [{ 2: 1n, '!': '{"1":' }] };
  assert.equal(
    stringifyJson(value),
    '{"spec":{"":"c","10":"a","9":"b","a":{"-":{},"1":[]}},"list":[{"!":"{\\"1\\":","2":1}]}',
  );
  assert.equal(
    stringifyJson({ a: { 10: { b: [1, 'x:,{'] }, 9: [], '-': {} } }, { pretty: true }),
    '{\n  "a": {\n    "-": {},\n    "10": {\n      "b": [\n        1,\n        "x:,{"\n      ]\n    },\n    "9": []\n  }\n}',
  );
});

test('struct members keep their order in JSON beside keys that are numbers', () => {
  assert.equal(
    stringifyJson({ kind: 'K', data: { 10: 'a', 9: 'b' }, a: 1 }),
    '{"kind":"K","data":{"10":"a","9":"b"},"a":1}',
  );
});
