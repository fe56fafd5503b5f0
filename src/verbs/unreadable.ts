// Answers about objects that are stored and can't be read, in kube-apiserver's words, which are others where the gate
// AllowUnsafeMalformedObjectDeletion is on.

import { ApiError, errors } from '../api/errors.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
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
  if (!registry.gateEnabled(UNSAFE_DELETION_GATE)) throw errors.internal(found.error.message, found.error);
  throw errors.internal(corrupt(key.slice(ROOT.length), detailOf(found)), found.error);
}

/** As assertReadable, for updates, which name neither the kind of the failure nor the key. @throws ApiError 500 */
export function assertUpdatable(registry: Registry, { cache }: ResourceStorage, key: string): void {
  const found = cache.unreadable.get(key);
  if (found === undefined) return;
  const named = registry.gateEnabled(UNSAFE_DELETION_GATE);
  throw errors.internal(named ? detailOf(found) : found.error.message, found.error);
}

function detailOf({ error }: UnreadableEntry): string {
  return `data from the storage is not transformable revision=0: ${error.message}`;
}

function corrupt(key: string, detail: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
}

interface ListedState {
  readonly definition: ResourceDefinition;
  readonly prefix: string;
  /** Whether a state is good enough in which all were readable. */
  readonly anyState: boolean;
}

/** @throws ApiError 500 that names objects below a prefix that can't be read */
export function assertAllReadable(registry: Registry, { cache }: ResourceStorage, listed: ListedState): void {
  const found = cache.unreadable
    .within(listed.prefix)
    .filter(({ key }) => !listed.anyState || cache.get(key) === undefined)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const [first] = found;
  if (first === undefined) return;
  if (registry.gateEnabled(UNSAFE_DELETION_GATE)) throw storageReadError(listed.definition.resource, found);
  throw errors.internal(`unable to transform key "${first.key}": ${first.error.message}`, first.error);
}

function storageReadError(resource: string, found: readonly UnreadableEntry[]): ApiError {
  const causes: { reason: string; field?: string; message: string }[] = found.slice(0, MAX_CAUSES).map((entry) => {
    const message = corrupt(entry.key, detailOf(entry));
    return { reason: 'UnexpectedServerResponse', field: entry.key, message };
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
