// Text whose characters that mean something in HTML are written as its entities, as kube-apiserver writes names and paths
// that come from clients.

import { lookup } from './lookup.ts';

const ENTITIES: Readonly<Record<string, string>> = lookup({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });

/** Quotation marks stay as they are. */
export function htmlEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}
