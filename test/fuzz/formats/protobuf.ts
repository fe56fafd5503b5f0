// Protobuf of built-in kinds: malformed bytes have errors of the format, and a message that is read is written and read
// as the same object, which is also what its JSON is decoded to.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { ApiError } from '../../../src/api/errors.ts';
import { parseApiVersion } from '../../../src/api/group-version.ts';
import { parseJson } from '../../../src/api/json-reader.ts';
import { stringifyJson } from '../../../src/api/json-writer.ts';
import { readEnvelope, writeEnvelope } from '../../../src/api/protobuf-envelope.ts';
import { ProtobufError } from '../../../src/api/protobuf-reader.ts';
import { ProtobufWriter } from '../../../src/api/protobuf-writer.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { findBuiltinType } from '../../../src/resources/builtin/types.ts';
import { DecodeError, decodeObject } from '../../../src/schema/decode.ts';
import { decodeProtobuf } from '../../../src/schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../../src/schema/protobuf-encode.ts';
import { mutateBytes } from '../mutate.ts';
import { type Format, outcomeOf } from './format.ts';
import { mutateParts } from './mutations.ts';

/** `k8s` and a zero byte. */
const MAGIC_BYTES = 4;
const DELIMITED = 2;

const words = ['\x0a\x00', '\x12\x80', '\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01', '\x0b', '\x0c', '\x00', 'k8s\0'];

export const protobuf: Format = {
  name: 'protobuf',
  words,
  mutate(input, other, random) {
    if (random.chance(15)) return mutateBytes(input, random);
    const head = input.subarray(0, MAGIC_BYTES);
    return Buffer.concat([head, mutateMessage(input.subarray(MAGIC_BYTES), other.subarray(MAGIC_BYTES), random)]);
  },
  judge: judgeObject,
};

function judgeObject(input: Buffer): void {
  const { value: envelope } = outcomeOf(() => readEnvelope(input), ProtobufError);
  if (envelope === undefined) return;
  const { group, version } = parseApiVersion(envelope.apiVersion) ?? { group: '', version: '' };
  const type = findBuiltinType(group, version, envelope.kind);
  if (type === undefined) return;
  const { value: object } = outcomeOf(
    () => decodeProtobuf(type, envelope.raw, { isBody: true }),
    ProtobufError,
    ApiError,
  );
  if (object === undefined) return;
  const text = stringifyJson(object);
  const out = new ProtobufWriter();
  writeEnvelope(out, envelope, () => encodeProtobuf(type, object, out));
  const again = readEnvelope(out.bytes());
  assert.deepEqual([again.apiVersion, again.kind], [envelope.apiVersion, envelope.kind]);
  assert.equal(stringifyJson(decodeProtobuf(type, again.raw)), text, 'what is written is what was read');
  const { value: decoded } = outcomeOf(() => decodeObject(type, parseJson(text)), DecodeError);
  if (decoded !== undefined) assert.equal(stringifyJson(decoded.value), text, 'the same object as its JSON');
}

/** A message with some fields changed, at any depth; lengths are right again afterwards. */
function mutateMessage(message: Buffer, other: Buffer, random: SeededRandom): Buffer {
  const fields = fieldsOf(message);
  if (fields === undefined || fields.length === 0) return mutateBytes(message, random);
  const others = fieldsOf(other) ?? [];
  if (!random.chance(60))
    return Buffer.concat(mutateParts(fields, others, random, (part) => mutateBytes(part, random)));
  const at = random.below(fields.length);
  const { tag, content } = contentOf(fields[at]!);
  if (content === undefined)
    return Buffer.concat(mutateParts(fields, others, random, (part) => mutateBytes(part, random)));
  const inside = contentOf(others[random.below(others.length + 1)] ?? Buffer.alloc(0)).content ?? content;
  const changed = mutateMessage(content, inside, random);
  return Buffer.concat(fields.with(at, Buffer.concat([tag, varint(changed.length), changed])));
}

/** The fields of a message, each with its tag; undefined for what is no message. */
function fieldsOf(message: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    const end = tag === undefined ? undefined : endOf(message, tag.next, tag.value & 7);
    if (end === undefined || end > message.length) return undefined;
    fields.push(message.subarray(at, end));
    at = end;
  }
  return fields;
}

function endOf(message: Buffer, at: number, wire: number): number | undefined {
  if (wire === 0) return readVarint(message, at)?.next;
  if (wire === 1) return at + 8;
  if (wire === 5) return at + 4;
  if (wire !== DELIMITED) return undefined;
  const length = readVarint(message, at);
  return length === undefined ? undefined : length.next + length.value;
}

/** The tag of a field, and its content if it has a length. */
function contentOf(field: Buffer): { readonly tag: Buffer; readonly content: Buffer | undefined } {
  const tag = readVarint(field, 0);
  if (tag === undefined || (tag.value & 7) !== DELIMITED) return { tag: field, content: undefined };
  const { next } = readVarint(field, tag.next)!;
  return { tag: field.subarray(0, tag.next), content: field.subarray(next) };
}

function readVarint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = from, factor = 1; at < Math.min(bytes.length, from + 10); at++, factor *= 128) {
    const byte = bytes[at]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
}

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value & 127) | 128), varint(Math.floor(value / 128))]);
}
