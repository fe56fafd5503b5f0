// The storage driver of a simulated cluster: what the sidecars of a CSI driver and its storage would do. It makes, attaches
// and expands volumes that exist as objects only.

import { isTaken } from '../../api/error-reasons.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { CSIDriver, StorageClass } from '../../resources/builtin/storage/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { IS_DEFAULT } from './default-class.ts';
import { attacher } from './driver-attacher.ts';
import { DRIVER } from './driver-names.ts';
import { provisioner } from './driver-provisioner.ts';
import { resizer } from './driver-resizer.ts';
import { nodeVolumes } from './node-volumes.ts';

export function simulatedDriver(context: ClusterContext): Controller {
  const parts = [provisioner(context), attacher(context), resizer(context), nodeVolumes(context)];
  return {
    name: 'volume-provisioner',
    async start() {
      await context.activity.during(install(context));
      await Promise.all(parts.map((part) => part.start()));
    },
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Registers the driver, and makes its class the default one of a cluster that has no other class. */
async function install(context: ClusterContext): Promise<void> {
  const { informers } = context;
  const objects = new ClusterObjects(context, 'simulated-storage', 'csi-provisioner');
  const drivers = await informers.open<CSIDriver>('storage.k8s.io', 'csidrivers');
  const classes = await informers.open<StorageClass>('storage.k8s.io', 'storageclasses');
  try {
    if (drivers.get('', DRIVER) === undefined) {
      const spec = { attachRequired: true, podInfoOnMount: false, volumeLifecycleModes: ['Persistent'] };
      await objects.create(drivers, { metadata: { name: DRIVER }, spec });
    }
    if (classes.size > 0) return;
    await objects.create(classes, {
      metadata: { name: 'standard', annotations: { [IS_DEFAULT]: 'true' } },
      ...{ provisioner: DRIVER, reclaimPolicy: 'Delete' },
      ...{ volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true },
    });
  } catch (error) {
    // Another server was faster.
    if (!isTaken(error)) throw error;
  }
}
