// Deletion of an unreadable object, bypassing everything that would have to read it: finalizers, preconditions,
// admission. Behind the gate AllowUnsafeMalformedObjectDeletion.

import { errors, fieldError } from '../api/errors.ts';
import { ownMember } from '../api/own-member.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';

export const UNSAFE_DELETION_GATE = 'AllowUnsafeMalformedObjectDeletion';
export const UNSAFE_DELETE_VERB = 'unsafe-delete-ignore-read-errors';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** @throws ApiError 422 for an object that is readable or does not exist */
export async function unsafeDelete(registry: Registry, request: ResourceRequest): Promise<void> {
  const { definition, namespace, name } = request;
  const { cache, store } = await registry.storage(definition);
  const key = storageKey(definition, namespace, name);
  const found = cache.unreadable.get(key);
  const result = found && (await store.delete(key, found.revision));
  if (result?.written === true) return;
  throw errors.invalid({ group: definition.group, kind: definition.resource, name }, [
    fieldError.invalid(
      OPTION,
      true,
      'is exclusively used to delete corrupt object(s), try again by removing this option',
    ),
  ]);
}

/** @throws ApiError 422, always: collections cannot be deleted unread */
export function refuseUnsafeCollection(): never {
  throw errors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', name: '' }, [
    fieldError.invalid(OPTION, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);
}

/** Validation of options for such a deletion: it cannot be combined with any other. */
export function unsafeOptionErrors(given: Readonly<Record<string, unknown>> & { dryRun: readonly string[] }) {
  const others = ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];
  const set = [
    ...(given.dryRun.length > 0 ? ['dryRun'] : []),
    ...others.filter((name) => ownMember(given, name) != null),
  ];
  return set.map((name) => fieldError.invalid(OPTION, true, `cannot be set together with .${name}`));
}
