// Warning headers: `299 - "text"`, each text once, with Kubernetes' limits.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';

/**
 * The values of the Warning headers for these texts. Once they are too long together, each is cut, and no more are told
 * when those that are cut are too long again.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter(isPrintable);
  const lengths = texts.map(charactersOf);
  let total = 0;
  const overrun = lengths.findIndex((length) => (total += length) > limits.warningsTotalCharacters);
  if (overrun < 0) return texts.map(header);
  const kept: string[] = [];
  total = 0;
  for (const [index, text] of texts.entries()) {
    if (index > overrun && total >= limits.warningsTotalCharacters) break;
    const length = lengths[index]!;
    const isLong = length > limits.warningCharacters;
    kept.push(header(isLong ? [...text].slice(0, limits.warningCharacters).join('') : text));
    total += isLong ? limits.warningCharacters : length;
  }
  return kept;
}

function charactersOf(text: string): number {
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
