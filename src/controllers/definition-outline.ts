// A stored definition of custom resources without its schemas, which are nearly all of it: what remains says all that is
// served, but for how objects are read, and is read many times as fast.

import { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored, objectEnd } from '../verbs/stored-form.ts';

/** A member of this name: within a text its quotes would not stand like this. */
const SCHEMA = '"openAPIV3Schema":{';
const EMPTY = Buffer.from('{}');

/** The definition with empty schemas, its resourceVersion put in. */
export function definitionOutline({ bytes, revision }: StoredObject): ApiObject {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(SCHEMA); at >= 0; at = bytes.indexOf(SCHEMA, from)) {
    const start = at + SCHEMA.length - 1;
    pieces.push(bytes.subarray(from, start), EMPTY);
    from = objectEnd(bytes, start);
  }
  pieces.push(bytes.subarray(from));
  return decodeStored({ bytes: Buffer.concat(pieces), revision });
}
