// What storage kinds are when they do not say.

import type { JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { fillIn, fillInMembers, objectAt, objectIn } from '../../fill-in.ts';
import { persistentVolumeSourceDefaults } from '../core/volume/defaults.ts';

export function storageClassDefaults(storageClass: JsonObject): void {
  fillIn(storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}

export function csiDriverDefaults(driver: JsonObject, { gateEnabled }: BehaviourContext): void {
  const spec = objectIn(driver, 'spec');
  fillInMembers(spec, { volumeLifecycleModes: ['Persistent'] });
  fillIn(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    ...(gateEnabled('SELinuxMountReadWriteOncePod') ? { seLinuxMount: false } : {}),
  });
}

/** A volume that is written into its attachment, as a persistent volume would have it. */
export function volumeAttachmentDefaults(attachment: JsonObject): void {
  const volume = objectAt(objectAt(objectAt(attachment, 'spec'), 'source'), 'inlineVolumeSpec');
  if (volume !== undefined) persistentVolumeSourceDefaults(volume);
}
