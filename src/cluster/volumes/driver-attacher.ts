// Attacher of the simulated driver: what the pods of a simulated node need is attached to it at once, whatever the driver.
// Attachments that clients make themselves are left to the drivers that these name.

import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { VolumeAttachment } from '../../resources/builtin/storage/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { isSimulated } from '../nodes/node-script.ts';
import { keyOf, reconciler } from '../reconciler.ts';
import { DRIVER, isOfController } from './driver-names.ts';

export function attacher(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'simulated-storage', 'csi-attacher');
  return reconciler(context, {
    name: 'volume-attacher',
    async begin(keys) {
      const nodes = await context.informers.open<Node>('', 'nodes');
      const attachments = await context.informers.open<VolumeAttachment>('storage.k8s.io', 'volumeattachments');
      attachments.follow({ changed: (each) => keys.add(keyOf(each)) });
      return async (name) => {
        const attachment = attachments.get('', name);
        if (attachment === undefined || attachment.metadata.deletionTimestamp !== undefined) return undefined;
        if (attachment.status?.attached === true) return undefined;
        const { attacher: driver, nodeName = '' } = attachment.spec ?? {};
        const node = nodes.get('', nodeName);
        const standsIn = isOfController(attachment) && node !== undefined && isSimulated(node);
        if (driver !== DRIVER && !standsIn) return undefined;
        await objects.updateStatus<VolumeAttachment>(attachments, attachment, (draft) => {
          if (draft.status?.attached === true) return false;
          draft.status = { attached: true };
          return true;
        });
        return undefined;
      };
    },
  });
}
