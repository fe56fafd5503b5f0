// Quick tests of an object's stored bytes for controllers, without decoding: followers see every write, and few of
// these concern them. Keys in JSON stand in quotes that no string value holds unescaped, so text that is found is a
// key.

import type { Buffer } from 'node:buffer';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';

/** Whether the object may be marked for deletion; an object that holds another's metadata may only look so. */
export function mayBeDeleting({ bytes }: StoredObject): boolean {
  return bytes.includes('"deletionTimestamp":"');
}

/** Whether the object may have owners. */
export function mayHaveOwners({ bytes }: StoredObject): boolean {
  return bytes.includes('"ownerReferences":[');
}

/** The object's uid. */
export function uidOf(object: StoredObject): string {
  return textMember(object.bytes, 'uid') ?? decodeStored(object).metadata.uid ?? '';
}

/** When the object was created, in milliseconds since the epoch; NaN when it does not say. */
export function creationMs(object: StoredObject): number {
  return Date.parse(textMember(object.bytes, 'creationTimestamp') ?? '');
}

/** The first member of this name, which in the stored form is that of metadata. */
function textMember(bytes: Buffer, name: string): string | undefined {
  const mark = `"${name}":"`;
  const start = bytes.indexOf(mark);
  if (start < 0) return undefined;
  const end = bytes.indexOf('"', start + mark.length);
  return bytes.toString('utf8', start + mark.length, end);
}
