// Quota evaluator of ResourceClaims: their number, and per device class the maximum number of devices.

import type { ApiObject, Json } from '../../api/object.ts';
import { at, listAt, numberAt, textAt } from '../../resources/value.ts';
import { type Amounts, addAmounts, ONE, raiseAmounts } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

const COUNT = 'count/resourceclaims.resource.k8s.io';
const OF_CLASS = '.deviceclass.resource.k8s.io/devices';
/** Upper bound of a request for all devices. */
const MAX_DEVICES = 32;

export const deviceClaimEvaluator: Evaluator = {
  charges: ({ operation, request }) => request.subresource === '' && (operation === 'create' || operation === 'update'),
  counts: (name) => name === COUNT || name.endsWith(OF_CLASS),
  complaint: () => '',
  isWithin: () => false,
  usage,
};

/** Only one of several alternatives is allocated: each class counts with the maximum over them. */
function usage(claim: ApiObject): Amounts {
  const used: Amounts = new Map([[COUNT, ONE]]);
  for (const request of listAt(claim, 'spec', 'devices', 'requests')) {
    const alternatives = listAt(request, 'firstAvailable');
    const most: Amounts = new Map();
    if (alternatives.length > 0) for (const each of alternatives) raiseAmounts(most, devices(each));
    else addAmounts(most, devices(at(request, 'exactly')));
    addAmounts(used, most);
  }
  return used;
}

function devices(wanted: Json | undefined): Amounts {
  if (wanted === undefined) return new Map();
  const mode = textAt(wanted, 'allocationMode');
  const count = mode === 'All' ? MAX_DEVICES : mode === 'ExactCount' ? numberAt(wanted, 'count') : 0;
  const name = `${textAt(wanted, 'deviceClassName')}${OF_CLASS}`;
  return new Map([[name, { mantissa: BigInt(count), exponent: 0, format: 'DecimalSI' }]]);
}
