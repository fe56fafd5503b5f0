// Quick reading of a stored CustomResourceDefinition without its schemas, which make up nearly all of it: the rest
// determines everything that is served, except how objects are decoded.

import { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored, objectEnd } from '../verbs/stored-form.ts';

/** A key with this name: inside a string its quotes would be escaped. */
const SCHEMA = '"openAPIV3Schema":{';
const EMPTY = Buffer.from('{}');

/** Several controllers read each version of a definition. */
const outlines = new WeakMap<Buffer, ApiObject>();

/** The definition with empty schemas, including its resourceVersion; shared, so it must not be modified. */
export function definitionOutline(stored: StoredObject): ApiObject {
  const known = outlines.get(stored.bytes);
  if (known !== undefined) return known;
  const outline = readOutline(stored);
  outlines.set(stored.bytes, outline);
  return outline;
}

function readOutline({ bytes, revision }: StoredObject): ApiObject {
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
