// Reading and writing objects whose versions a webhook converts: they are prepared before they are read, and converted
// before they are written. For other resources nothing here waits.

import type { Buffer } from 'node:buffer';
import { ApiError, errors } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { atOnce, inTurns } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredConversion } from '../resources/stored-form.ts';
import type { StoredObject } from './resource-request.ts';
import { encodeObject, encodeStored, encodingStored } from './stored-form.ts';

/** Prepares stored objects for reading; undefined if they already are. @throws ApiError 500 */
export function prepareStored({ storedForm }: ResourceDefinition, stored: Iterable<StoredObject>): Soon<void> {
  return storedForm?.conversion?.prepare(stored);
}

/**
 * Like prepareStored, for lists and watches, which clients try again.
 * @throws ApiError 429 while the webhook cannot convert, as for a cache of kube-apiserver that cannot be filled
 */
export async function prepareCollection(
  { storedForm, storage: { kind } }: ResourceDefinition,
  apiVersion: string,
  stored: Iterable<StoredObject>,
): Promise<void> {
  try {
    await storedForm?.conversion?.prepare(stored);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failed = `failed to list ${apiVersion}, Kind=${kind}: ${error.message}`;
    throw errors.tooManyRequests(`storage is (re)initializing: ${failed}`, 1);
  }
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
  if (storedForm !== undefined) atOnce(storedForm.writing(converted));
  return encodeObject({ kind, apiVersion }, converted, true);
}
