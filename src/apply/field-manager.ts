// Field manager of a write: the fieldManager parameter, or the first product in the User-Agent header.

import { limits } from '../base/limits.ts';

/** Of requests with neither. */
const UNKNOWN = 'unknown';

export function fieldManagerOf(write: { readonly fieldManager: string; readonly userAgent: string }): string {
  return write.fieldManager || programOf(write.userAgent) || UNKNOWN;
}

/**
 * The user agent up to its first slash, without unprintable characters, truncated to the maximum length of a field
 * manager.
 */
function programOf(userAgent: string): string {
  const slash = userAgent.indexOf('/');
  const head = slash < 0 ? userAgent : userAgent.slice(0, slash);
  if (head.length <= limits.fieldManagerBytes && /^[ -~]*$/.test(head)) return head;
  let program = '';
  let bytes = 0;
  for (const character of head) {
    if (!isPrintable(character)) continue;
    bytes += byteLength(character);
    if (bytes > limits.fieldManagerBytes) break;
    program += character;
  }
  return program;
}

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

/** The bytes of one character in UTF-8. */
function byteLength(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
