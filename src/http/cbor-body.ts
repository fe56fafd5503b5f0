// Bodies in CBOR. They become the kind of value that JSON gives, and are decoded as such; faults are reported in the
// words of Kubernetes' decoder of CBOR. Duplicate members are not a matter of field validation here: such a body is
// invalid.

import type { Buffer } from 'node:buffer';
import { CborError, cborTypeName } from '../api/cbor-form.ts';
import { type CborPlace, locateInCbor, parseCbor, readCborMember } from '../api/cbor-reader.ts';
import { errors } from '../api/errors.ts';
import type { Json } from '../api/object.ts';
import type { TypeNames } from '../api/protobuf-envelope.ts';
import type { DecodeError } from '../schema/decode.ts';
import { unreadable, unrecognized } from '../verbs/decode-body.ts';
import { nothingRepeated, type RequestBody } from '../verbs/resource-request.ts';
import { bodyExcerpt } from './protobuf-body.ts';

/** @throws ApiError 400 for bytes that are not CBOR, or that say one member twice */
export function parseCborBody(bytes: Buffer, expected: TypeNames): RequestBody {
  return {
    value: parse(bytes, expected),
    excerpt: bodyExcerpt(bytes),
    repeated: nothingRepeated,
    faults: ([first]) => {
      const place = first === undefined ? undefined : locateInCbor(bytes, first);
      return place === undefined ? [] : [`cbor: found unknown field at map element index ${place.index}`];
    },
    floats: mayHoldFloats(bytes) ? (path) => floatAt(bytes, path) : undefined,
    explain: (error) => explain(bytes, error),
  };
}

function parse(bytes: Buffer, expected: TypeNames): Json {
  try {
    const value = parseCbor(bytes);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    const place = locateInCbor(bytes, '') as CborPlace;
    throw new CborError(
      `cbor: cannot unmarshal ${cborTypeName(place.first)} into Go value of type v1.TypeMeta${noStruct(place)}`,
    );
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    if (error.depth > 0) throw unreadable({ ...namesIn(bytes, expected), definition: expected, why: error.message });
    throw unrecognized(expected.kind, `unable to determine group/version/kind: ${error.message}`, bodyExcerpt(bytes));
  }
}

const FLOAT_HEADS = [0xf9, 0xfa, 0xfb];

/** Whether the first byte of a float stands anywhere; it may be part of something else. */
function mayHoldFloats(bytes: Buffer): boolean {
  return FLOAT_HEADS.some((head) => bytes.includes(head));
}

/** Any text will do for a float: its message says what it is, not which. */
function floatAt(bytes: Buffer, path: string): string | undefined {
  const place = locateInCbor(bytes, path);
  return place !== undefined && FLOAT_HEADS.includes(place.first) ? 'float' : undefined;
}

/** What a body says it is, though its value can't be read. */
function namesIn(bytes: Buffer, expected: TypeNames): TypeNames {
  const [kind, apiVersion] = ['kind', 'apiVersion'].map((name) => readCborMember(bytes, name));
  return {
    kind: typeof kind === 'string' && kind !== '' ? kind : expected.kind,
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected.apiVersion,
  };
}

/** Why a value is not of its field's type. */
function explain(bytes: Buffer, { message, path, mismatch }: DecodeError): string {
  if (message.startsWith('illegal base64')) return `cbor: failed to decode base64 from byte string: ${message}`;
  const place = mismatch === undefined ? undefined : locateInCbor(bytes, path);
  if (mismatch === undefined || place === undefined) return message;
  const { root, type, value } = mismatch;
  const field = /^[^.[]*/.exec(path)?.[0];
  const isInteger = place.first >> 5 <= 1;
  const isStruct = /^\w+\.[A-Z]/.test(type);
  const overflow = isInteger && type.startsWith('int') ? ` (${value} overflows ${type})` : '';
  const target = `Go struct field ${root}.${field} of type ${type}`;
  return `cbor: cannot unmarshal ${cborTypeName(place.first)} into ${target}${overflow}${isStruct ? noStruct(place) : ''}`;
}

function noStruct({ first }: CborPlace): string {
  return cborTypeName(first) === 'array' ? ' (cannot decode CBOR array to struct without toarray option)' : '';
}

/** The applied configuration in a body of its own media type. @throws ApiError 400 */
export function parseCborApply(bytes: Buffer): Json {
  try {
    return parseCbor(bytes);
  } catch (error) {
    if (error instanceof CborError) throw errors.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
