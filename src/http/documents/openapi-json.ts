// Encoders for long JSON documents, chunk by chunk; other requests run in between.

import { Buffer } from 'node:buffer';
import { isObject } from '../../api/is-object.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { Turn } from '../../base/short-turns.ts';
import type { OpenApiV2Encoding } from '../../resources/openapi/document-v2.ts';

/** The encoding of the OpenAPI v2 document as JSON, as stringifyJson writes it. */
export const openapiV2Json: OpenApiV2Encoding = {
  name: 'json',
  entry: (_member, name, value) => Buffer.from(`${JSON.stringify(name)}:${stringifyJson(value)}`),
  separator: Buffer.from(','),
  *pieces(frame, entries) {
    let before = '{';
    for (const [name, value] of Object.entries(frame)) {
      const head = `${before}${JSON.stringify(name)}:`;
      before = ',';
      if (name !== 'paths' && name !== 'definitions') {
        yield Buffer.from(head + stringifyJson(value as Json));
        continue;
      }
      yield Buffer.from(`${head}{`);
      yield* entries[name];
      yield Buffer.from('}');
    }
    yield Buffer.from('}');
  },
};

/** Depth to which members are written one by one: that of OpenAPI's schemas and their members. */
const DEPTH = 2;

/** The JSON of a document, as stringifyJson writes it. */
export async function longJsonBytes(document: JsonObject, turn: Turn): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  let text = '';
  for (const part of parts(document, DEPTH)) {
    text += part;
    if (text.length >= limits.responsePieceBytes) {
      const piece = Buffer.from(text);
      pieces.push(piece);
      length += piece.length;
      text = '';
    }
    await turn.over();
  }
  const last = Buffer.from(text);
  if (pieces.length === 0) return last;
  const bytes = Buffer.allocUnsafeSlow(length + last.length);
  let at = 0;
  for (const piece of [...pieces, last]) {
    at += piece.copy(bytes, at);
    await turn.over();
  }
  return bytes;
}

function* parts(value: JsonObject, depth: number): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const head = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (depth > 0 && isObject(member)) {
      yield head;
      yield* parts(member, depth - 1);
    } else if (depth > 0 && Array.isArray(member) && member.length > 0) {
      yield head;
      yield* items(member);
    } else if (isObject(member) && hasMany(member)) {
      yield head;
      yield* parts(member, depth - 1);
    } else yield head + stringifyJson(member);
  }
  yield before === '{' ? '{}' : '}';
}

function* items(list: readonly Json[]): Generator<string> {
  let before = '[';
  for (const item of list) {
    yield before + stringifyJson(item);
    before = ',';
  }
  yield ']';
}

/** Values that are written at once. */
const VALUES_AT_ONCE = 2_000;

/** Whether a map contains so many values that they are written one by one. */
function hasMany(map: JsonObject): boolean {
  let left = VALUES_AT_ONCE;
  const open: Json[] = [map];
  for (let next = open.pop(); next !== undefined && left > 0; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const name in next) {
      open.push((next as JsonObject)[name] as Json);
      if (--left < 0) break;
    }
  }
  return left <= 0;
}
