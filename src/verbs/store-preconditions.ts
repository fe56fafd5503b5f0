// Preconditions of a write, with kube-apiserver's messages, which contain the storage key.

import { type ApiError, errors } from '../api/errors.ts';
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
  const pairs = [
    { member: 'UID', expected: wanted.uid ?? '', actual: metadata.uid ?? '' },
    { member: 'ResourceVersion', expected: wanted.resourceVersion ?? '', actual: metadata.resourceVersion ?? '' },
  ];
  for (const pair of pairs) {
    if (pair.expected !== '' && pair.expected !== pair.actual) throw unmet(request, wanted.dryRun, pair);
  }
}

/**
 * The error for a resourceVersion precondition on the deletion of an object whose last finalizers it removes: by then
 * kube-apiserver compares the version with that of an empty object.
 */
export function unmetAfterFinalizers(request: ResourceRequest, { metadata }: ApiObject): ApiError {
  return unmet(request, false, { member: 'ResourceVersion', expected: '', actual: metadata.resourceVersion ?? '' });
}

interface Comparison {
  readonly member: string;
  readonly expected: string;
  readonly actual: string;
}

function unmet(
  { definition, namespace, name }: ResourceRequest,
  dryRun: boolean,
  { member, expected, actual }: Comparison,
): ApiError {
  const key = storageKey(definition, namespace, name);
  return errors.conflict(
    { group: definition.group, resource: definition.resource, name },
    invalidObject(
      dryRun ? key.replace(/^\/registry/, '') : key,
      `Precondition failed: ${member} in precondition: ${expected}, ${member} in object meta: ${actual}`,
    ),
  );
}

/** What kube-apiserver's storage says of an object that a write must not be applied to. */
export function invalidObject(key: string, why: string): string {
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}
