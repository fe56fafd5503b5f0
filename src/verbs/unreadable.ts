// Errors for stored objects that cannot be read, in kube-apiserver's words, which differ if the gate
// AllowUnsafeMalformedObjectDeletion is enabled.

import { ApiError, errors } from '../api/errors.ts';
import { qualified } from '../api/group-version.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { TransformError } from '../store/value-transformer.ts';
import type { UnreadableEntry } from '../watchcache/unreadable-entries.ts';
import type { Registry, ResourceStorage } from './registry.ts';
import { UNSAFE_DELETION_GATE } from './unsafe-delete.ts';

const ROOT = '/registry';
/** Maximum number of objects named in one error. */
const MAX_CAUSES = 100;
/** The first minor release of Kubernetes 1 whose errors of lists tell the first such object, and count the others. */
const TELLS_FIRST = 37;

/** @throws ApiError 500 for an unreadable object */
export function assertReadable(registry: Registry, { cache }: ResourceStorage, key: string): void {
  const found = cache.unreadable.get(key);
  if (found === undefined) return;
  if (!registry.gateEnabled(UNSAFE_DELETION_GATE)) throw plainFault(found, found.error.message);
  throw errors.internal(corrupt(key.slice(ROOT.length), detailOf(found)), found.error);
}

/** Like assertReadable, for updates, whose errors do not contain the key. @throws ApiError 500 */
export function assertUpdatable(registry: Registry, { cache }: ResourceStorage, key: string): void {
  const found = cache.unreadable.get(key);
  if (found === undefined) return;
  const named = registry.gateEnabled(UNSAFE_DELETION_GATE);
  throw plainFault(found, named ? detailOf(found) : found.error.message);
}

/** Values that cannot be decrypted are internal errors; decoding errors are reported directly. */
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
  /** Prefix of the keys that were read. */
  readonly prefix: string;
  /** The only key that was read, if the object's name was given. */
  readonly key: string | undefined;
  /** Whether the last state in which all objects were readable suffices. */
  readonly anyState: boolean;
  /** The first key that was read; undefined for the beginning. */
  readonly start: string | undefined;
  /** The last key that was read; undefined for the end. */
  readonly last: string | undefined;
}

/** @throws ApiError 500 with the unreadable objects in the range of the list */
export function assertAllReadable(registry: Registry, { cache }: ResourceStorage, listed: ListedState): void {
  const found = cache.unreadable
    .within(listed.prefix)
    .filter(({ key }) => isListed(key, listed) && (!listed.anyState || cache.get(key) === undefined))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const [first] = found;
  if (first === undefined) return;
  if (registry.gateEnabled(UNSAFE_DELETION_GATE)) throw storageReadError(listed.definition, found);
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

function storageReadError({ group, resource, minor }: ResourceDefinition, found: readonly UnreadableEntry[]): ApiError {
  const tellsFirst = isSince({ minor }, TELLS_FIRST);
  const causes: { reason: string; message: string; field?: string }[] = found.slice(0, MAX_CAUSES).map((entry) => {
    const message = corrupt(entry.key, detailOf(entry));
    return { reason: 'UnexpectedServerResponse', message, field: entry.key };
  });
  if (found.length > MAX_CAUSES || (tellsFirst && found.length === MAX_CAUSES)) {
    causes.push({ reason: 'FieldValueTooMany', message: `too many errors, the list is truncated to ${MAX_CAUSES}` });
  }
  return new ApiError({
    code: 500,
    reason: 'StorageReadError',
    message: `failed to read one or more ${qualified(resource, group)} from the storage${tellsFirst ? firstOf(found) : ''}`,
    details: { name: 'list', ...(group !== '' && { group }), kind: resource, causes },
  });
}

function firstOf(found: readonly UnreadableEntry[]): string {
  const [first] = found as readonly [UnreadableEntry, ...UnreadableEntry[]];
  const others = Math.min(found.length, MAX_CAUSES) - 1;
  return `: ${corrupt(first.key, detailOf(first))}${others === 0 ? '' : ` (and ${others} more)`}`;
}
