// Controller that has volumes of drivers attached to the nodes whose pods use them, and detached once no pod does and the
// node has let go of them.

import { createHash } from 'node:crypto';
import { isTaken } from '../../api/error-reasons.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { CSIDriver, VolumeAttachment } from '../../resources/builtin/storage/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { isSetTrue } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { type Keys, reconciler } from '../reconciler.ts';
import { attachedName, isOfController } from './driver-names.ts';
import { PodVolumes } from './pod-volumes.ts';

/** How long an unhealthy node has to let go of a volume. kube-controller-manager's value. */
const LONGEST_UNMOUNT_MS = 360_000;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** A volume that pods on a node need. */
interface Wanted {
  readonly volume: PersistentVolume;
  readonly pods: Pod[];
}

export function attachDetachController(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'persistentvolume-attach-detach-controller',
    begin: (keys) => new AttachDetach(context, keys).begin(),
  });
}

class AttachDetach {
  readonly #context: ClusterContext;
  readonly #keys: Keys;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #used!: PodVolumes;
  #nodes!: Informer<Node>;
  #drivers!: Informer<CSIDriver>;
  #attachments!: Informer<VolumeAttachment>;
  /** Attachments that this controller made, by node. */
  #onNode!: Index<VolumeAttachment>;
  /** Attachments that this controller made, by the name of their volume. */
  #ofVolume!: Index<VolumeAttachment>;
  /** Since when attachments are to go, by name. */
  readonly #goingSinceMs = new Map<string, number>();
  /** Volumes that nodes wait for because another one has them, of which pods have been told, by node. */
  readonly #refused = new Map<string, Set<string>>();

  constructor(context: ClusterContext, keys: Keys) {
    const as = 'attachdetach-controller';
    this.#context = context;
    this.#keys = keys;
    this.#objects = new ClusterObjects(context, as);
    this.#events = new ClusterEvents(context, { component: as, as });
  }

  async begin(): Promise<(node: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#nodes = await informers.open<Node>('', 'nodes');
    this.#drivers = await informers.open<CSIDriver>('storage.k8s.io', 'csidrivers');
    this.#attachments = await informers.open<VolumeAttachment>('storage.k8s.io', 'volumeattachments');
    this.#onNode = this.#attachments.index((each) => (isOfController(each) ? [each.spec?.nodeName ?? ''] : []));
    this.#ofVolume = this.#attachments.index((each) =>
      isOfController(each) ? [each.spec?.source?.persistentVolumeName ?? ''] : [],
    );
    this.#used = await PodVolumes.open(this.#context);
    this.#used.follow((node) => this.#keys.add(node));
    this.#nodes.follow({
      changed: (node, previous) => {
        const isSame = previous !== undefined && stateOf(previous) === stateOf(node);
        if (!isSame) this.#keys.add(node.metadata.name ?? '');
      },
      removed: ({ metadata }) => this.#keys.add(metadata.name ?? ''),
    });
    this.#attachments.follow({
      changed: ({ spec }) => this.#keys.add(spec?.nodeName ?? ''),
      removed: ({ metadata, spec }) => {
        this.#goingSinceMs.delete(metadata.name ?? '');
        this.#keys.add(spec?.nodeName ?? '');
        this.#touchOthers(spec?.source?.persistentVolumeName ?? '');
      },
    });
    return (node) => this.#look(node);
  }

  /** Has the nodes looked at that may have waited for a volume. */
  #touchOthers(name: string): void {
    const volume = this.#used.volumes.get('', name);
    if (volume === undefined) return;
    for (const { spec } of this.#used.podsWith(volume)) if (spec?.nodeName) this.#keys.add(spec.nodeName);
  }

  async #look(name: string): Promise<number | undefined> {
    const node = this.#nodes.get('', name);
    const wanted = node === undefined ? new Map<string, Wanted>() : this.#wantedOn(name);
    if (wanted.size === 0) this.#refused.delete(name);
    const againMs = await this.#detach(name, node, wanted);
    if (node === undefined) return againMs;
    const attached = new Map(this.#onNode.get(name).map((each) => [each.spec?.source?.persistentVolumeName, each]));
    const names: string[] = [];
    for (const [uniqueName, { volume, pods }] of wanted) {
      const attachment = attached.get(volume.metadata.name);
      if (attachment === undefined) await this.#attach(name, volume, pods);
      else if (attachment.status?.attached === true) names.push(uniqueName);
    }
    const before = new Set((node.status?.volumesAttached ?? []).map((each) => each.name));
    // What is to go, but cannot yet, stays in the report.
    for (const { spec } of attached.values()) {
      const volume = this.#used.volumes.get('', spec?.source?.persistentVolumeName ?? '');
      const uniqueName = volume === undefined ? undefined : attachedName(volume);
      if (uniqueName !== undefined && !wanted.has(uniqueName) && before.has(uniqueName)) names.push(uniqueName);
    }
    await this.#report(node, names);
    for (const uniqueName of names) {
      const told = before.has(uniqueName) ? undefined : wanted.get(uniqueName);
      const message = `AttachVolume.Attach succeeded for volume "${told?.volume.metadata.name}" `;
      for (const pod of told?.pods ?? []) this.#events.record(pod, 'SuccessfulAttachVolume', message);
    }
    return againMs;
  }

  #wantedOn(node: string): Map<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    for (const { name, volume, pod } of this.#used.usedOn(node)) {
      const driver = this.#drivers.get('', volume.spec?.csi?.driver ?? '');
      if (driver?.spec?.attachRequired === false) continue;
      const found = wanted.get(name);
      if (found === undefined) wanted.set(name, { volume, pods: [pod] });
      else if (!found.pods.includes(pod)) found.pods.push(pod);
    }
    return wanted;
  }

  async #attach(nodeName: string, volume: PersistentVolume, pods: readonly Pod[]): Promise<void> {
    const { name = '' } = volume.metadata;
    const { driver = '', volumeHandle = '' } = volume.spec?.csi ?? {};
    const others = this.#ofVolume.get(name).filter(({ spec }) => spec?.nodeName !== nodeName);
    if (others.length > 0 && !isShared(volume)) {
      // What another node is about to lose is waited for in silence.
      if (!others.some((each) => this.#isKept(each, volume))) return;
      const refused = this.#refused.get(nodeName) ?? new Set();
      if (!refused.has(name)) this.#refuse(volume, pods);
      this.#refused.set(nodeName, refused.add(name));
      return;
    }
    this.#refused.get(nodeName)?.delete(name);
    const id = `csi-${createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')}`;
    const spec = { attacher: driver, nodeName, source: { persistentVolumeName: name } };
    try {
      await this.#objects.create<VolumeAttachment>(this.#attachments, { metadata: { name: id }, spec });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }

  /** Whether a node goes on to have a volume: pods on it use it, or it has not let go of it. */
  #isKept({ spec }: VolumeAttachment, volume: PersistentVolume): boolean {
    const { nodeName = '' } = spec ?? {};
    const inUse = this.#nodes.get('', nodeName)?.status?.volumesInUse ?? [];
    return this.#used.isUsedOn(volume, nodeName) || inUse.includes(attachedName(volume) ?? '');
  }

  /** Tells pods that another node has a volume that only one can have. */
  #refuse(volume: PersistentVolume, pods: readonly Pod[]): void {
    const { name } = volume.metadata;
    const here = new Set(pods);
    for (const pod of pods) {
      const others = this.#used.podsWith(volume).filter((each) => !here.has(each) && each.spec?.nodeName);
      const names = others.map(({ metadata }) => metadata.name).join(', ');
      const why =
        others.length === 0
          ? "Volume is already exclusively attached to one node and can't be attached to another"
          : `Volume is already used by pod(s) ${names}`;
      this.#events.warn(pod, 'FailedAttachVolume', `Multi-Attach error for volume "${name}" ${why}`);
    }
  }

  /** @returns after how many milliseconds an unhealthy node loses a volume that it does not let go of */
  async #detach(
    name: string,
    node: Node | undefined,
    wanted: ReadonlyMap<string, Wanted>,
  ): Promise<number | undefined> {
    let againMs: number | undefined;
    for (const attachment of this.#onNode.get(name)) {
      const volume = this.#used.volumes.get('', attachment.spec?.source?.persistentVolumeName ?? '');
      const uniqueName = volume === undefined ? undefined : attachedName(volume);
      const id = attachment.metadata.name ?? '';
      if (uniqueName !== undefined && wanted.has(uniqueName)) this.#goingSinceMs.delete(id);
      else if (attachment.metadata.deletionTimestamp === undefined) {
        const leftMs = this.#holdMs(id, node, uniqueName);
        if (leftMs === 0) await this.#remove(attachment, node, uniqueName);
        else againMs = Math.min(againMs ?? leftMs, leftMs);
      }
    }
    return againMs === Number.POSITIVE_INFINITY ? undefined : againMs;
  }

  /** For how long a node still holds a volume: Infinity if until it says otherwise. */
  #holdMs(id: string, node: Node | undefined, uniqueName: string | undefined): number {
    const { clock } = this.#context;
    const sinceMs = this.#goingSinceMs.get(id) ?? clock.now();
    this.#goingSinceMs.set(id, sinceMs);
    const isHeld = uniqueName !== undefined && node?.status?.volumesInUse?.includes(uniqueName) === true;
    if (!isHeld || node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE)) return 0;
    if (isSetTrue(node.status?.conditions, 'Ready')) return Number.POSITIVE_INFINITY;
    return Math.max(0, sinceMs + LONGEST_UNMOUNT_MS - clock.now());
  }

  async #remove(attachment: VolumeAttachment, node: Node | undefined, uniqueName: string | undefined): Promise<void> {
    if (node !== undefined && uniqueName !== undefined) {
      const left = (node.status?.volumesAttached ?? []).map((each) => each.name ?? '');
      await this.#report(
        node,
        left.filter((each) => each !== uniqueName),
      );
    }
    await this.#objects.delete(this.#attachments, attachment);
  }

  /** Tells a node what is attached to it. */
  async #report(node: Node, names: readonly string[]): Promise<void> {
    const sorted = [...names].sort();
    const before = (node.status?.volumesAttached ?? []).map((each) => each.name);
    if (before.length === sorted.length && before.every((each, index) => each === sorted[index])) return;
    await this.#objects.updateStatus<Node>(this.#nodes, node, (draft) => {
      const { volumesAttached: _before, ...status } = draft.status ?? {};
      const volumesAttached = sorted.map((name) => ({ name, devicePath: '' }));
      draft.status = sorted.length === 0 ? status : { ...status, volumesAttached };
      return true;
    });
  }
}

/** Whether several nodes can have a volume at once. */
function isShared({ spec }: PersistentVolume): boolean {
  const modes = spec?.accessModes ?? [];
  return modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

/** What decides about the volumes of a node. */
function stateOf({ spec, status }: Node): string {
  const isOut = spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE) === true;
  return JSON.stringify([status?.volumesInUse, isOut, isSetTrue(status?.conditions, 'Ready')]);
}
