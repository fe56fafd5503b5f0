// Encoder of long JSON to bytes, in slices.

import { Buffer } from 'node:buffer';
import { endOfPiece, type LongJsonOptions, longJson } from '../api/long-json-writer.ts';
import type { Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';

/** The bytes of a value's JSON in a buffer of their own. */
export function* encodingJson(value: Json, options: LongJsonOptions & { readonly end?: string } = {}): Steps<Buffer> {
  const pieces = yield* longJson(value, options);
  if (options.end !== undefined) pieces.push(options.end);
  const encoded: Buffer[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const end = endOfPiece(piece, at + limits.jsonPieceCharacters);
      encoded.push(Buffer.from(piece.slice(at, end)));
      at = end;
      yield;
    }
  }
  const bytes = Buffer.allocUnsafeSlow(encoded.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of encoded) at += piece.copy(bytes, at);
  return bytes;
}
