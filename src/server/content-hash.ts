// The form in which metrics identify a configuration or a key without revealing it.

import { createHash } from 'node:crypto';

/** `sha256:…` of a text; empty for an empty one. */
export function contentHash(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
