// HTML escaping of names and paths from clients, as in kube-apiserver.

import { lookup } from './lookup.ts';

const ENTITIES: Readonly<Record<string, string>> = lookup({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });

/** Quotation marks are not escaped. */
export function htmlEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}
