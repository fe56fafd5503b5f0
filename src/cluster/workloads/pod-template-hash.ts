// The hash of a pod template, by which names and labels tell revisions of a workload apart. It depends on the content
// alone, not on the order of members; its value is not that of kube-controller-manager, which hashes Go's memory.

import type { Json } from '../../api/object.ts';

const FNV_OFFSET = 2166136261;
const FNV_PRIME = 16777619;
/** Letters and digits that form no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short text for a template, or any other content.
 *
 * @param collisions how many other contents with the same hash were met
 */
export function contentHash(content: unknown, collisions = 0): string {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(canonical(content as Json) + (collisions === 0 ? '' : String(collisions)))) {
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  }
  return safeText(String(hash >>> 0));
}

/** The text in an alphabet without vowels, as Kubernetes writes its hashes. */
function safeText(text: string): string {
  return Array.from(text, (each) => ALPHABET[each.charCodeAt(0) % ALPHABET.length]).join('');
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object')
    return typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
}
