// Validation of admin access to devices in use: only allowed in labelled namespaces. See KEP-5018.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ApiObject } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import type { ResourceClaim, ResourceClaimSpec } from './v1beta2-objects.ts';

const LABEL = 'resource.kubernetes.io/admin-access';
const WHY = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;

/** For a new claim or claim template. @param spec of the claim */
export function validateAdminRequests(
  { metadata }: Pick<ApiObject, 'metadata'>,
  spec: ResourceClaimSpec | undefined,
  context: StrategyContext,
): FieldError[] {
  const requests = spec?.devices?.requests ?? [];
  const index = requests.findIndex((request) => request.exactly?.adminAccess === true);
  return index < 0 ? [] : refused(metadata.namespace, `spec.devices.requests[${index}].adminAccess`, context);
}

/** For new allocation results of a claim. */
export function validateAdminResults(
  next: ResourceClaim,
  previous: ResourceClaim,
  context: StrategyContext,
): FieldError[] {
  const index = adminResult(next);
  if (index < 0 || adminResult(previous) >= 0) return [];
  return refused(next.metadata.namespace, `status.allocation.devices.results[${index}].adminAccess`, context);
}

function adminResult({ status }: ResourceClaim): number {
  const results = status?.allocation?.devices?.results ?? [];
  return results.findIndex((result) => result.adminAccess === true);
}

function refused(namespace: string | undefined, field: string, { namespaceLabels }: StrategyContext): FieldError[] {
  return namespaceLabels?.(namespace ?? '')?.[LABEL] === 'true' ? [] : [fieldError.forbidden(field, WHY)];
}
