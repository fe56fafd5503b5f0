import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { json as anyJson, embedded, int64, list, map, raw, string, struct } from './build.ts';
import {
  carryTexts,
  compactJson,
  copyWithTexts,
  equalValues,
  hasOpaque,
  keepsTexts,
  noteTexts,
  opaqueText,
  sameTexts,
  textInJson,
  withTexts,
} from './opaque-text.ts';

const Metadata = struct('test.Metadata', () => ({ name: string(1), annotations: map(2, 'string') }));
const Revision = struct('test.Revision', () => ({ metadata: embedded(1, Metadata), data: raw(2), revision: int64(3) }));
const Config = struct('test.Config', () => ({ requests: list(1, 'string'), parameters: raw(2) }));
const Claim = struct('test.Claim', () => ({
  metadata: embedded(1, Metadata),
  config: list(2, Config),
  byName: map(3, Config),
}));
const Plain = struct('test.Plain', () => ({ metadata: embedded(1, Metadata), any: anyJson(2) }));

/** An object read of its JSON, with the texts of its opaque values. */
function read(json: string, type = Revision): JsonObject {
  const object = parseJson(json) as JsonObject;
  noteTexts(type, json, object);
  return object;
}

function revision(data: string): string {
  return `{"metadata":{"name":"a"},"data":${data},"revision":1}`;
}

test('only types with a RawExtension have opaque values', () => {
  assert.equal(hasOpaque(Revision), true);
  assert.equal(hasOpaque(Claim), true);
  assert.equal(hasOpaque(Plain), false);
});

test('an opaque value keeps its white space, escapes, duplicate members and forms of numbers', () => {
  for (const data of ['{ "a" : [1 ,2] }', '{"a":"\\u0041\\/"}', '{"a":1.0,"b":1e3,"c":-0}', '{"a":1,"a":2}', '[ 1 ]']) {
    const object = read(revision(data));
    assert.equal(opaqueText(object['data']!), data);
    const stored = withTexts(Revision, JSON.stringify(object), object) as string;
    assert.equal(stored, revision(data).replace(/\}$/, ' }'));
    assert.equal(keepsTexts(Buffer.from(stored)), true);
    assert.equal(opaqueText(read(stored)['data']!), data);
  }
});

test('the text of an opaque value that nobody wrote is that of Go', () => {
  const object = JSON.parse(revision('{"a":"b && c < d"}'));
  assert.equal(opaqueText(object.data), '{"a":"b \\u0026\\u0026 c \\u003c d"}');
  const stored = withTexts(Revision, JSON.stringify(object), object) as string;
  assert.equal(stored, revision('{"a":"b \\u0026\\u0026 c \\u003c d"}'));
  assert.equal(keepsTexts(Buffer.from(stored)), false);
});

test('an opaque value that was changed loses its text', () => {
  const object = read(revision('{ "a": 1 }'));
  (object['data'] as JsonObject)['a'] = 2;
  assert.equal(withTexts(Revision, JSON.stringify(object), object), revision('{"a":2}'));
});

test('a copy of an object has the texts of its opaque values', () => {
  const object = read(revision('{ "a": "<" }'));
  assert.equal(opaqueText(copyWithTexts(Revision, object)['data']!), '{ "a": "<" }');
  const other = JSON.parse(revision('{"a":"<"}'));
  carryTexts(Revision, { from: object, to: other }, textInJson);
  assert.equal(opaqueText(other.data), '{"a":"\\u003c"}');
});

test('opaque values with the same members in another order differ, and other values do not', () => {
  const claim = (config: string) => read(`{"byName":{"a":${config}},"config":[{"requests":[]},${config}]}`, Claim);
  const one = claim('{"requests":["a"],"parameters":{"a":1,"b":2}}');
  const same = claim('{"parameters":{"a":1,"b":2},"requests":["a"]}');
  assert.deepEqual([sameTexts(Claim, one, same), equalValues(Claim, one, same)], [true, true]);
  for (const parameters of ['{"b":2,"a":1}', '{ "a":1,"b":2}']) {
    const other = claim(`{"requests":["a"],"parameters":${parameters}}`);
    assert.deepEqual([sameTexts(Claim, one, other), equalValues(Claim, one, other)], [false, false]);
    assert.equal(sameTexts(Claim, one, { config: one['config']!, byName: other['byName']! }), false);
  }
  assert.equal(equalValues(Claim, one, claim('{"requests":["a"]}')), false);
  assert.equal(equalValues(Plain, { any: { a: 1, b: 2 } }, { any: { b: 2, a: 1 } }), true);
});

test('opaque values are found anywhere in an object, whatever stands before them', () => {
  const parameters = '{ "a":"}],\\"" , "b":[ {} ,[ ] ] }';
  const config = `{"requests":["x"],"parameters":${parameters}}`;
  const json = `{ "metadata" : {"annotations":{"a":"\\\\","b":"{[\\""}} , "config":[ null,{}, ${config} ],"byName":{"q":{"parameters": [1.0] }}}`;
  const object = read(json, Claim) as { config: { parameters: Json }[]; byName: { q: { parameters: Json } } };
  assert.equal(opaqueText(object.config[2]!.parameters), parameters);
  assert.equal(opaqueText(object.byName.q.parameters), '[1.0]');
});

test('JSON without white space is the same value, whatever its strings contain', () => {
  const random = new SeededRandom(5);
  const characters = [' ', '\n', '"', '\\', 'a', '{', ',', '\t'];
  for (let round = 0; round < 500; round++) {
    const text = () =>
      Array.from({ length: random.below(6) }, () => characters[random.below(characters.length)]).join('');
    const value = { [text()]: [text(), { [text()]: text() }] };
    assert.equal(compactJson(JSON.stringify(value, undefined, random.below(5))), JSON.stringify(value));
  }
});
