// Protobuf request bodies: opens the envelope and decodes its content by the type that it names. Whether that type
// matches the path is checked later, as for JSON.

import type { Buffer } from 'node:buffer';
import { type Envelope, readEnvelope, type TypeNames } from '../../api/protobuf-envelope.ts';
import { DeleteOptions } from '../../resources/builtin/meta/v1.ts';
import { typeInRelease } from '../../schema/declared-struct.ts';
import type { StructNode } from '../../schema/node.ts';
import { decodeProtobuf, OpaqueError, ProtobufError } from '../../schema/protobuf-decode.ts';
import { unreadable, unrecognized } from '../../verbs/body-errors.ts';
import { nothingRepeated, type RequestBody } from '../../verbs/resource-request.ts';
import { BodyAbortedError } from '../exchange/transport.ts';
import { anyProtobufType } from '../response/protobuf-bytes.ts';

const EXCERPT = 30;

/** The type that the path expects, in a minor release of Kubernetes 1. */
type Expected = TypeNames & { readonly minor: number };

/**
 * Reads a body.
 * @param expected the type of a body that does not state it
 * @throws ApiError 400 for bytes that are not an object in its envelope, or not of the stated type
 * @throws BodyAbortedError for a RawExtension that is not JSON
 */
export async function parseProtobufBody(bytes: Buffer, expected: Expected): Promise<RequestBody> {
  const envelope = openEnvelope(bytes, expected.kind);
  const kind = envelope.kind === '' ? expected.kind : envelope.kind;
  const apiVersion = envelope.apiVersion === '' ? expected.apiVersion : envelope.apiVersion;
  const names = { kind, apiVersion };
  const value = { ...names, ...decode(envelope, { names, expected, type: await typeOf(names, expected.minor) }) };
  // Protobuf has neither unknown nor duplicate fields that strict decoding would report.
  return { value, excerpt: bodyExcerpt(bytes), repeated: nothingRepeated };
}

function openEnvelope(bytes: Buffer, kind: string): Envelope {
  try {
    return readEnvelope(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) throw unrecognized(kind, error.message, bodyExcerpt(bytes));
    throw error;
  }
}

interface Decoding {
  readonly names: TypeNames;
  readonly expected: TypeNames;
  readonly type: StructNode | undefined;
}

/** Kinds that the path does not accept are not decoded: their names suffice for the error. */
function decode({ raw }: Envelope, { names, expected, type }: Decoding): object {
  const faulty = (why: string) => unreadable({ ...names, definition: expected, why });
  if (expected.kind === 'DeleteOptions' && names.kind !== expected.kind) return {};
  if (type === undefined) {
    if (names.kind !== expected.kind || names.apiVersion !== expected.apiVersion) return {};
    throw faulty(`${names.kind} has no protobuf form`);
  }
  try {
    return decodeProtobuf(type, raw, { isBody: true });
  } catch (error) {
    // No answer, as from kube-apiserver, which panics when it compares such an object with its managed fields.
    if (error instanceof OpaqueError) throw new BodyAbortedError(error.message);
    if (error instanceof ProtobufError) throw faulty(error.message);
    throw error;
  }
}

/** Every group has DeleteOptions, including groups of custom resources. */
async function typeOf(names: TypeNames, minor: number): Promise<StructNode | undefined> {
  return names.kind === 'DeleteOptions' ? typeInRelease(DeleteOptions, minor) : anyProtobufType(names, minor);
}

/** The beginning of a body as quoted in messages: as text if it may be JSON, otherwise in hexadecimal. */
export function bodyExcerpt(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const shown = bytes.toString(bytes[0] === OPENING_BRACE ? 'utf8' : 'hex', 0, EXCERPT);
  return bytes.length > EXCERPT ? `${shown} ...` : shown;
}

const OPENING_BRACE = 0x7b;
