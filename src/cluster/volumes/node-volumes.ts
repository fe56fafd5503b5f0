// What the kubelets of simulated nodes do with CSI volumes: they report those that their pods use, and finish the expansion
// of file systems.

import { equalJson } from '../../api/json-equal.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { KUBELET, nodeUser } from '../nodes/node-identity.ts';
import { isSimulated } from '../nodes/node-script.ts';
import { reconciler } from '../reconciler.ts';
import { PodVolumes, type UsedVolume } from './pod-volumes.ts';
import { grow, resizing } from './resize-status.ts';

export function nodeVolumes(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'node-volumes',
    async begin(keys) {
      const used = await PodVolumes.open(context);
      const nodes = await context.informers.open<Node>('', 'nodes');
      used.follow((node) => keys.add(node));
      return async (name) => {
        const node = nodes.get('', name);
        if (node === undefined || !isSimulated(node)) return undefined;
        const objects = new ClusterObjects(context, nodeUser(name), KUBELET);
        await reportUsed(objects, nodes, { node, names: [...used.usedOn(name)].map((each) => each.name) });
        for (const each of used.usedOn(name)) {
          if (resizing(each.claim) !== 'NodeResizePending' || each.pod.status?.phase !== 'Running') continue;
          await growFileSystem(context, name, { ...each, objects, claims: used.claims });
        }
        return undefined;
      };
    },
  });
}

async function reportUsed(
  objects: ClusterObjects,
  nodes: Informer<Node>,
  { node, names }: { readonly node: Node; readonly names: readonly string[] },
): Promise<void> {
  const volumesInUse = [...new Set(names)].sort();
  if (equalJson(node.status?.volumesInUse ?? [], volumesInUse)) return;
  await objects.updateStatus<Node>(nodes, node, (draft) => {
    const { volumesInUse: _before, ...status } = draft.status ?? {};
    draft.status = volumesInUse.length === 0 ? status : { ...status, volumesInUse };
    return true;
  });
}

async function growFileSystem(
  context: ClusterContext,
  node: string,
  used: UsedVolume & {
    readonly pod: Pod;
    readonly objects: ClusterObjects;
    readonly claims: Informer<PersistentVolumeClaim>;
  },
): Promise<void> {
  const { pod, volume, claim, objects, claims } = used;
  const size = ownMember(volume.spec?.capacity, 'storage');
  if (size === undefined) return;
  await objects.updateStatus<PersistentVolumeClaim>(claims, claim, (draft) => {
    const { status } = draft;
    if (status === undefined || resizing(draft as PersistentVolumeClaim) !== 'NodeResizePending') return false;
    status.capacity = { ...status.capacity, storage: size };
    grow(status);
    return true;
  });
  const source = { component: KUBELET, host: node, as: nodeUser(node), userAgent: KUBELET };
  const events = new ClusterEvents(context, source);
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${volume.metadata.name}" ${node}`;
  events.record(pod, 'FileSystemResizeSuccessful', message);
  events.record(claim, 'FileSystemResizeSuccessful', message);
}
