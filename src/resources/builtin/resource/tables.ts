// How the kinds of dynamic resource allocation are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';

export const resourceClaimTable: TableColumns = table(['State', 'Age'], (claim) => [claimState(claim), age(claim)]);

function claimState(claim: ApiObject): string {
  const deleted = claim.metadata.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (isObject(at(claim, 'status', 'allocation'))) states.push('allocated');
  else if (!deleted) states.push('pending');
  if (listAt(claim, 'status', 'reservedFor').length > 0) states.push('reserved');
  return states.join(',');
}

export const resourceSliceTable: TableColumns = table(['Node', 'Driver', 'Pool', 'Age'], (slice) => [
  textAt(slice, 'spec', 'nodeName'),
  textAt(slice, 'spec', 'driver'),
  textAt(slice, 'spec', 'pool', 'name'),
  age(slice),
]);
