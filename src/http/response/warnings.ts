// Warning headers: `299 - "text"`, each text once, with Kubernetes' limits.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';

/** The values of the Warning headers for these texts. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter(isPrintable);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= limits.warningsTotalCharacters) return texts.map(header);
  const kept: string[] = [];
  let left = limits.warningsTotalCharacters;
  for (const text of texts) {
    const cut = text.slice(0, limits.warningCharacters);
    if (cut.length > left) break;
    left -= cut.length;
    kept.push(header(cut));
  }
  return kept;
}

/** Texts are sent as UTF-8. Node's headers are strings with one character per byte and reject other characters. */
function header(text: string): string {
  return Buffer.from(`299 - ${JSON.stringify(text)}`, 'utf8').toString('latin1');
}

/** Kubernetes omits texts that are empty or contain control characters. */
function isPrintable(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text);
}
