// The stored form of objects whose schema may have changed since they were written: that of custom resources.

import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';
import type { Steps } from '../base/steps.ts';
import type { StructNode } from '../schema/node.ts';

/** How objects are encoded for the store and decoded from it, if their schema may have changed since. */
export interface StoredForm {
  /** The version in which they are written. */
  readonly apiVersion: string;
  /** Applies the current schema to a stored object of any version. Modifies its argument and returns it. */
  reading(object: ApiObject): Steps<ApiObject>;
  /** Prunes an object to the stored version's schema. Modifies its argument. */
  writing(object: ApiObject): Steps<void>;
  /** The schema of a version, served or not; undefined for an unknown version. */
  schemaOf(apiVersion: string): StructNode | undefined;
  /**
   * Like `reading`, for an object that has just been written as these bytes, which its writer need not decode. Not for
   * objects that a webhook converts.
   */
  readingWritten(object: ApiObject, bytes: Uint8Array): Steps<void>;
  /** Whether reading these bytes is known to change nothing. */
  isCurrent(bytes: Uint8Array): boolean;
  /** If a webhook converts to versions other than the stored one. */
  readonly conversion?: StoredConversion | undefined;
}

/**
 * Stored objects in a version to which a webhook converts: objects are prepared before they are read, so that reading
 * itself is synchronous.
 */
export interface StoredConversion {
  /** Prepares stored objects in this version; undefined if they already are. @throws ApiError 500 */
  prepare(stored: Iterable<StoredBytes>): Soon<void>;
  /** Like `prepare`, for one object, prepared or not. @throws ApiError 500 */
  renew(stored: StoredBytes): Soon<void>;
  /** The JSON of a prepared object; undefined for one that is stored in this version. */
  known(bytes: Uint8Array): string | undefined;
  /** The selectable fields of a prepared object; undefined for one that is stored in this version. */
  fields(bytes: Uint8Array): Readonly<Record<string, string>> | undefined;
  /** An object in another version. @throws ApiError 500 */
  convert(object: JsonObject, apiVersion: string): Promise<ApiObject>;
}

export interface StoredBytes {
  readonly bytes: Uint8Array;
}
