// Provisioner of the simulated driver: it makes volumes for claims that ask for them, and deletes released ones.

import { isTaken } from '../../api/error-reasons.ts';
import type { Draft } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { StorageClass, VolumeAttachment } from '../../resources/builtin/storage/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { classOf } from '../scheduler/volumes/pod-claims.ts';
import { DRIVER } from './driver-names.ts';
import { BETA_PROVISIONER, PROVISIONED_BY, PROVISIONER, SELECTED_NODE } from './volume-names.ts';

const FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';
const FILE_SYSTEM = 'csi.storage.k8s.io/fstype';

export function provisioner(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'volume-provisioner',
    begin: (keys) => new Provisioner(context).begin(keys),
  });
}

class Provisioner {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  #claims!: Informer<PersistentVolumeClaim>;
  #volumes!: Informer<PersistentVolume>;
  #classes!: Informer<StorageClass>;
  #nodes!: Informer<Node>;
  /** By the name of their volume. */
  #attachments!: Index<VolumeAttachment>;

  constructor(context: ClusterContext) {
    const who = { as: 'simulated-storage', userAgent: 'csi-provisioner' };
    this.#context = context;
    this.#objects = new ClusterObjects(context, who.as, who.userAgent);
    this.#events = new ClusterEvents(context, { component: DRIVER, ...who });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#claims = await informers.open('', 'persistentvolumeclaims');
    this.#volumes = await informers.open('', 'persistentvolumes');
    this.#classes = await informers.open('storage.k8s.io', 'storageclasses');
    this.#nodes = await informers.open('', 'nodes');
    const attachments = await informers.open<VolumeAttachment>('storage.k8s.io', 'volumeattachments');
    this.#attachments = attachments.index(({ spec }) => [spec?.source?.persistentVolumeName ?? '']);
    const look = (object: PersistentVolumeClaim | PersistentVolume) => keys.add(keyOf(object));
    this.#claims.follow({ changed: look });
    this.#volumes.follow({ changed: look });
    attachments.follow({
      changed: () => {},
      removed: ({ spec }) => keys.add(spec?.source?.persistentVolumeName ?? ''),
    });
    return async (key) => {
      const { namespace, name } = splitKey(key);
      // Only keys of claims have a namespace.
      if (namespace === '') await this.#keep(this.#volumes.get('', name));
      else await this.#provision(this.#claims.get(namespace, name));
      return undefined;
    };
  }

  async #provision(claim: PersistentVolumeClaim | undefined): Promise<void> {
    if (claim === undefined || (claim.spec?.volumeName ?? '') !== '') return;
    const { annotations, deletionTimestamp, uid } = claim.metadata;
    const asked = ownMember(annotations, PROVISIONER) ?? ownMember(annotations, BETA_PROVISIONER);
    const storageClass = this.#classes.get('', classOf(claim));
    if (asked !== DRIVER || storageClass?.provisioner !== DRIVER || deletionTimestamp !== undefined) return;
    const node = ownMember(annotations, SELECTED_NODE);
    if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && node === undefined) return;
    const name = `pvc-${uid}`;
    if (this.#volumes.get('', name) !== undefined || isForPopulator(claim)) return;
    const message = `External provisioner is provisioning volume for claim "${keyOf(claim)}"`;
    this.#events.record(claim, 'Provisioning', message);
    const fault = this.#fault(claim, node);
    if (fault !== undefined) {
      const which = `failed to provision volume with StorageClass "${storageClass.metadata.name}"`;
      this.#events.warn(claim, 'ProvisioningFailed', `${which}: ${fault}`);
      if (node !== undefined && this.#nodes.get('', node) === undefined) await this.#askAgain(claim, node);
      return;
    }
    try {
      await this.#objects.create(this.#volumes, volumeFor(claim, storageClass));
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    this.#events.record(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  /** Why no volume can be made. */
  #fault({ spec }: PersistentVolumeClaim, node: string | undefined): string | undefined {
    if (node !== undefined && this.#nodes.get('', node) === undefined) {
      return `failed to get target node: node "${node}" not found`;
    }
    if (spec?.selector !== undefined) return 'claim Selector is not supported';
    if (spec?.dataSource?.kind !== 'VolumeSnapshot') return undefined;
    return `CSI driver does not support snapshot restore: driver name: ${DRIVER}`;
  }

  /** Has the scheduler choose another node. */
  async #askAgain(claim: PersistentVolumeClaim, node: string): Promise<void> {
    await this.#objects.update(this.#claims, claim, ({ metadata }) => {
      if (ownMember(metadata.annotations, SELECTED_NODE) !== node) return false;
      delete metadata.annotations?.[SELECTED_NODE];
      return true;
    });
  }

  /** Protects a volume until it may be deleted, and deletes it once it is released and no node has it. */
  async #keep(volume: PersistentVolume | undefined): Promise<void> {
    if (volume === undefined || ownMember(volume.metadata.annotations, PROVISIONED_BY) !== DRIVER) return;
    const { name = '', finalizers, deletionTimestamp } = volume.metadata;
    const isToGo = volume.spec?.persistentVolumeReclaimPolicy === 'Delete';
    const isGoing = isToGo && volume.status?.phase === 'Released';
    if (isGoing && this.#attachments.get(name).length > 0) return;
    if (isGoing && deletionTimestamp === undefined) await this.#objects.delete(this.#volumes, volume);
    const isWanted = isToGo && !isGoing;
    const isProtected = finalizers?.includes(FINALIZER) === true;
    // None can be added to what is being deleted.
    if (isWanted === isProtected || (isWanted && deletionTimestamp !== undefined)) return;
    await this.#objects.update(this.#volumes, volume, ({ metadata }) => {
      const others = (metadata.finalizers ?? []).filter((each) => each !== FINALIZER);
      metadata.finalizers = isWanted ? [...others, FINALIZER] : others;
      return true;
    });
  }
}

/** Whether a claim is to be filled from something that only a populator understands. */
function isForPopulator({ spec }: PersistentVolumeClaim): boolean {
  const kind = (spec?.dataSourceRef ?? spec?.dataSource)?.kind;
  return kind !== undefined && kind !== 'PersistentVolumeClaim' && kind !== 'VolumeSnapshot';
}

function volumeFor(claim: PersistentVolumeClaim, storageClass: StorageClass): Draft<PersistentVolume> {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const { accessModes = [], resources, volumeMode = 'Filesystem', volumeAttributesClassName } = claim.spec ?? {};
  const fsType = ownMember(storageClass.parameters, FILE_SYSTEM) ?? 'ext4';
  const policy = storageClass.reclaimPolicy ?? 'Delete';
  const { mountOptions = [] } = storageClass;
  return {
    metadata: {
      name: `pvc-${uid}`,
      annotations: {
        [PROVISIONED_BY]: DRIVER,
        'volume.kubernetes.io/provisioner-deletion-secret-name': '',
        'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
      },
      ...(policy === 'Delete' ? { finalizers: [FINALIZER] } : {}),
    },
    spec: {
      accessModes: [...accessModes],
      capacity: { storage: ownMember(resources?.requests, 'storage') ?? '0' },
      claimRef: { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion },
      csi: {
        driver: DRIVER,
        volumeHandle: `pvc-${uid}`,
        ...(volumeMode === 'Filesystem' ? { fsType } : {}),
      },
      ...(mountOptions.length === 0 ? {} : { mountOptions: [...mountOptions] }),
      persistentVolumeReclaimPolicy: policy,
      storageClassName: storageClass.metadata.name,
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      volumeMode,
    },
  } as Draft<PersistentVolume>;
}
