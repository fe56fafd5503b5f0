// Reader of JSON from bodies and from the store: JSON.parse where that tells the truth, the slow decoder where it would
// not. Also what strict field validation asks of a text: how many members it has, and which of them came twice.

import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import type { Steps } from '../base/steps.ts';
import { type DecodeJsonOptions, decodeJson, JsonDecoder, JsonError } from './json-decoder.ts';
import type { Json } from './object.ts';

export { JsonError } from './json-decoder.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Integers of fewer digits are exact as numbers. */
const LONG_DIGITS = 16;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of UTF-8 bytes; what is none becomes U+FFFD, as in Go. A byte order mark stays, for JSON refuses it. */
export function jsonText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/**
 * Reads JSON. Integers that a number cannot hold come as bigint (up to 64 bits; beyond that as numbers); half a
 * surrogate pair becomes U+FFFD; of equal members the last counts, or objects are merged when `mergeRepeated` says so.
 * A number past the largest becomes Infinity: only a schema can tell where that would be wrong.
 * @throws JsonError with the words of Go's decoder, also for what nests deeper than limits.documentDepth
 */
export function parseJson(source: Uint8Array | string, options: { readonly mergeRepeated?: boolean } = {}): Json {
  const text = typeof source === 'string' ? source : jsonText(source);
  if (options.mergeRepeated === true || needsDecoder(text)) return decodeJson(text, options);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return decodeJson(text);
  }
}

/** Whether a text may have a number past the largest: one with an exponent of three digits, or of so many itself. */
const MAY_OVERFLOW = /[eE]\+?\d{3}|(?<!\d)\d{309}/;

/**
 * What is wrong with JSON whose values have no declared types: a number past the largest, which parseJson makes
 * Infinity. Undefined where nothing is.
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

/** Lets others have their turn, where it is time for it. */
export type Pause = () => Soon<void>;

export interface LongJson {
  readonly value: Json;
  /** As `countKeys` counts them. */
  readonly keys: number;
  /** Whether a member came twice. */
  readonly repeats: boolean;
  /** Whether `floatLiterals` finds any. */
  readonly hasFloats: boolean;
}

/** As decodeJson, in steps. @throws JsonError */
export function* decodingJson(text: string, options: DecodeJsonOptions): Steps<Json> {
  const decoder = new JsonDecoder(text, options);
  while (!decoder.read(limits.jsonPieceCharacters)) yield;
  return decoder.value;
}

/**
 * Reads a text as parseJson does, in pieces between which `pause` lets others have their turn; undefined for a text too
 * short to keep anybody waiting, for which parseJson is five times as fast.
 * @throws JsonError
 */
export function parseLongJson(text: string, pause: Pause): Soon<LongJson | undefined> {
  return text.length < limits.wholeJsonCharacters ? undefined : readInPieces(text, pause);
}

async function readInPieces(text: string, pause: Pause): Promise<LongJson> {
  const decoder = new JsonDecoder(text, { infinite: true });
  while (!decoder.read(limits.jsonPieceCharacters)) await pause();
  return { value: decoder.value, keys: decoder.members, repeats: decoder.repeats, hasFloats: decoder.hasFloats };
}

/** What kube-apiserver says of a body that is not JSON, before it knows of what kind it should be. */
export function unreadableJson(error: JsonError): string {
  return `couldn't get version/kind; json parse error: ${error.message}`;
}

function needsDecoder(text: string): boolean {
  if (hasLongDigits(text)) return true;
  if (text.includes('\\u') && SURROGATE_ESCAPE.test(text)) return true;
  return text.length > 2 * limits.documentDepth && nestsTooDeep(text);
}

/** Whether sixteen digits stand in a row anywhere: a look at every sixteenth character finds such a row. */
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

/** Where the string that opens at `open` ends; -1 where it does not. */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/**
 * How many members the objects of a JSON text have, repeated ones included. A walk over the decoded value that finds
 * fewer keys tells that some came twice; only then is findDuplicateFields worth its price.
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

/** What the number at a path (`spec.replicas`) is written as, where that is with a point or an exponent. */
export type FloatLiterals = (path: string) => string | undefined;

/** A number with a point or an exponent, behind what can stand before a value and before what can follow one. */
const FLOAT = /[:,[]\s*-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)\s*[,}\]]/;

/**
 * The numbers of a JSON text that Go takes for floats, though they may be whole: JSON.parse makes 3 of 3.0. Undefined
 * when there are none, which costs one search; where they stand is found out when it is asked.
 */
export function floatLiterals(text: string): FloatLiterals | undefined {
  if (!FLOAT.test(text)) return undefined;
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

/** Paths of the duplicate members (`spec.ports[0].name`), each once, in the order of the text. */
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
 * Strict decoding's messages on a body of a built-in kind: `unknown` fields and duplicate ones in the order of the
 * text. A member that came twice and is unknown is only unknown, as is all that stands below it.
 * @param opaque paths of values that strict decoding doesn't look into
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
