// Encoder of long JSON to bytes, in slices.

import { Buffer } from 'node:buffer';
import { escapeHtml } from '../api/json-writer.ts';
import { endOfPiece, type LongJsonOptions, longJson } from '../api/long-json-writer.ts';
import type { Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';

interface JsonBytesOptions extends LongJsonOptions {
  /** Text that follows. */
  readonly end?: string;
  /** Whether characters are escaped that mean something in HTML. */
  readonly escapesHtml?: boolean;
}

/** The bytes of a value's JSON in a buffer of their own. */
export function* encodingJson(value: Json, options: JsonBytesOptions = {}): Steps<Buffer> {
  const { end: last, escapesHtml = false } = options;
  const pieces = yield* longJson(value, options);
  if (last !== undefined) pieces.push(last);
  const encoded: Buffer[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const end = endOfPiece(piece, at + limits.jsonPieceCharacters);
      const text = piece.slice(at, end);
      encoded.push(Buffer.from(escapesHtml ? escapeHtml(text) : text));
      at = end;
      yield;
    }
  }
  const bytes = Buffer.allocUnsafeSlow(encoded.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of encoded) at += piece.copy(bytes, at);
  return bytes;
}
