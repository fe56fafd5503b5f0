// Deletion of an unreadable object, bypassing everything that would have to read it: finalizers, preconditions,
// admission. Behind the gate AllowUnsafeMalformedObjectDeletion.

import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { ownMember } from '../api/own-member.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { invalidObject } from './store-preconditions.ts';

export const UNSAFE_DELETION_GATE = 'AllowUnsafeMalformedObjectDeletion';
export const UNSAFE_DELETE_VERB = 'unsafe-delete-ignore-read-errors';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** The first minor release of Kubernetes 1 that looks at the object where it is stored, in dry runs as well. */
const FROM_STORAGE = 37;

/** @throws ApiError for an object that is readable or does not exist: 409 and 404, before 1.37 both 422 */
export async function unsafeDelete(
  registry: Registry,
  request: ResourceRequest,
  { dryRun, minor }: { readonly dryRun: boolean; readonly minor: number },
): Promise<void> {
  const { definition, namespace, name } = request;
  const { cache, store } = await registry.storage(definition);
  const key = storageKey(definition, namespace, name);
  const found = cache.unreadable.get(key);
  if (found !== undefined && (dryRun || (await store.delete(key, found.revision)).written)) return;
  if (isSince({ minor }, FROM_STORAGE))
    throw notUnreadable(definition, key, { name, exists: cache.get(key) !== undefined });
  throw errors.invalid({ group: definition.group, kind: definition.resource, name }, [
    fieldError.invalid(
      OPTION,
      true,
      'is exclusively used to delete corrupt object(s), try again by removing this option',
    ),
  ]);
}

function notUnreadable(
  definition: ResourceDefinition,
  key: string,
  { name, exists }: { name: string; exists: boolean },
): ApiError {
  const resource = { ...definition, name };
  if (!exists) return errors.notFound(resource);
  return errors.conflict(
    resource,
    invalidObject(key, 'unsafe deletion is not allowed because the object is decodable from storage'),
  );
}

/** @throws ApiError 422, always: collections cannot be deleted unread */
export function refuseUnsafeCollection(): never {
  throw errors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', name: '' }, [
    fieldError.invalid(OPTION, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);
}

/** Validation of options for such a deletion: it cannot be combined with any other, but a dry run from 1.37 on. */
export function unsafeOptionErrors(
  given: Readonly<Record<string, unknown>> & { dryRun: readonly string[] },
  minor: number,
) {
  const others = ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];
  const set = [
    ...(given.dryRun.length > 0 && !isSince({ minor }, FROM_STORAGE) ? ['dryRun'] : []),
    ...others.filter((name) => ownMember(given, name) != null),
  ];
  return set.map((name) => fieldError.invalid(OPTION, true, `cannot be set together with .${name}`));
}
