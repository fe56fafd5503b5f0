// Answers about objects that are stored and can't be read, in kube-apiserver's words, which are others where the gate
// AllowUnsafeMalformedObjectDeletion is on.

import { ApiError, errors } from '../api/errors.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { TransformError } from '../store/value-transformer.ts';
import type { UnreadableEntry } from '../watchcache/unreadable-entries.ts';
import type { Registry, ResourceStorage } from './registry.ts';
import { UNSAFE_DELETION_GATE } from './unsafe-delete.ts';

const ROOT = '/registry';
/** At most so many objects are named in one answer. */
const MAX_CAUSES = 100;

/** @throws ApiError 500 for an object that can't be read */
export function assertReadable(registry: Registry, { cache }: ResourceStorage, key: string): void {
  const found = cache.unreadable.get(key);
  if (found === undefined) return;
  if (!registry.gateEnabled(UNSAFE_DELETION_GATE)) throw plainFault(found, found.error.message);
  throw errors.internal(corrupt(key.slice(ROOT.length), detailOf(found)), found.error);
}

/** As assertReadable, for updates, which do not name the key. @throws ApiError 500 */
export function assertUpdatable(registry: Registry, { cache }: ResourceStorage, key: string): void {
  const found = cache.unreadable.get(key);
  if (found === undefined) return;
  const named = registry.gateEnabled(UNSAFE_DELETION_GATE);
  throw plainFault(found, named ? detailOf(found) : found.error.message);
}

/** Values that can't be transformed are internal errors; those that can't be decoded are told of as they are. */
function plainFault({ error }: UnreadableEntry, message: string): ApiError {
  return isTransformFault(error) ? errors.internal(message, error) : new ApiError({ code: 500, message, cause: error });
}

function isTransformFault(error: Error): boolean {
  return error instanceof TransformError;
}

function detailOf({ error, revision }: UnreadableEntry): string {
  return isTransformFault(error)
    ? `data from the storage is not transformable revision=0: ${error.message}`
    : `object not decodable revision=${revision}: ${error.message}`;
}

function corrupt(key: string, detail: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
}

interface ListedState {
  readonly definition: ResourceDefinition;
  /** What the keys that were read begin with. */
  readonly prefix: string;
  /** The one key that was read, where the object's name was given. */
  readonly key: string | undefined;
  /** Whether a state is good enough in which all were readable. */
  readonly anyState: boolean;
  /** The first key that was read; undefined for all from the beginning. */
  readonly start: string | undefined;
  /** The last key that was read; undefined for all to the end. */
  readonly last: string | undefined;
}

/** @throws ApiError 500 that names objects that were to be listed and can't be read */
export function assertAllReadable(registry: Registry, { cache }: ResourceStorage, listed: ListedState): void {
  const found = cache.unreadable
    .within(listed.prefix)
    .filter(({ key }) => isListed(key, listed) && (!listed.anyState || cache.get(key) === undefined))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const [first] = found;
  if (first === undefined) return;
  if (registry.gateEnabled(UNSAFE_DELETION_GATE)) throw storageReadError(listed.definition.resource, found);
  const { message } = first.error;
  throw plainFault(
    first,
    isTransformFault(first.error) ? `unable to transform key "${first.key}": ${message}` : message,
  );
}

function isListed(key: string, { key: only, start, last }: ListedState): boolean {
  if (only !== undefined && key !== only) return false;
  return (start === undefined || key >= start) && (last === undefined || key <= last);
}

function storageReadError(resource: string, found: readonly UnreadableEntry[]): ApiError {
  const causes: { reason: string; message: string; field?: string }[] = found.slice(0, MAX_CAUSES).map((entry) => {
    const message = corrupt(entry.key, detailOf(entry));
    return { reason: 'UnexpectedServerResponse', message, field: entry.key };
  });
  if (found.length > MAX_CAUSES) {
    causes.push({ reason: 'FieldValueTooMany', message: `too many errors, the list is truncated to ${MAX_CAUSES}` });
  }
  return new ApiError({
    code: 500,
    reason: 'StorageReadError',
    message: `failed to read one or more ${resource} from the storage`,
    details: { name: 'list', kind: resource, causes },
  });
}
