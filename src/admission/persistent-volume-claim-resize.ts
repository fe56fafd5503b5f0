// The plugin PersistentVolumeClaimResize: a claim may only grow while it is bound, and if its storage class allows
// expansion.

import type { ApiObject } from '../api/object.ts';
import { whenThere } from '../base/soon.ts';
import { compareAmounts } from '../resources/validation/quantities.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { CLAIMS, STORAGE_CLASSES } from './resources.ts';

/** The annotation that preceded the field. */
const OLD_NAME = 'volume.beta.kubernetes.io/storage-class';

export function persistentVolumeClaimResize(objects: ObjectLookup): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    admit(admission) {
      const { object, previous, operation } = admission;
      if (object === undefined || previous === undefined || operation !== 'update') return undefined;
      if (!concerns(admission, CLAIMS) || compareAmounts(sizeOf(object), sizeOf(previous)) <= 0) return undefined;
      if (textAt(previous, 'status', 'phase') !== 'Bound') {
        throw refusal(admission, 'Only bound persistent volume claims can be expanded');
      }
      const [name, before] = [className(object), className(previous)];
      const finding = name === '' || name !== before ? undefined : objects.find(STORAGE_CLASSES, '', name);
      return whenThere(finding, (found) => {
        if (found?.['allowVolumeExpansion'] === true) return;
        const why = 'the storageclass that provisions the pvc must support resize';
        throw refusal(admission, `only dynamically provisioned pvc can be resized and ${why}`);
      });
    },
  };
}

function sizeOf(claim: ApiObject): string {
  return textAt(claim, 'spec', 'resources', 'requests', 'storage') || '0';
}

function className(claim: ApiObject): string {
  return claim.metadata.annotations?.[OLD_NAME] ?? textAt(claim, 'spec', 'storageClassName');
}
