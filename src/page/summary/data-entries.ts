// The entries of a ConfigMap or a Secret, decoded.

import { entriesAt } from '../relations/members.ts';

export interface DataEntry {
  readonly name: string;
  readonly bytes: number;
  /** Undefined for bytes that are not UTF-8. */
  readonly text: string | undefined;
}

/** Returns the entries by name; undefined for objects of other kinds (group and plural name). */
export function entriesOfData(kind: string, object: unknown): readonly DataEntry[] | undefined {
  if (kind !== '/configmaps' && kind !== '/secrets') return undefined;
  const isText = kind === '/configmaps';
  const plain = entriesAt(object, 'data').map(([name, value]) =>
    isText ? plainEntry(name, value) : encodedEntry(name, value),
  );
  const binary = isText ? entriesAt(object, 'binaryData').map(([name, value]) => encodedEntry(name, value)) : [];
  return [...plain, ...binary].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function plainEntry(name: string, value: unknown): DataEntry {
  const text = String(value);
  return { name, bytes: new TextEncoder().encode(text).length, text };
}

function encodedEntry(name: string, value: unknown): DataEntry {
  const bytes = Uint8Array.from(atob(String(value)), (letter) => letter.charCodeAt(0));
  try {
    return { name, bytes: bytes.length, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { name, bytes: bytes.length, text: undefined };
  }
}
