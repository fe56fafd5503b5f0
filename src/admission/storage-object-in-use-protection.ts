// The plugin StorageObjectInUseProtection: adds the finalizers that protect volumes, claims and VolumeAttributesClasses
// from removal while they are in use.

import type { ApiObject } from '../api/object.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';

const PROTECTED = [
  { group: '', resource: 'persistentvolumes', finalizer: 'kubernetes.io/pv-protection' },
  { group: '', resource: 'persistentvolumeclaims', finalizer: 'kubernetes.io/pvc-protection' },
  { group: 'storage.k8s.io', resource: 'volumeattributesclasses', finalizer: 'kubernetes.io/vac-protection' },
];

/** @param withClasses whether VolumeAttributesClasses are protected: the gate VolumeAttributesClass */
export function storageObjectInUseProtection(withClasses: boolean): AdmissionPlugin {
  const kinds = PROTECTED.filter(({ group }) => withClasses || group === '');
  return {
    name: 'StorageObjectInUseProtection',
    admit(admission) {
      const { object, operation } = admission;
      if (object === undefined || operation !== 'create') return;
      const kind = kinds.find((each) => concerns(admission, each));
      if (kind !== undefined) addFinalizer(object, kind.finalizer);
    },
  };
}

function addFinalizer({ metadata }: ApiObject, finalizer: string): void {
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
