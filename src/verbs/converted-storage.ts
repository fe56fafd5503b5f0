// Objects whose versions somebody else converts, who has to be waited for, on their way out of the store and into it:
// made ready before they are read, converted before they are written. Where nobody has to be waited for, nothing here
// waits.

import type { Buffer } from 'node:buffer';
import { apiVersionOf } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { inTurns } from '../base/steps.ts';
import type { ResourceDefinition, StoredConversion } from '../resources/definition.ts';
import type { StoredObject } from './resource-request.ts';
import { encodeObject, encodeStored, encodingStored } from './stored-form.ts';

/** Makes stored objects ready to be read; undefined, at once, where they are. @throws ApiError 500 */
export function prepareStored({ storedForm }: ResourceDefinition, stored: Iterable<StoredObject>): Soon<void> {
  return storedForm?.conversion?.prepare(stored);
}

/**
 * As encodeStored, in the version that is stored.
 * @param turn of a request that is long
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
