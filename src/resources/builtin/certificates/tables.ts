// How signing requests and trust bundles are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, condition, NONE, table } from '../../table.ts';
import { at, numberAt, textAt } from '../../value.ts';

export const signingRequestTable: TableColumns = table(
  ['Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'],
  (request) => [
    age(request),
    textAt(request, 'spec', 'signerName') || NONE,
    textAt(request, 'spec', 'username'),
    at(request, 'spec', 'expirationSeconds') === undefined
      ? NONE
      : humanDuration(numberAt(request, 'spec', 'expirationSeconds') * 1000),
    state(request),
  ],
);

function state(request: ApiObject): string {
  const decision = ['Denied', 'Approved'].find((type) => condition(request, type) !== undefined) ?? 'Pending';
  const failed = condition(request, 'Failed') === undefined ? '' : ',Failed';
  return `${decision}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

export const trustBundleTable: TableColumns = table(['SignerName'], (bundle) => [
  textAt(bundle, 'spec', 'signerName') || NONE,
]);
