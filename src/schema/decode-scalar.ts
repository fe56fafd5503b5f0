// Decoder for scalars and opaque values: checks them like Go and returns their canonical JSON form.

import { base64Fault } from '../api/base64.ts';
import { withSortedMembers } from '../api/member-order.ts';
import type { Json } from '../api/object.ts';
import { canonicalQuantity, MALFORMED_QUANTITY, parseQuantity, QuantityError } from '../api/quantity.ts';
import { canonicalDuration } from '../base/duration-nanoseconds.ts';
import { durationFault } from '../base/go-duration.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';
import { scalar } from './build.ts';
import type { DecodeState } from './decode-state.ts';
import type { Node, OpaqueNode, ScalarKind } from './node.ts';
import { canonicalTime } from './rfc3339.ts';
import { timeFault } from './time-fault.ts';

/** Decodes a value other than null; returns its canonical form. @throws DecodeError */
export type Read = (value: unknown, state: DecodeState) => Json;

type UnstructuredKind = ScalarKind | OpaqueNode['kind'];

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** The largest double below 2^63. */
const INT64_EDGE = 2 ** 63;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const NODES = Object.freeze({
  string: scalar('string'),
  bool: scalar('bool'),
  int32: scalar('int32'),
  int64: scalar('int64'),
  float64: scalar('float64'),
  bytes: scalar('bytes'),
});

const READERS: { readonly [K in UnstructuredKind]: Read } = Object.freeze({
  string: (value, state) => (typeof value === 'string' ? value : state.refuse(value, NODES.string)),
  bool: (value, state) => (typeof value === 'boolean' ? value : state.refuse(value, NODES.bool)),
  int32: (value, state) => (isInt32(value) && !state.isFloat() ? value + 0 : refuseNumber(value, state, 'int32')),
  int64: readInt64,
  float64: (value, state) => {
    if (typeof value === 'number') return value;
    return typeof value === 'bigint' ? Number(value) : state.refuse(value, NODES.float64);
  },
  bytes: (value, state) => {
    if (typeof value === 'string') return canonicalBase64(value, state);
    return Array.isArray(value) ? bytesOfNumbers(value, state) : state.refuse(value, NODES.bytes);
  },
  quantity: readQuantity,
  intOrString: (value, state) => {
    if (typeof value === 'string') return value;
    return isInt32(value) && !state.isFloat() ? value + 0 : state.refuseValue(value, 'int32');
  },
  time: (value, state) => readTime(value, state, 'time'),
  microTime: (value, state) => readTime(value, state, 'microTime'),
  duration: (value, state) => {
    if (typeof value !== 'string') return state.refuseValue(value, 'string');
    return canonicalDuration(value) ?? state.fail(durationFault(value));
  },
  raw: readOpaque,
  fields: readOpaque,
  json: readOpaque,
});

/** Go's encoding of unset scalars. */
const ZEROS: { readonly [K in UnstructuredKind]: Json } = Object.freeze({
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: null,
  quantity: '0',
  intOrString: 0,
  time: null,
  microTime: null,
  duration: '0s',
  raw: null,
  fields: null,
  json: null,
});

export function scalarReader(kind: UnstructuredKind): Read {
  return READERS[kind];
}

export function zeroScalar(kind: UnstructuredKind): Json {
  return ZEROS[kind];
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

function refuseNumber(value: unknown, state: DecodeState, kind: 'int32' | 'int64'): Json {
  if (state.restores && (typeof value === 'bigint' || Number.isInteger(value))) {
    const whole = BigInt(value as number);
    // A float beyond 64 bits becomes the least integer.
    const kept = whole < MIN_INT64 || whole > MAX_INT64 ? MIN_INT64 : whole;
    return kind === 'int32' ? Number(BigInt.asIntN(32, kept)) : kept;
  }
  if (typeof value === 'number' || typeof value === 'bigint') return state.refuseNumber(value, NODES[kind]);
  return state.refuse(value, NODES[kind]);
}

/** Beyond 2^53 always a bigint, otherwise always a number. */
function readInt64(value: unknown, state: DecodeState): Json {
  if (state.isFloat()) return refuseNumber(value, state, 'int64');
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  if (typeof value === 'bigint' && value >= MIN_INT64 && value <= MAX_INT64) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= -INT64_EDGE && value < INT64_EDGE) {
    return BigInt(value);
  }
  return refuseNumber(value, state, 'int64');
}

function readQuantity(value: unknown, state: DecodeState): Json {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    state.fail(MALFORMED_QUANTITY);
  }
  // A number is its text: 1e3 is not 1000, and digits beyond the precision of a float count.
  const text = typeof value === 'string' ? value : state.literal(value);
  return canonicalQuantity(text) ?? state.fail(quantityFault(text));
}

function quantityFault(text: string): string {
  try {
    parseQuantity(text.trim());
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
  return MALFORMED_QUANTITY;
}

function readTime(value: unknown, state: DecodeState, kind: 'time' | 'microTime'): Json {
  if (typeof value !== 'string') state.refuseValue(value, 'string');
  const text = canonicalTime(value, kind);
  if (text === undefined) state.fail(timeFault(value, kind));
  return text;
}

/** Standard base64; line ends are skipped as in Go, and trailing bits become zero. */
function canonicalBase64(text: string, state: DecodeState): string {
  if (text.length % 4 === 0 && BASE64.test(text) && !text.endsWith('=')) return text;
  const clean = text.replace(/[\r\n]/g, '');
  const fault = base64Fault(text);
  if (fault !== undefined) return state.refuseBytes(`illegal base64 data at input byte ${fault}`);
  return clean.endsWith('=') ? btoa(atob(clean)) : clean;
}

/** Go also decodes bytes from a list of numbers, in which null is 0. */
function bytesOfNumbers(values: readonly unknown[], state: DecodeState): string {
  let text = '';
  for (const value of values) {
    const byte = value === null ? 0 : value;
    // Conversion from maps truncates any integer to a byte.
    const mayBeAny = state.restores && (typeof byte === 'bigint' || Number.isInteger(byte));
    if (mayBeAny) text += String.fromCharCode(Number(BigInt.asUintN(8, BigInt(byte as number))));
    else if (typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255)
      text += String.fromCharCode(byte);
    else state.refuseByte(value);
  }
  return btoa(text);
}

/**
 * Any value is valid and returned as it is; its keys are counted. Values converted from maps are sorted as in Go: for
 * an immutable opaque value, its text must not change.
 */
function readOpaque(value: unknown, state: DecodeState): Json {
  state.noteOpaque();
  countKeys(value, state);
  return state.restores ? withSortedMembers(value as Json) : (value as Json);
}

/** Whether any value of a type is valid. */
export function isOpaque(node: Node): boolean {
  return node.kind === 'struct' ? node.form === 'raw' : ['raw', 'fields', 'json'].includes(node.kind);
}

/** Like readOpaque, in slices. */
export function* readingOpaque(value: object, state: DecodeState): Steps<Json> {
  state.noteOpaque();
  yield* countingKeys(value, state);
  return state.restores ? withSortedMembers(value as Json) : (value as Json);
}

/** Counts the keys in an opaque value. Not recursive, because such values may be deep. */
export function countKeys(value: unknown, state: DecodeState): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.documentDepth) state.fail('exceeded max depth');
    const next: unknown[] = [];
    for (const each of level) openInto(next, each, state);
    level = next;
  }
}

/** Like countKeys, in slices. */
export function* countingKeys(value: unknown, state: DecodeState): Steps<void> {
  let level: unknown[] = [value];
  let counted = state.keys;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.documentDepth) state.fail('exceeded max depth');
    const next: unknown[] = [];
    for (const [at, each] of level.entries()) {
      openInto(next, each, state);
      if (state.keys - counted < limits.membersInStep && at % limits.membersInStep !== 0) continue;
      counted = state.keys;
      yield;
    }
    level = next;
  }
}

/** Counts the keys of one value; the lists and objects in it are left to the next level. */
function openInto(next: unknown[], value: unknown, state: DecodeState): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) next.push(item);
    return;
  }
  for (const key in value) {
    state.keys++;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && member !== null) next.push(member);
  }
}
