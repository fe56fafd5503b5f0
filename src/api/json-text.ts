// The text of a JSON document. Bytes that are not UTF-8 become U+FFFD, as in Go, but a message about the first of them
// that is not within a string quotes the byte itself: it is kept as an unpaired surrogate, which no UTF-8 contains.

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const REPLACEMENT = '\ufffd';
const KEPT_BYTE = 0xdc00;
const FIRST_OF_REPLACEMENT = 0xef;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The text of UTF-8 bytes; invalid bytes become U+FFFD. A byte order mark is kept. */
export function utf8Text(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** The text of a JSON document. A byte order mark is kept, because JSON rejects it. */
export function jsonText(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (!text.includes(REPLACEMENT)) return text;
  const place = firstOutsideOfStrings(text);
  const byte = place < 0 ? FIRST_OF_REPLACEMENT : firstByteAt(bytes, place);
  if (byte === FIRST_OF_REPLACEMENT) return text;
  return text.slice(0, place) + String.fromCharCode(KEPT_BYTE + byte) + text.slice(place + 1);
}

/** The byte that a character stands for; undefined for any other character. */
export function keptByte(code: number): number | undefined {
  return code > KEPT_BYTE + 0x7f && code <= KEPT_BYTE + 0xff ? code - KEPT_BYTE : undefined;
}

/** The place of the first U+FFFD that is not within a string; -1 if there is none. */
function firstOutsideOfStrings(text: string): number {
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (code === BACKSLASH && isInString) at++;
    else if (code === 0xfffd && !isInString) return at;
  }
  return -1;
}

const BYTES_AT_ONCE = 4_096;

/** The first byte of the character at this place of the text. */
function firstByteAt(bytes: Uint8Array, place: number): number {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = 0;
  let units = 0;
  // A character may need bytes of two chunks, and ends in the later one.
  for (; bytes.length - at > BYTES_AT_ONCE; at += BYTES_AT_ONCE) {
    const ahead = utf8Text(bytes.subarray(at, at + BYTES_AT_ONCE)).length;
    if (units + ahead >= place) break;
    units += decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true }).length;
  }
  for (let start = at; at < bytes.length; at++) {
    const { length } = decoder.decode(bytes.subarray(at, at + 1), { stream: true });
    if (length === 0) continue;
    if (units + length > place) return bytes[place === units ? start : at] as number;
    units += length;
    start = at + 1;
  }
  // The text ends within a character.
  return bytes.findLast((byte) => byte >= 0xc0) as number;
}
