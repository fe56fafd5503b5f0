// Decoder of JSON values to values of a declared type, with the rules of Go's decoder for Kubernetes types. The result
// is in Go's canonical form: fields in declaration order, empty ones omitted or written as the type requires.
// Independent of defaults and validation.

import type { JsonObject } from '../api/object.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { NOTHING, readerOf } from './decode-readers.ts';
import { reading } from './decode-slices.ts';
import { type DecodeOptions, DecodeState } from './decode-state.ts';
import type { DocumentReading, StructNode } from './node.ts';

export { DecodeError, type DecodeOptions, type EmptyMember } from './decode-state.ts';

/** `unknown` has at most limits.strictErrors paths; fewer `keys` than in the text mean a duplicate member. */
type Decoded = DocumentReading;

/**
 * Decodes a document of a declared type. Null is the zero value.
 *
 * @throws DecodeError for the first value of a wrong type, with Kubernetes' message
 */
export function decodeObject(node: StructNode, value: unknown, options: DecodeOptions = {}): Decoded {
  if (node.decoding !== undefined) return atOnce(node.decoding(value ?? {}, options));
  const state = new DecodeState(node, options);
  const decoded = readerOf(node)(value ?? NOTHING, state);
  state.end();
  return { value: decoded as JsonObject, unknown: state.unknown, keys: state.keys };
}

/** Like decodeObject, in slices. @throws DecodeError */
export function* decodingObject(node: StructNode, value: unknown, options: DecodeOptions = {}): Steps<Decoded> {
  if (node.decoding !== undefined) return yield* node.decoding(value ?? {}, options);
  const state = new DecodeState(node, options);
  const decoded = yield* reading(node, value ?? NOTHING, state);
  state.end();
  return { value: decoded as JsonObject, unknown: state.unknown, keys: state.keys };
}
