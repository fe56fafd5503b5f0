// Quota evaluator of PersistentVolumeClaims: their number and requested storage, in total and per storage class.

import type { ApiObject } from '../../api/object.ts';
import { roundUpQuantity } from '../../api/quantity.ts';
import { textAt } from '../../resources/value.ts';
import { type Amounts, amountsAt, ONE, raiseAmounts } from './amounts.ts';
import { type Evaluator, type ScopeRequirement, satisfies } from './evaluator.ts';

const NAMES = ['persistentvolumeclaims', 'requests.storage'];
const OF_CLASS = '.storageclass.storage.k8s.io/';
/** The annotation that preceded the field, and still takes precedence. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export const claimEvaluator: Evaluator = {
  charges: ({ operation, request }) => request.subresource === '' && (operation === 'create' || operation === 'update'),
  counts: (name) =>
    name === 'count/persistentvolumeclaims' ||
    NAMES.some((each) => name === each || name.endsWith(`${OF_CLASS}${each}`)),
  complaint: () => '',
  isWithin,
  usage,
};

function usage(claim: ApiObject): Amounts {
  const used: Amounts = new Map([
    ['count/persistentvolumeclaims', ONE],
    ['persistentvolumeclaims', ONE],
  ]);
  const storage = raiseAmounts(
    amountsAt(claim, 'spec', 'resources', 'requests'),
    amountsAt(claim, 'status', 'allocatedResources'),
  ).get('storage');
  if (storage !== undefined) used.set('requests.storage', roundUpQuantity(storage, 0));
  const storageClass = claim.metadata.annotations?.[CLASS_ANNOTATION] ?? textAt(claim, 'spec', 'storageClassName');
  if (storageClass === '') return used;
  for (const name of NAMES) {
    const amount = used.get(name);
    if (amount !== undefined) used.set(`${storageClass}${OF_CLASS}${name}`, amount);
  }
  return used;
}

/** A claim counts for its requested, current and target VolumeAttributesClass. */
function isWithin(claim: ApiObject, requirement: ScopeRequirement): boolean {
  if (requirement.scope !== 'VolumeAttributesClass') return false;
  const classes = [
    textAt(claim, 'spec', 'volumeAttributesClassName'),
    textAt(claim, 'status', 'currentVolumeAttributesClassName'),
    textAt(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
  return classes.length === 0 ? satisfies(requirement, '') : classes.some((name) => satisfies(requirement, name));
}
