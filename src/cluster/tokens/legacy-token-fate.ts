// What becomes of a token of a service account that was made by an older release, by when it was used.

import { dayOf } from '../../api/timestamp.ts';
import type { Secret } from '../../resources/builtin/core/config/objects.ts';

export const DAY_MS = 86_400_000;
/** kube-controller-manager's --legacy-service-account-token-clean-up-period. */
export const UNUSED_MS = 365 * DAY_MS;
export const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
export const DATE = /^\d{4}-\d\d-\d\d$/;
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const TYPE = 'kubernetes.io/service-account-token';

/** A token that has not been used for a year is marked as invalid, and a year later deleted. */
export function fateOf({ metadata, type }: Secret, nowMs: number): 'kept' | 'marked' | 'deleted' {
  if (type !== TYPE || metadata.deletionTimestamp !== undefined) return 'kept';
  if (Date.parse(metadata.creationTimestamp ?? '') >= nowMs - UNUSED_MS) return 'kept';
  const unusedSince = dayOf(nowMs - UNUSED_MS);
  const { [LAST_USED]: lastUsed, [INVALID_SINCE]: invalidSince = '' } = metadata.labels ?? {};
  if (lastUsed !== undefined && !(DATE.test(lastUsed) && lastUsed < unusedSince)) return 'kept';
  if (!DATE.test(invalidSince)) return 'marked';
  return invalidSince < unusedSince ? 'deleted' : 'kept';
}
