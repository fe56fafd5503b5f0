// Percent escapes in paths and queries, resolved in linear time whatever bytes they stand for.

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;
/** In longer texts, replacing characters one by one takes too long. */
const REPLACED_CHARACTERS = 4_096;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a text contains a malformed escape. */
export function hasBadEscape(text: string): boolean {
  return text.includes('%') && BAD_ESCAPE.test(text);
}

/** The text without escapes; undefined for a malformed one. Invalid UTF-8 in a run of escapes is replaced by U+FFFD. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return BAD_ESCAPE.test(text) ? undefined : UTF8.decode(resolved(new TextEncoder().encode(text)));
  }
}

/** The same for queries, where a plus sign stands for a blank. */
export function queryDecoded(text: string): string | undefined {
  if (!text.includes('+')) return percentDecoded(text);
  if (text.length < REPLACED_CHARACTERS) return percentDecoded(text.replaceAll('+', ' '));
  const bytes = new TextEncoder().encode(text);
  for (let at = bytes.indexOf(PLUS); at >= 0; at = bytes.indexOf(PLUS, at + 1)) bytes[at] = BLANK;
  return percentDecoded(UTF8.decode(bytes));
}

/** The escape of a byte, given as a character up to U+00FF. */
export function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Resolves valid escapes in place: in UTF-8, every percent sign is a character of its own. */
function resolved(bytes: Uint8Array): Uint8Array {
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === PERCENT) bytes[end++] = (digit(bytes[++at]) << 4) | digit(bytes[++at]);
    else bytes[end++] = byte;
  }
  return bytes.subarray(0, end);
}

function digit(code = 0): number {
  return code <= 0x39 ? code & 0x0f : (code & 0x0f) + 9;
}
