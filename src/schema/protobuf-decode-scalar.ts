// Protobuf decoder for scalars and opaque values, to their canonical JSON form.

import { JsonError, parseJson } from '../api/json-reader.ts';
import { utf8Text } from '../api/json-text.ts';
import type { Json } from '../api/object.ts';
import { DELIMITED, ProtobufError, type ProtobufReader } from '../api/protobuf-reader.ts';
import { canonicalQuantity } from '../api/quantity.ts';
import { durationText } from '../base/duration-nanoseconds.ts';
import type { Node } from './node.ts';
import { noteText } from './opaque-text.ts';
import { timeText } from './protobuf-time.ts';

/** The source of a value. */
interface Source {
  readonly reader: ProtobufReader;
  readonly isBody?: boolean;
}

/** A RawExtension whose content is not JSON. */
export class OpaqueError extends ProtobufError {
  override name = 'OpaqueError';
}

/** Reads a value. @throws ProtobufError */
type ReadScalar = (source: Source) => Json;

type ScalarNodeKind = Exclude<Node['kind'], 'struct' | 'list' | 'map'>;

const SCALARS: { readonly [K in ScalarNodeKind]: ReadScalar } = Object.freeze({
  string: ({ reader }) => reader.text(),
  bool: ({ reader }) => reader.bool(),
  int32: ({ reader }) => reader.int32(),
  int64: ({ reader }) => reader.int64(),
  float64: ({ reader }) => {
    const value = reader.double();
    if (!Number.isFinite(value)) throw new ProtobufError(`json: unsupported value: ${value}`);
    return value;
  },
  bytes: ({ reader }) => base64Of(reader.raw()),
  quantity: within(readQuantity),
  intOrString: within(readIntOrString),
  time: within((source) => readTime(source, false)),
  microTime: within((source) => readTime(source, true)),
  duration: within(readDuration),
  raw: within(readRaw),
  fields: within(readFields),
  json: within(readOpaque),
});

const FIRST_NUMBER = 1 << 3;
const SECOND_NUMBER = 2 << 3;
const FIRST_TEXT = (1 << 3) | DELIMITED;
const THIRD_TEXT = (3 << 3) | DELIMITED;

export function scalarReader(kind: ScalarNodeKind): ReadScalar {
  return SCALARS[kind];
}

/** Reads the content of a nested message. */
function within(read: ReadScalar): ReadScalar {
  return (source) => {
    const outer = source.reader.enter();
    const value = read(source);
    source.reader.leave(outer);
    return value;
  };
}

/** Reads the fields of a message; those that `take` does not handle are skipped. */
export function readNumbered(reader: ProtobufReader, take: (tag: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.tag();
    if (!take(tag)) reader.skip(tag);
  }
}

/** Bytes that are omitted when empty. */
export function readNonEmptyBytes({ reader }: Source): Json {
  return base64Of(reader.raw()) || null;
}

function readQuantity({ reader }: Source): Json {
  let quantity: string | undefined = '0';
  readNumbered(reader, (tag) => {
    if (tag !== FIRST_TEXT) return false;
    quantity = canonicalQuantity(reader.text());
    return true;
  });
  if (quantity === undefined) throw new ProtobufError('unable to parse a quantity');
  return quantity;
}

function readIntOrString({ reader }: Source): Json {
  let type = 0;
  let number = 0;
  let text = '';
  readNumbered(reader, (tag) => {
    if (tag === FIRST_NUMBER) type = reader.int32();
    else if (tag === SECOND_NUMBER) number = reader.int32();
    else if (tag === THIRD_TEXT) text = reader.text();
    else return false;
    return true;
  });
  if (type !== 0 && type !== 1) throw new ProtobufError('impossible IntOrString.Type');
  return type === 0 ? number : text;
}

function readTime({ reader }: Source, exact: boolean): Json {
  if (reader.done) return null;
  let seconds: number | bigint = 0;
  let nanoseconds = 0;
  readNumbered(reader, (tag) => {
    if (tag === FIRST_NUMBER) seconds = reader.int64();
    else if (tag === SECOND_NUMBER) nanoseconds = reader.int32();
    else return false;
    return true;
  });
  const text = timeText(seconds, exact ? nanoseconds : undefined);
  if (text === undefined) throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]');
  return text;
}

function readDuration({ reader }: Source): Json {
  let nanoseconds: number | bigint = 0;
  readNumbered(reader, (tag) => {
    if (tag !== FIRST_NUMBER) return false;
    nanoseconds = reader.int64();
    return true;
  });
  return durationText(BigInt(nanoseconds));
}

/** {1: a value's JSON}. */
function readOpaque(source: Source): Json {
  const bytes = readContent(source);
  return bytes === undefined ? null : readJson(bytes);
}

/** Fields in a body that are not JSON are like others that cannot be read: their entry is dropped, not the request. */
function readFields(source: Source): Json {
  const bytes = readContent(source);
  if (bytes === undefined) return null;
  try {
    return readJson(bytes);
  } catch (error) {
    if (source.isBody && error instanceof ProtobufError) return [];
    throw error;
  }
}

/** Text that is empty, as opposed to absent, is malformed in a body; what is stored is shown. */
function readRaw(source: Source): Json {
  const bytes = readContent(source);
  if (bytes === undefined) return null;
  if (bytes.length === 0 && source.isBody) throw new OpaqueError('json: unexpected end of JSON input');
  try {
    const value = readJson(bytes);
    noteText(value, utf8Text(bytes));
    return value;
  } catch (error) {
    throw error instanceof ProtobufError ? new OpaqueError(error.message) : error;
  }
}

function readContent({ reader }: Source): Uint8Array | undefined {
  let bytes: Uint8Array | undefined;
  readNumbered(reader, (tag) => {
    if (tag !== FIRST_TEXT) return false;
    bytes = reader.raw();
    return true;
  });
  return bytes;
}

function readJson(bytes: Uint8Array): Json {
  if (bytes.length === 0) return null;
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new ProtobufError(`json: ${error.message}`);
    throw error;
  }
}

function base64Of(bytes: Uint8Array): string {
  let characters = '';
  for (let index = 0; index < bytes.length; index++) characters += String.fromCharCode(bytes[index] as number);
  return btoa(characters);
}
