// Table columns of the kinds of dynamic resource allocation.

import type { TableColumns } from '../../definition.ts';
import { age, since, table } from '../../table.ts';
import type { DeviceTaintRule } from './v1alpha3-objects.ts';
import type { ResourceClaim, ResourceSlice } from './v1beta2-objects.ts';

export const resourceClaimTable: TableColumns<ResourceClaim> = table(['State', 'Age'], (claim) => [
  claimState(claim),
  age(claim),
]);

/** The fields from which the state of a claim is derived; all versions have them. */
interface ClaimStatus {
  readonly allocation?: unknown;
  readonly reservedFor?: readonly unknown[];
}

export function claimState(claim: Pick<ResourceClaim, 'metadata'> & { readonly status?: ClaimStatus }): string {
  const deleted = claim.metadata.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (claim.status?.allocation !== undefined) states.push('allocated');
  else if (!deleted) states.push('pending');
  if ((claim.status?.reservedFor ?? []).length > 0) states.push('reserved');
  return states.join(',');
}

export const resourceSliceTable: TableColumns<ResourceSlice> = table(['Node', 'Driver', 'Pool', 'Age'], (slice) => [
  slice.spec?.nodeName ?? '',
  slice.spec?.driver ?? '',
  slice.spec?.pool?.name ?? '',
  age(slice),
]);

export const deviceTaintRuleTable: TableColumns<DeviceTaintRule> = table(
  ['Key', 'Value', 'Effect', 'TimeAdded', 'Age'],
  (rule) => {
    const { key = '', value = '', effect = '', timeAdded } = rule.spec?.taint ?? {};
    return [key, value, effect, timeAdded === undefined ? '' : since(timeAdded), age(rule)];
  },
);
