// Defaults of storage kinds.

import type { Draft } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn, fillInMembers } from '../../fill-in.ts';
import { persistentVolumeSourceDefaults } from '../core/volume/defaults.ts';
import type { CSIDriver, StorageClass, VolumeAttachment } from './v1-objects.ts';

export function storageClassDefaults(storageClass: Draft<StorageClass>): void {
  fillIn(storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}

export function csiDriverDefaults(driver: Draft<CSIDriver>, { gateEnabled }: StrategyContext): void {
  const spec = (driver.spec ??= {});
  fillInMembers(spec, { volumeLifecycleModes: ['Persistent'] });
  fillIn(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    ...(gateEnabled('SELinuxMountReadWriteOncePod') ? { seLinuxMount: false } : {}),
    ...(gateEnabled('VolumeLimitScaling') ? { preventPodSchedulingIfMissing: false } : {}),
  });
}

/** An inline spec, defaulted like that of a PersistentVolume. */
export function volumeAttachmentDefaults(attachment: Draft<VolumeAttachment>): void {
  const volume = attachment.spec?.source?.inlineVolumeSpec;
  if (volume !== undefined) persistentVolumeSourceDefaults(volume);
}
