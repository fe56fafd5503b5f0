// Reading and writing objects whose versions a webhook converts: they are prepared before they are read, and converted
// before they are written. For other resources nothing here waits.

import type { Buffer } from 'node:buffer';
import { apiVersionOf } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { inTurns } from '../base/steps.ts';
import type { ResourceDefinition, StoredConversion } from '../resources/definition.ts';
import type { StoredObject } from './resource-request.ts';
import { encodeObject, encodeStored, encodingStored } from './stored-form.ts';

/** Prepares stored objects for reading; undefined if they already are. @throws ApiError 500 */
export function prepareStored({ storedForm }: ResourceDefinition, stored: Iterable<StoredObject>): Soon<void> {
  return storedForm?.conversion?.prepare(stored);
}

/**
 * Like encodeStored, after converting to the stored version.
 * @param turn of a long request
 * @throws ApiError 500
 */
export function encodeForStore(definition: ResourceDefinition, object: ApiObject, turn?: Turn): Soon<Buffer> {
  const { storedForm, storage } = definition;
  const conversion = storedForm?.conversion;
  if (conversion === undefined || storedForm?.apiVersion === apiVersionOf(storage)) {
    return turn === undefined ? encodeStored(definition, object) : inTurns(encodingStored(definition, object), turn);
  }
  return encodeConverted(definition, conversion, object);
}

async function encodeConverted(
  { storedForm, storage }: ResourceDefinition,
  conversion: StoredConversion,
  object: ApiObject,
): Promise<Buffer> {
  const { kind } = storage;
  const apiVersion = storedForm?.apiVersion ?? '';
  const { resourceVersion: _version, ...metadata } = object.metadata;
  const own = { ...object, kind, apiVersion: apiVersionOf(storage), metadata };
  const converted = await conversion.convert(own, apiVersion);
  storedForm?.write(converted);
  return encodeObject({ kind, apiVersion }, converted, true);
}
