// The UID of a stored object, read from its bytes: few of the objects that are asked for theirs are decoded.

import type { Buffer } from 'node:buffer';
import { metadataIn, metadataOffset } from './stored-form.ts';

/** UIDs behind other members of metadata, which are as long as their objects are. */
const readUids = new WeakMap<Buffer, string>();

/** The object's UID. */
export function uidOf({ bytes }: { readonly bytes: Buffer }): string {
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

/** The text of a value up to its closing quote. */
export function textAfter(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf('"', start));
}
