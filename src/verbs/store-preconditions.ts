// Preconditions of a write, with kube-apiserver's messages, which contain the storage key.

import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { storageKey } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';

interface StorePreconditions {
  /** '' or undefined for any. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * @param dryRun dry runs are checked before the storage prefix is added to the key
 * @throws ApiError 409
 */
export function checkStored(
  request: ResourceRequest,
  wanted: StorePreconditions & { readonly dryRun: boolean },
  { metadata }: ApiObject,
): void {
  const { definition, namespace, name } = request;
  const key = storageKey(definition, namespace, name);
  const pairs = [
    { member: 'UID', expected: wanted.uid ?? '', actual: metadata.uid ?? '' },
    { member: 'ResourceVersion', expected: wanted.resourceVersion ?? '', actual: metadata.resourceVersion ?? '' },
  ];
  for (const { member, expected, actual } of pairs) {
    if (expected === '' || expected === actual) continue;
    throw errors.conflict(
      { group: definition.group, resource: definition.resource, name },
      `StorageError: invalid object, Code: 4, Key: ${wanted.dryRun ? key.replace(/^\/registry/, '') : key}, ResourceVersion: 0, ` +
        `AdditionalErrorMsg: Precondition failed: ${member} in precondition: ${expected}, ` +
        `${member} in object meta: ${actual ?? ''}`,
    );
  }
}
