// The characters of a YAML body: UTF-8, or UTF-16 behind a byte order mark. Kubernetes' parser reads it in pieces, so
// that a fault of the encoding is only met where the parser gets that far; it is then the error, whatever else is wrong
// in that piece.

import { isHighSurrogate, isLowSurrogate } from '../base/surrogates.ts';
import { YamlError } from './yaml-error.ts';

export interface YamlText {
  /** The characters before the fault. */
  readonly text: string;
  readonly fault: EncodingFault | undefined;
}

export interface EncodingFault {
  readonly error: YamlError;
  /** The position in `text` at which the piece begins that has the fault. */
  readonly from: number;
}

/** Bytes that are not characters. */
interface Undecodable {
  /** The first of them. */
  readonly at: number;
  readonly problem: string;
}

interface Encoding {
  decode(bytes: Uint8Array): string;
  /** Of the bytes of a character. */
  bytesOf(text: string): number;
  /** How many bytes at an end of a piece are the beginning of a character. */
  begun(bytes: Uint8Array, end: number): number;
  /** What is wrong with bytes that cannot be decoded. */
  problem(bytes: Uint8Array): Undecodable;
}

/** What the parser reads at once, in bytes. */
const PIECE_BYTES = 512;
/** What is searched for a fault at once, which is known to be in it. */
const SEARCHED_BYTES = 4096;
/** Characters that are not allowed anywhere in a text. */
const CONTROL = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const LITTLE_ENDIAN_MARK = 0xfffe;
const BIG_ENDIAN_MARK = 0xfeff;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

const utf8: Encoding = {
  decode: (bytes) => strictUtf8.decode(bytes),
  bytesOf: (text) => encoder.encode(text).length,
  begun(bytes, end) {
    for (let back = 1; back <= 3 && back <= end; back++) {
      const width = widthOf(bytes[end - back]!);
      if (width > 0) return width > back ? back : 0;
    }
    return 0;
  },
  problem: utf8Problem,
};

/** Decodes a body; of a text that has been decoded only the characters are checked. */
export function yamlText(source: Uint8Array | string): YamlText {
  const bytes = typeof source === 'string' ? undefined : source;
  const mark = bytes !== undefined && bytes.length >= 2 ? (bytes[0]! << 8) | bytes[1]! : 0;
  const isUtf16 = mark === LITTLE_ENDIAN_MARK || mark === BIG_ENDIAN_MARK;
  const encoding = isUtf16 ? utf16(mark === LITTLE_ENDIAN_MARK) : utf8;
  let text: string;
  let undecodable: Undecodable | undefined;
  try {
    text = typeof source === 'string' ? source : encoding.decode(source);
  } catch {
    undecodable = encoding.problem(source as Uint8Array);
    text = encoding.decode((source as Uint8Array).subarray(0, undecodable.at));
  }
  const control = CONTROL.exec(text);
  if (control !== null) {
    text = text.slice(0, control.index);
    undecodable = { at: encoding.bytesOf(text), problem: 'control characters are not allowed' };
  }
  if (undecodable === undefined) return { text, fault: undefined };
  const error = new YamlError(`yaml: ${undecodable.problem}`);
  const all = bytes ?? encoder.encode(text);
  // The parser does not know that a text ends until it needs more of it.
  const isCutOff = undecodable.problem.startsWith('incomplete');
  const from = isCutOff
    ? text.length
    : encoding.decode(all.subarray(0, pieceStart(all, undecodable.at, encoding))).length;
  return { text, fault: { error, from } };
}

/** Where the piece begins, in bytes, that contains the byte at a position. */
function pieceStart(bytes: Uint8Array, at: number, encoding: Encoding): number {
  let start = 0;
  for (;;) {
    const end = start + PIECE_BYTES;
    if (at < end) return start;
    const next = end - encoding.begun(bytes, end);
    if (at < next) return start;
    start = next;
  }
}

/** The bytes of a character of UTF-8 by the first of them; 0 for one that begins none. */
function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc0 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf8 ? 4 : 0;
}

function utf8Problem(bytes: Uint8Array): Undecodable {
  let start = 0;
  for (;;) {
    const end = Math.min(bytes.length, start + SEARCHED_BYTES);
    const whole = end < bytes.length ? end - utf8.begun(bytes, end) : end;
    try {
      strictUtf8.decode(bytes.subarray(start, whole));
      start = whole;
    } catch {
      return problemAfter(bytes, start);
    }
  }
}

/** The first problem at or behind a position at which a character begins. */
function problemAfter(bytes: Uint8Array, start: number): Undecodable {
  for (let at = start; ; ) {
    const width = widthOf(bytes[at] ?? 0);
    if (width === 0) return { at, problem: 'invalid leading UTF-8 octet' };
    if (at + width > bytes.length) return { at, problem: 'incomplete UTF-8 octet sequence' };
    let point = width === 1 ? bytes[at]! : bytes[at]! & (0xff >> (width + 1));
    for (let more = 1; more < width; more++) {
      const octet = bytes[at + more]!;
      if ((octet & 0xc0) !== 0x80) return { at, problem: 'invalid trailing UTF-8 octet' };
      point = (point << 6) | (octet & 0x3f);
    }
    const least = [0, 0, 0x80, 0x800, 0x10000][width]!;
    if (point < least) return { at, problem: 'invalid length of a UTF-8 sequence' };
    if ((point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff) return { at, problem: 'invalid Unicode character' };
    at += width;
  }
}

/** UTF-16 behind its mark, which is a part of the bytes and of the text. */
function utf16(isLittleEndian: boolean): Encoding {
  const decoder = new TextDecoder(isLittleEndian ? 'utf-16le' : 'utf-16be', { fatal: true, ignoreBOM: true });
  const unit = (bytes: Uint8Array, at: number): number =>
    isLittleEndian ? bytes[at]! | (bytes[at + 1]! << 8) : (bytes[at]! << 8) | bytes[at + 1]!;
  return {
    decode: (bytes) => decoder.decode(bytes),
    bytesOf: (text) => 2 * text.length,
    begun: (bytes, end) => (isHighSurrogate(unit(bytes, end - 2)) ? 2 : 0),
    problem(bytes) {
      for (let at = 0; ; at += 2) {
        if (at + 2 > bytes.length) return { at, problem: 'incomplete UTF-16 character' };
        const value = unit(bytes, at);
        if (isLowSurrogate(value)) return { at, problem: 'unexpected low surrogate area' };
        if (!isHighSurrogate(value)) continue;
        if (at + 4 > bytes.length) return { at, problem: 'incomplete UTF-16 surrogate pair' };
        if (!isLowSurrogate(unit(bytes, at + 2))) return { at, problem: 'expected low surrogate area' };
        at += 2;
      }
    },
  };
}
