// Warning headers: `299 - "text"`, each text once, bounded as Kubernetes bounds them.

import { Buffer } from 'node:buffer';
import { limits } from '../base/limits.ts';

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

/** The text goes out as UTF-8. Node's headers are texts of bytes, one character each, and refuse any other character. */
function header(text: string): string {
  return Buffer.from(`299 - ${JSON.stringify(text)}`, 'utf8').toString('latin1');
}

/** Kubernetes leaves out what is empty or has control characters. */
function isPrintable(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text);
}
