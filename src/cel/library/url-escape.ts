// Percent-encoding in the parts of a URL, with the rules of Go's net/url, which are close to RFC 3986.

import { byteLength } from '../../base/byte-length.ts';
import { goQuote } from '../../base/go-quote.ts';

/** The parts of a URL, which have different escaping rules. */
export type UrlPart = 'path' | 'host' | 'zone' | 'userinfo' | 'query' | 'fragment';

/** Why a text is not a URL. */
export class UrlFault {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const PERCENT = 0x25;
const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~';
const HOST = `${UNRESERVED}!$&'()*+,;=:[]<>"`;

/** Characters that are written unescaped in a part. */
const PLAIN: Readonly<Record<UrlPart, ReadonlySet<number>>> = Object.freeze({
  path: bytesOf(`${UNRESERVED}$&+,/:;=@`),
  host: bytesOf(HOST),
  zone: bytesOf(HOST),
  userinfo: bytesOf(`${UNRESERVED}$&+,;=`),
  query: bytesOf(UNRESERVED),
  fragment: bytesOf(`${UNRESERVED}$&+,/:;=?@!()*`),
});
/** Additional characters that may be unescaped in text that was already written. */
const TOLERATED = bytesOf("!$&'()*+,;=:@[]%");

function bytesOf(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (character) => character.charCodeAt(0)));
}

/** Returns the part escaped for a URL. */
export function escapePart(text: string, part: UrlPart): string {
  let escaped = '';
  for (const byte of new TextEncoder().encode(text)) {
    if (PLAIN[part].has(byte)) escaped += String.fromCharCode(byte);
    else if (byte === 0x20 && part === 'query') escaped += '+';
    else escaped += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Whether a part as written needs no further escapes. */
export function isEscapedWell(text: string, part: UrlPart): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!TOLERATED.has(code) && !PLAIN[part].has(code)) return false;
  }
  return true;
}

/**
 * Unescapes a part. Bytes that are not UTF-8 become U+FFFD.
 * @throws UrlFault for invalid escapes, and in hosts for characters that are not allowed, escaped or not
 */
export function unescapePart(text: string, part: UrlPart): string {
  const isEscaped = text.includes('%');
  if (isEscaped || part === 'host' || part === 'zone') checkEscapes(text, part);
  const spaced = part === 'query' ? text.replaceAll('+', ' ') : text;
  if (!isEscaped) return spaced;
  const bytes: number[] = [];
  const encoded = new TextEncoder().encode(spaced);
  for (let index = 0; index < encoded.length; index++) {
    const byte = encoded[index] as number;
    if (byte === PERCENT) {
      bytes.push(Number.parseInt(String.fromCharCode(encoded[index + 1] as number, encoded[index + 2] as number), 16));
      index += 2;
    } else {
      bytes.push(byte);
    }
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

function checkEscapes(text: string, part: UrlPart): void {
  const isHost = part === 'host' || part === 'zone';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === PERCENT) {
      const found = text.slice(index, index + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(found)) throw badEscape(threeBytes(found));
      if (!isEscapable(found, part)) throw badEscape(found);
      index += 2;
    } else if (isHost && code < 0x80 && !PLAIN[part].has(code)) {
      throw new UrlFault(`invalid character ${goQuote(text[index] as string)} in host name`);
    }
  }
}

/**
 * In a host, only non-ASCII characters and the percent sign may be escaped; in a zone, also the unescaped characters
 * and the space.
 */
function isEscapable(found: string, part: UrlPart): boolean {
  if (found === '%25') return true;
  const byte = Number.parseInt(found.slice(1), 16);
  if (part === 'host') return byte >= 0x80;
  return part !== 'zone' || byte === 0x20 || PLAIN.host.has(byte);
}

/** As much of a text as fits three bytes of UTF-8. */
function threeBytes(text: string): string {
  let end = text.length;
  while (byteLength(text.slice(0, end)) > 3) end--;
  return text.slice(0, end);
}

function badEscape(text: string): UrlFault {
  return new UrlFault(`invalid URL escape ${goQuote(text)}`);
}
