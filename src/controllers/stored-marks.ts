// Quick tests of an object's stored bytes, without decoding: controllers see every write, and few are relevant. JSON
// keys have quotes, which are escaped inside strings, so a match is always a key.

import type { Buffer } from 'node:buffer';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';

/** Whether the object may be marked for deletion; an embedded object with metadata may cause a false positive. */
export function mayBeDeleting({ bytes }: StoredObject): boolean {
  return bytes.includes('"deletionTimestamp":"');
}

/** Whether the object may have owners. */
export function mayHaveOwners({ bytes }: StoredObject): boolean {
  return bytes.includes('"ownerReferences":[');
}

/** The object's UID. */
export function uidOf(object: StoredObject): string {
  return textMember(object.bytes, 'uid') ?? decodeStored(object).metadata.uid ?? '';
}

/** When the object was created, in milliseconds since the epoch; NaN if unknown. */
export function creationMs(object: StoredObject): number {
  return Date.parse(textMember(object.bytes, 'creationTimestamp') ?? '');
}

/** The first member with this name, which in the stored form belongs to metadata. */
function textMember(bytes: Buffer, name: string): string | undefined {
  const mark = `"${name}":"`;
  const start = bytes.indexOf(mark);
  if (start < 0) return undefined;
  const end = bytes.indexOf('"', start + mark.length);
  return bytes.toString('utf8', start + mark.length, end);
}
