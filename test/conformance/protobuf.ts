// Schemaless protobuf reader and writer, and the envelope that Kubernetes puts around messages.
//
// A message is an object from field number to value, or to a list of values where the field is there more than once.
// Bytes do not say what they are: readable text is taken for text, what parses as a message for one, and the rest is
// `{ hex }`. Equal bytes always give equal values, and that is all that a comparison needs.

import { Buffer } from 'node:buffer';

export type LooseValue = number | string | boolean | Hex | LooseMessage | readonly LooseValue[];

export interface Hex {
  readonly hex: string;
}

export interface LooseMessage {
  [field: number]: LooseValue;
}

export interface LooseObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: LooseMessage;
  readonly contentEncoding?: string;
  readonly contentType?: string;
}

const magic = Buffer.from('k8s\0');

/** Returns an object in its envelope; bytes without one are treated as text. */
export function decodeObject(bytes: Buffer): LooseObject | { text: string } {
  if (!bytes.subarray(0, magic.length).equals(magic)) return { text: bytes.toString('utf8') };
  const envelope = lastFields(bytes.subarray(magic.length));
  const type = lastFields(bytesOf(envelope.get(1)));
  const raw = bytesOf(envelope.get(2));
  const encoding = bytesOf(envelope.get(3));
  const contentType = bytesOf(envelope.get(4));
  return {
    apiVersion: String(type.get(1) ?? ''),
    kind: String(type.get(2) ?? ''),
    raw: decodeMessage(raw),
    ...(encoding.length > 0 && { contentEncoding: encoding.toString('utf8') }),
    ...(contentType.length > 0 && { contentType: contentType.toString('utf8') }),
  };
}

export function encodeObject({ apiVersion, kind, raw }: LooseObject): Buffer {
  return Buffer.concat([magic, encodeMessage({ 1: { 1: apiVersion, 2: kind }, 2: raw })]);
}

/** Returns one event of a protobuf watch, without its length prefix. */
export function decodeEvent(bytes: Buffer): { type: string; object: unknown } {
  const event = lastFields(bytes);
  const object = lastFields(bytesOf(event.get(2)));
  return { type: String(event.get(1)), object: decodeObject(bytesOf(object.get(1))) };
}

type RawValue = number | string | Buffer;

/** Returns the fields of a message by number; of a repeated one the last. */
function lastFields(bytes: Buffer): Map<number, RawValue> {
  return new Map(fieldsOf(bytes));
}

function bytesOf(value: RawValue | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function decodeMessage(bytes: Buffer): LooseMessage {
  const out: LooseMessage = {};
  for (const [number, raw] of fieldsOf(bytes)) {
    const value = Buffer.isBuffer(raw) ? decodeBytes(raw) : raw;
    const before = out[number];
    if (before === undefined) out[number] = value;
    else out[number] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return out;
}

function decodeBytes(bytes: Buffer): LooseValue {
  const text = bytes.toString('utf8');
  const readable = Buffer.from(text, 'utf8').equals(bytes);
  if (readable && !/[\0-\x1f\x7f]/.test(text)) return text;
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (!(error instanceof BrokenMessage)) throw error;
    // Multi-line text is not a message.
    return readable && !/[\0-\x08\x0e-\x1f]/.test(text) ? text : { hex: bytes.toString('hex') };
  }
}

class BrokenMessage extends Error {}

/** The length of a value after its tag, by wire type; -1: the value has a length prefix. */
const wireLengths: Readonly<Record<number, number>> = { 0: 0, 1: 8, 2: -1, 5: 4 };

function fieldsOf(bytes: Buffer): [number, RawValue][] {
  const out: [number, RawValue][] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (at >= bytes.length || shift > 63n) throw new BrokenMessage('broken varint');
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    const length = wireLengths[tag % 8];
    if (number < 1 || length === undefined) throw new BrokenMessage('broken tag');
    if (length === 0) {
      const value = varint();
      out.push([number, Number.isSafeInteger(Number(value)) ? Number(value) : String(value)]);
      continue;
    }
    const size = length > 0 ? length : Number(varint());
    if (size < 0 || at + size > bytes.length) throw new BrokenMessage('cut short');
    const part = bytes.subarray(at, at + size);
    at += size;
    out.push([number, length === 8 ? part.readDoubleLE(0) : length === 4 ? part.readFloatLE(0) : part]);
  }
  return out;
}

function encodeMessage(message: LooseMessage): Buffer {
  const parts: Buffer[] = [];
  const numbers = Object.keys(message).map(Number);
  for (const number of numbers.sort((one, other) => one - other)) {
    for (const value of [message[number]!].flat() as LooseValue[]) parts.push(...encodeField(number, value));
  }
  return Buffer.concat(parts);
}

function encodeField(number: number, value: LooseValue): Buffer[] {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return [encodeVarint(number * 8), encodeVarint(Number(value))];
  }
  const bytes = encodeBytes(value);
  return [encodeVarint(number * 8 + 2), encodeVarint(bytes.length), bytes];
}

function encodeBytes(value: Exclude<LooseValue, number | boolean>): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  return 'hex' in value ? Buffer.from((value as Hex).hex, 'hex') : encodeMessage(value as LooseMessage);
}

function encodeVarint(number: number): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(number));
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Buffer.from(out);
}
