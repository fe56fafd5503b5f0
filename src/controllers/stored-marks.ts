// Quick tests of an object's stored bytes, without decoding: controllers see every write, and few are relevant. JSON
// keys have quotes, which are escaped inside strings, so a match is always a key.

import type { StoredObject } from '../verbs/resource-request.ts';
import { textAfter } from '../verbs/stored-uid.ts';

/** Whether the object may be marked for deletion; an embedded object with metadata may cause a false positive. */
export function mayBeDeleting({ bytes }: StoredObject): boolean {
  return bytes.includes('"deletionTimestamp":"');
}

/** Whether the object may have owners. */
export function mayHaveOwners({ bytes }: StoredObject): boolean {
  return bytes.includes('"ownerReferences":[');
}

/** When an object of a built-in kind was created, in milliseconds since the epoch; NaN if unknown. */
export function creationMs({ bytes }: StoredObject): number {
  const mark = bytes.indexOf(CREATION_MARK);
  return mark < 0 ? Number.NaN : Date.parse(textAfter(bytes, mark + CREATION_MARK.length));
}

const CREATION_MARK = '"creationTimestamp":"';
