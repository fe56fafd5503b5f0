// Names of CSI volumes and of their attachments, and that of the driver of simulated clusters.

import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { VolumeAttachment } from '../../resources/builtin/storage/v1-objects.ts';

/** The driver of simulated clusters, which is also the provisioner of their default class. */
export const DRIVER = 'simulated.keelson.dev';

/** The name of a CSI volume in the status of nodes; undefined for any other volume. */
export function attachedName({ spec }: PersistentVolume): string | undefined {
  const csi = spec?.csi;
  return csi === undefined ? undefined : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

/** Whether an attachment has a name that kube-controller-manager gives. Those of other clients are theirs. */
export function isOfController({ metadata }: VolumeAttachment): boolean {
  return /^csi-[0-9a-f]{64}$/.test(metadata.name ?? '');
}
