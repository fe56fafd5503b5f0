// JSON reader for bodies and stored objects: JSON.parse where its result is correct, the slow decoder otherwise. Also
// answers strict field validation: the number of members, and which are duplicates.

import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import type { Steps } from '../base/steps.ts';
import { type DecodeJsonOptions, decodeJson, JsonDecoder, JsonError } from './json-decoder.ts';
import { jsonText } from './json-text.ts';
import type { Json } from './object.ts';
import { checkWidth } from './object-width.ts';

export { JsonError } from './json-decoder.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Integers with fewer digits are exact as numbers. */
const LONG_DIGITS = 16;
/** The integer -0, which is zero; the runtime reads it like the float -0.0. */
const NEGATIVE_ZERO = /-0(?:[,}\]\s]|$)/;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON. Integers beyond a number's precision become bigint (up to 64 bits; beyond that numbers); unpaired
 * surrogates become U+FFFD; of duplicate members the last wins, or objects are merged with `mergeRepeated`. A number
 * out of range becomes Infinity: only a schema can tell where that is an error.
 * @throws JsonError with the message of Go's decoder, also above limits.documentDepth
 */
export function parseJson(source: Uint8Array | string, options: { readonly mergeRepeated?: boolean } = {}): Json {
  const text = typeof source === 'string' ? source : jsonText(source);
  if (options.mergeRepeated === true || needsDecoder(text)) return decodeJson(text, { ...options, infinite: true });
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A syntax error comes before numbers out of range, as in Go.
    return decodeJson(text, { infinite: true });
  }
}

/** Like parseJson, in slices if it is long. @throws JsonError */
export function* parsingJson(source: Uint8Array | string): Steps<Json> {
  if (source.length < limits.wholeJsonCharacters) return parseJson(source);
  const text = typeof source === 'string' ? source : jsonText(source);
  yield;
  return yield* decodingJson(text, { infinite: true });
}

/** Whether a text may contain a number out of range: one with an exponent of three digits, or that many digits. */
const MAY_OVERFLOW = /[eE]\+?\d{3}|(?<!\d)\d{309}/;

/**
 * The error in JSON without declared types: a number out of range, which parseJson turns into Infinity. Undefined if
 * there is none.
 */
export function* numberFault(text: string): Steps<JsonError | undefined> {
  if (!MAY_OVERFLOW.test(text)) return undefined;
  try {
    yield* decodingJson(text, {});
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  return undefined;
}

/** Lets other work run if it is time for it. */
export type Pause = () => Soon<void>;

export interface LongJson {
  readonly value: Json;
  /** As counted by `countKeys`. */
  readonly keys: number;
  /** Whether there is a duplicate member. */
  readonly repeats: boolean;
  /** Whether `floatLiterals` finds any. */
  readonly hasFloats: boolean;
}

/** Like decodeJson, in slices. @throws JsonError */
export function* decodingJson(text: string, options: DecodeJsonOptions): Steps<Json> {
  const decoder = new JsonDecoder(text, options);
  while (!decoder.read(limits.jsonPieceCharacters)) yield;
  return decoder.value;
}

/**
 * Parses a text like parseJson, in slices between which `pause` lets other work run; undefined for a short text, for
 * which parseJson is five times as fast.
 * @throws JsonError; ApiError 413 for an object of more than limits.objectMembers fields
 */
export function parseLongJson(text: string, pause: Pause): Soon<LongJson | undefined> {
  return text.length < limits.wholeJsonCharacters ? undefined : readInPieces(text, pause);
}

async function readInPieces(text: string, pause: Pause): Promise<LongJson> {
  const decoder = new JsonDecoder(text, { infinite: true, checkWidth });
  while (!decoder.read(limits.jsonPieceCharacters)) await pause();
  return { value: decoder.value, keys: decoder.members, repeats: decoder.repeats, hasFloats: decoder.hasFloats };
}

/** kube-apiserver's error for a body that is not JSON, before its kind is known. */
export function unreadableJson(error: JsonError): string {
  return `couldn't get version/kind; json parse error: ${error.message}`;
}

function needsDecoder(text: string): boolean {
  if (hasLongDigits(text) || NEGATIVE_ZERO.test(text)) return true;
  if (text.includes('\\u') && SURROGATE_ESCAPE.test(text)) return true;
  return text.length > 2 * limits.documentDepth && nestsTooDeep(text);
}

/**
 * Whether there are sixteen consecutive digits anywhere: looking at every sixteenth character suffices to find them.
 */
function hasLongDigits(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let first = at;
    while (isDigit(text.charCodeAt(first - 1))) first--;
    let last = at;
    while (isDigit(text.charCodeAt(last + 1))) last++;
    if (last - first >= LONG_DIGITS - 1) return true;
    at = last;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function nestsTooDeep(text: string): boolean {
  if (occurrences(text, '[') + occurrences(text, '{') <= limits.documentDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return false;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limits.documentDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** The end of the string that begins at `open`; -1 if there is none. */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/**
 * The number of members of all objects in a JSON text, including duplicates. If a walk over the decoded value finds
 * fewer, there are duplicates; only then is findDuplicateFields worth its cost.
 */
export function countKeys(text: string): number {
  let keys = 0;
  let open = text.indexOf('"');
  while (open >= 0) {
    const close = closingQuote(text, open);
    if (close < 0) break;
    let after = close + 1;
    let code = text.charCodeAt(after);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++after);
    if (code === COLON) keys++;
    open = text.indexOf('"', after);
  }
  return keys;
}

/** The literal of the number at a path (`spec.replicas`), if it has a point or an exponent or more than 64 bits. */
export type FloatLiterals = (path: string) => string | undefined;

/** A number that may be a float, between what can precede and follow a value. */
const FLOAT = /[:,[]\s*-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)\s*[,}\]]/;
/** A number that may have more than 64 bits. */
const LONG = /\d{19}/;

/**
 * The numbers of a JSON text that are floats in Go, even if integral: JSON.parse turns 3.0 into 3. Undefined if there
 * are none, which costs one search; their paths are only computed when needed.
 */
export function floatLiterals(text: string): FloatLiterals | undefined {
  if (!FLOAT.test(text) && !LONG.test(text)) return undefined;
  let literals: Map<string, string> | undefined;
  return (path) => {
    if (literals === undefined) {
      const found = new Map<string, string>();
      decodeJson(text, { infinite: true, float: (where, literal) => found.set(where, literal) });
      literals = found;
    }
    return literals.get(path);
  };
}

/** Paths of duplicate members (`spec.ports[0].name`), without repetition, in the order of the text. */
export function findDuplicateFields(text: string): string[] {
  const found = new Set<string>();
  decodeJson(text, {
    mergeRepeated: true,
    infinite: true,
    member: (path, repeated) => {
      if (repeated) found.add(path);
    },
  });
  return [...found];
}

/**
 * Messages of strict decoding for a body of a built-in kind: `unknown` and duplicate fields in the order of the text. A
 * duplicate that is unknown, or below an unknown field, is only reported as unknown.
 * @param opaque paths of values that strict decoding does not check
 */
export function* strictDecodingErrors(
  text: string,
  unknown: readonly string[],
  opaque: readonly string[] = [],
): Steps<string[]> {
  const strange = new Set(unknown);
  const closed = new Set(opaque);
  const found = new Set<string>();
  let below: string | undefined;
  yield* decodingJson(text, {
    mergeRepeated: true,
    infinite: true,
    member: (path, repeated) => {
      if (below !== undefined && isBelow(path, below)) return;
      below = undefined;
      if (strange.has(path)) {
        below = path;
        found.add(`unknown field ${JSON.stringify(path)}`);
        return;
      }
      if (closed.has(path)) below = path;
      if (repeated) found.add(`duplicate field ${JSON.stringify(path)}`);
    },
  });
  return [...found].slice(0, limits.strictErrors);
}

function isBelow(path: string, parent: string): boolean {
  const next = path[parent.length];
  return path.startsWith(parent) && (next === '.' || next === '[');
}
