// Warning headers: `299 - "text"`, each text once, with Kubernetes' limits.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';

/**
 * The values of the Warning headers for these texts. If their total length exceeds a limit, each text is truncated; texts
 * that exceed the limit even so are dropped.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts: string[] = [];
  let total = 0;
  for (const text of new Set(warnings)) {
    if (!isPrintable(text)) continue;
    texts.push(text);
    total += charactersOf(text);
    if (total > limits.warningsTotalCharacters) return cutHeaders(texts, warnings);
  }
  return texts.map(header);
}

/** @param texts those up to the one that is too much */
function cutHeaders(texts: readonly string[], warnings: readonly string[]): string[] {
  const kept: string[] = [];
  let total = 0;
  for (const text of new Set(warnings)) {
    if (!isPrintable(text)) continue;
    if (kept.length >= texts.length && total >= limits.warningsTotalCharacters) break;
    const length = Math.min(charactersOf(text), limits.warningCharacters);
    kept.push(header(length < limits.warningCharacters ? text : startOf(text)));
    total += length;
  }
  return kept;
}

/** The first characters of a text, as many as a cut one may have. */
function startOf(text: string): string {
  return [...text.slice(0, 2 * limits.warningCharacters)].slice(0, limits.warningCharacters).join('');
}

/** The number of characters of a text, or a greater one than all may have together. */
function charactersOf(text: string): number {
  if (text.length > 2 * limits.warningsTotalCharacters) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Texts are sent as UTF-8. Node's headers are strings with one character per byte and reject other characters. */
function header(text: string): string {
  return Buffer.from(`299 - ${JSON.stringify(text)}`, 'utf8').toString('latin1');
}

/** Kubernetes omits texts that are empty or contain control characters. */
function isPrintable(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text);
}
