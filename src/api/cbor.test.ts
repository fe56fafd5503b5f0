import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findBuiltinType } from '../resources/builtin/types.ts';
import { encodeCbor } from '../schema/cbor-encode.ts';
import { CborError } from './cbor-form.ts';
import { parseCbor, readCborMember } from './cbor-reader.ts';
import { CborWriter } from './cbor-writer.ts';
import { parseApiVersion } from './group-version.ts';
import { parseJson } from './json-reader.ts';
import { stringifyJson } from './json-writer.ts';
import type { Json, JsonObject } from './object.ts';

/** What Kubernetes' own codec makes of the same values: the fixtures hold its answers. */
function fixture(name: string): JsonObject[] {
  const path = new URL(`../../test/fixtures/cbor/${name}.json`, import.meta.url);
  return parseJson(readFileSync(path)) as unknown as JsonObject[];
}

/** Members in the order of their encoded names, as deterministic CBOR has them: shorter ones first. */
function inEncodedOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inEncodedOrder);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort(
    (one, other) => Buffer.byteLength(one) - Buffer.byteLength(other) || (one < other ? -1 : 1),
  );
  // A Map would do as well, were names like 23 not sorted first by objects: there are none of those here.
  return Object.fromEntries(names.map((name) => [name, inEncodedOrder(value[name]!)]));
}

for (const { name, typed, json, cbor } of fixture('objects')) {
  const value = json as JsonObject;
  const bytes = Buffer.from(cbor as string, 'hex');

  test(`CBOR of ${name} is decoded`, () => {
    assert.equal(stringifyJson(inEncodedOrder(parseCbor(bytes))), stringifyJson(inEncodedOrder(value)));
  });

  test(`CBOR of ${name} is encoded as by Kubernetes`, () => {
    const out = new CborWriter();
    out.selfDescribed();
    const { group, version } = parseApiVersion(value.apiVersion as string)!;
    const type = typed === true ? findBuiltinType(group, version, value.kind as string) : undefined;
    assert.equal(type !== undefined, typed);
    if (type === undefined) out.value(inEncodedOrder(value));
    else encodeCbor(type, inEncodedOrder(value), out);
    assert.equal(Buffer.from(out.view()).toString('hex'), cbor);
  });
}

for (const { name, hex, json, error } of fixture('values')) {
  test(`CBOR is decoded as by Kubernetes: ${name}`, () => {
    const bytes = Buffer.from(hex as string, 'hex');
    if (error === undefined) assert.deepEqual(parseCbor(bytes), json);
    else assert.throws(() => parseCbor(bytes), new CborError(error as string));
  });
}

test('CBOR strings of every length are encoded, also those longer than the first buffer', () => {
  for (const length of [0, 1, 23, 24, 63, 64, 65, 255, 256, 5_000, 70_000]) {
    for (const character of ['a', 'é', '€', '😀']) {
      const text = character.repeat(length);
      const out = new CborWriter();
      out.value({ before: 1, text, after: [true] });
      assert.deepEqual(parseCbor(out.view()), { before: 1, text, after: [true] });
    }
  }
});

test('a member of a CBOR map under a tag is found by its name in the encoding of the tag', () => {
  // Tag 22, {"kind": bytes, "when": tag 1 of a number}: the names of bytes are base64, too.
  const bytes = Buffer.from('d6a2446b696e644101447768656ec11affffffff', 'hex');
  assert.deepEqual(parseCbor(bytes), { 'a2luZA==': 'AQ==', 'd2hlbg==': '2106-02-07T06:28:15Z' });
  assert.equal(readCborMember(bytes, 'a2luZA=='), 'AQ==');
  assert.equal(readCborMember(bytes, 'd2hlbg=='), '2106-02-07T06:28:15Z');
  assert.equal(readCborMember(bytes, 'kind'), undefined);
});

test('numbers are encoded in CBOR without loss', () => {
  const numbers: number[] = [0, 1, -1, 0.5, 2 ** -24, 2 ** -25, 65_504, 65_505.5, 1e300, 1 / 3, 2 ** 31, -(2 ** 31)];
  for (let exponent = -30; exponent < 20; exponent++) {
    for (const digits of [1, 1.0009765625, 1.00048828125, 1.999]) numbers.push(digits * 2 ** exponent);
  }
  for (const number of numbers) {
    const out = new CborWriter();
    out.float(number);
    assert.equal(parseCbor(out.view()), number);
  }
  for (const number of [2n ** 63n - 1n, -(2n ** 63n)]) {
    const out = new CborWriter();
    out.value(number);
    assert.equal(parseCbor(out.view()), number);
  }
});
