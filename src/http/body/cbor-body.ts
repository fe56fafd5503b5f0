// CBOR request bodies. They become the same values as JSON bodies and are decoded in the same way; errors use the words
// of Kubernetes' CBOR decoder. Duplicate members always make a body invalid, regardless of field validation.

import type { Buffer } from 'node:buffer';
import { CborError, cborTypeName } from '../../api/cbor-form.ts';
import { type CborPlace, locateInCbor, parseCbor, readCborMember } from '../../api/cbor-reader.ts';
import { errors } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import type { Json } from '../../api/object.ts';
import type { TypeNames } from '../../api/protobuf-envelope.ts';
import type { DecodeError } from '../../schema/decode.ts';
import { unreadable, unrecognized } from '../../verbs/body-errors.ts';
import { nothingRepeated, type RequestBody } from '../../verbs/resource-request.ts';
import { bodyExcerpt } from './protobuf-body.ts';

/** @throws ApiError 400 for malformed CBOR or duplicate members */
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
    if (isObject(value)) return value;
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

/** Whether the initial byte of a float occurs anywhere; it may be part of something else. */
function mayHoldFloats(bytes: Buffer): boolean {
  return FLOAT_HEADS.some((head) => bytes.includes(head));
}

/** Any text stands for a float, because the message names its type and not its value. */
function floatAt(bytes: Buffer, path: string): string | undefined {
  const place = locateInCbor(bytes, path);
  return place !== undefined && FLOAT_HEADS.includes(place.first) ? 'float' : undefined;
}

/** The kind and version of a body whose value cannot be decoded. */
function namesIn(bytes: Buffer, expected: TypeNames): TypeNames {
  const [kind, apiVersion] = ['kind', 'apiVersion'].map((name) => readCborMember(bytes, name));
  return {
    kind: typeof kind === 'string' && kind !== '' ? kind : expected.kind,
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected.apiVersion,
  };
}

/** Why a value does not have the type of its field. */
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

/** The applied configuration in a CBOR body. @throws ApiError 400 */
export function parseCborApply(bytes: Buffer): Json {
  try {
    return parseCbor(bytes);
  } catch (error) {
    if (error instanceof CborError) throw errors.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
