// Quick tests of an object's stored bytes, without decoding: controllers see every write, and few are relevant. JSON
// keys have quotes, which are escaped inside strings, so a match is always a key.

import type { Buffer } from 'node:buffer';
import type { StoredObject } from '../verbs/resource-request.ts';
import { metadataIn, metadataOffset } from '../verbs/stored-form.ts';

/** Whether the object may be marked for deletion; an embedded object with metadata may cause a false positive. */
export function mayBeDeleting({ bytes }: StoredObject): boolean {
  return bytes.includes('"deletionTimestamp":"');
}

/** Whether the object may have owners. */
export function mayHaveOwners({ bytes }: StoredObject): boolean {
  return bytes.includes('"ownerReferences":[');
}

/** UIDs behind other members of metadata, which are as long as their objects are. */
const readUids = new WeakMap<Buffer, string>();

/** The object's UID. */
export function uidOf({ bytes }: StoredObject): string {
  const start = metadataOffset(bytes);
  const mark = bytes.indexOf(UID_MARK, start);
  // In custom objects, owners and labels come before it, which may have members of that name.
  if (mark >= 0 && !bytes.subarray(start, mark).includes('{')) return textAfter(bytes, mark + UID_MARK.length);
  const known = readUids.get(bytes);
  if (known !== undefined) return known;
  const { uid = '' } = metadataIn(bytes);
  readUids.set(bytes, uid);
  return uid;
}

const UID_MARK = '"uid":"';

/** When an object of a built-in kind was created, in milliseconds since the epoch; NaN if unknown. */
export function creationMs({ bytes }: StoredObject): number {
  const mark = bytes.indexOf(CREATION_MARK);
  return mark < 0 ? Number.NaN : Date.parse(textAfter(bytes, mark + CREATION_MARK.length));
}

const CREATION_MARK = '"creationTimestamp":"';

/** The text of a value up to its closing quote. */
function textAfter(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf('"', start));
}
