// Metadata of stored custom objects, of which other writers of the store may have left anything: what is malformed or
// unknown is not shown, as in Kubernetes, so that it does not keep clients from reading and updating the rest.

import { isObject } from '../../api/is-object.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { DecodeError } from '../decode.ts';
import type { StructNode } from '../node.ts';
import { readMetadata } from './embedded-objects.ts';

const TEXTS: ReadonlySet<string> = new Set([
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'],
  ...['creationTimestamp', 'deletionTimestamp'],
]);
const NUMBERS: ReadonlySet<string> = new Set(['generation', 'deletionGracePeriodSeconds']);
const MAPS: ReadonlySet<string> = new Set(['labels', 'annotations']);

/**
 * Whether metadata certainly has the fields and types that it should have; a quick test, because nearly all has. Lists
 * written by this server have been decoded before.
 */
export function isPlainMetadata(metadata: Json | undefined): boolean {
  if (!isObject(metadata)) return false;
  for (const name in metadata) {
    const value = metadata[name] as Json | undefined;
    // An object that is about to be stored may have members that are absent.
    if (value === undefined) continue;
    if (TEXTS.has(name)) {
      if (typeof value !== 'string') return false;
    } else if (NUMBERS.has(name)) {
      if (!Number.isSafeInteger(value)) return false;
    } else if (MAPS.has(name)) {
      if (!isObject(value)) return false;
      for (const key in value) if (typeof value[key] !== 'string') return false;
    } else if (name === 'finalizers') {
      if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return false;
    } else if (name !== 'ownerReferences' && name !== 'managedFields') return false;
  }
  return true;
}

/** The valid fields of metadata; a map with a wrong value is invalid as a whole. */
export function validMetadata(metadata: Json | undefined, objectMeta: StructNode): JsonObject {
  if (!isObject(metadata)) return {};
  const whole = decoded(metadata, objectMeta);
  if (whole !== undefined) return whole;
  const fields = Object.entries(metadata).filter(
    ([name, value]) => decoded({ [name]: value as Json }, objectMeta) !== undefined,
  );
  return decoded(Object.fromEntries(fields) as JsonObject, objectMeta) ?? {};
}

function decoded(metadata: JsonObject, objectMeta: StructNode): JsonObject | undefined {
  try {
    // Reading modifies what it reads.
    return readMetadata(copyJson(metadata), objectMeta, 'metadata').value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
