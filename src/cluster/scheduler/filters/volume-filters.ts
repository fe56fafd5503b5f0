// Filters about the volumes that a pod brings along: claims and disks that one pod alone may use, the zones of volumes, and
// how many volumes a driver can attach to a node.

import { ownMember } from '../../../api/own-member.ts';
import type { Volume } from '../../../resources/builtin/core/volume/objects.ts';
import { type Filter, forGood, forNow, type Rejection } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Sources } from '../sources.ts';
import { classOf } from '../volumes/pod-claims.ts';

const CLAIM_IN_USE =
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
const DISK_IN_USE = 'node(s) had no available disk';
const WRONG_ZONE = 'node(s) had no available volume zone';

/** Whether claims and disks that only one pod may use are free. */
export function volumeRestrictions(
  pod: PodInfo,
  { claims }: Sources,
  snapshot: Snapshot,
): Filter | Rejection | undefined {
  const exclusive = new Set<string>();
  for (const name of pod.claims) {
    const claim = claims.get(pod.namespace, name);
    if (claim === undefined) return forGood('VolumeRestrictions', `persistentvolumeclaim "${name}" not found`);
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) exclusive.add(name);
  }
  const uses = [...exclusive].filter((name) => snapshot.usesOfClaim(pod.namespace, name) > 0).length;
  const disks = (pod.pod.spec?.volumes ?? []).filter(isDisk);
  if (uses === 0 && disks.length === 0) return undefined;
  return new VolumeRestrictions({ exclusive, disks }, uses);
}

class VolumeRestrictions implements Filter {
  readonly name = 'VolumeRestrictions';
  readonly #of: { readonly exclusive: ReadonlySet<string>; readonly disks: readonly Volume[] };
  #uses: number;

  constructor(of: { readonly exclusive: ReadonlySet<string>; readonly disks: readonly Volume[] }, uses: number) {
    this.#of = of;
    this.#uses = uses;
  }

  check({ pods }: NodeInfo): Rejection | undefined {
    const others = this.#of.disks.length === 0 ? [] : pods.values().flatMap(({ pod }) => pod.spec?.volumes ?? []);
    for (const other of others) {
      if (this.#of.disks.some((disk) => isSameDisk(disk, other))) return forNow('VolumeRestrictions', DISK_IN_USE);
    }
    return this.#uses > 0 ? forNow('VolumeRestrictions', CLAIM_IN_USE) : undefined;
  }

  moved(other: PodInfo, _node: NodeInfo, by: 1 | -1): void {
    for (const name of other.claims) if (this.#of.exclusive.has(name)) this.#uses += by;
  }

  copy(): Filter {
    return new VolumeRestrictions(this.#of, this.#uses);
  }
}

function isDisk(volume: Volume): boolean {
  const { gcePersistentDisk, awsElasticBlockStore, rbd, iscsi } = volume;
  return [gcePersistentDisk, awsElasticBlockStore, rbd, iscsi].some((each) => each !== undefined);
}

/** Whether two volumes are one disk, which at least one of them writes to. */
function isSameDisk(one: Volume, other: Volume): boolean {
  const writes = (a: { readonly readOnly?: boolean }, b: { readonly readOnly?: boolean }) =>
    a.readOnly !== true || b.readOnly !== true;
  const [disk, otherDisk] = [one.gcePersistentDisk, other.gcePersistentDisk];
  if (disk && otherDisk && disk.pdName === otherDisk.pdName && writes(disk, otherDisk)) return true;
  const [store, otherStore] = [one.awsElasticBlockStore, other.awsElasticBlockStore];
  if (store && otherStore && store.volumeID === otherStore.volumeID) return true;
  const [target, otherTarget] = [one.iscsi, other.iscsi];
  if (target && otherTarget && target.iqn === otherTarget.iqn && writes(target, otherTarget)) return true;
  const [image, otherImage] = [one.rbd, other.rbd];
  if (!image || !otherImage || image.pool !== otherImage.pool || image.image !== otherImage.image) return false;
  return writes(image, otherImage) && (image.monitors ?? []).some((each) => otherImage.monitors?.includes(each));
}

const ZONE_LABELS = [
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
];

/** Whether a node is in the zones of the volumes of the pod. */
export function volumeZone(pod: PodInfo, sources: Sources): Filter | Rejection | undefined {
  const zones: { readonly key: string; readonly values: readonly string[] }[] = [];
  for (const name of pod.claims) {
    const claim = sources.claims.get(pod.namespace, name);
    const volumeName = claim?.spec?.volumeName ?? '';
    if (claim === undefined) return forGood('VolumeZone', `persistentvolumeclaim "${name}" not found`);
    // The volume of a claim without one is chosen for the node.
    if (volumeName === '') continue;
    const volume = sources.volumes.get('', volumeName);
    if (volume === undefined) return forGood('VolumeZone', `persistentvolume "${volumeName}" not found`);
    for (const key of ZONE_LABELS) {
      const label = ownMember(volume.metadata.labels, key);
      if (label !== undefined) zones.push({ key, values: label.split('__').map((each) => each.trim()) });
    }
  }
  if (zones.length === 0) return undefined;
  return {
    name: 'VolumeZone',
    check: ({ labels }) => {
      if (!ZONE_LABELS.some((key) => ownMember(labels, key) !== undefined)) return undefined;
      const isIn = zones.every(({ key, values }) => {
        const value = ownMember(labels, key) ?? ownMember(labels, key.replace('failure-domain.beta', 'topology'));
        return value !== undefined && values.includes(value);
      });
      return isIn ? undefined : forGood('VolumeZone', WRONG_ZONE);
    },
  };
}

/** Whether the drivers of the pod's volumes can attach more to a node. */
export function nodeVolumeLimits(pod: PodInfo, sources: Sources): Filter | undefined {
  if (!(pod.pod.spec?.volumes ?? []).some((each) => each.persistentVolumeClaim ?? each.ephemeral)) return undefined;
  const wanted = attachable(pod, sources);
  if (wanted.size === 0) return undefined;
  return {
    name: 'NodeVolumeLimits',
    check: ({ name, pods }) => {
      const limits = new Map<string, number>();
      for (const { name: driver = '', allocatable } of sources.csiNodes.get('', name)?.spec?.drivers ?? []) {
        if (allocatable?.count !== undefined) limits.set(driver, allocatable.count);
      }
      if (limits.size === 0) return undefined;
      const there = attachedTo(name, sources);
      for (const each of pods.values())
        for (const [volume, driver] of attachable(each, sources)) there.set(volume, driver);
      const all = new Map([...there, ...wanted]);
      for (const [driver, limit] of limits) {
        const isMore = wanted.entries().some(([volume, by]) => by === driver && !there.has(volume));
        if (isMore && countOf(all, driver) > limit)
          return forNow('NodeVolumeLimits', 'node(s) exceed max volume count');
      }
      return undefined;
    },
  };
}

function countOf(volumes: ReadonlyMap<string, string>, driver: string): number {
  return volumes
    .values()
    .filter((each) => each === driver)
    .toArray().length;
}

/** The drivers of the volumes of a pod, by volume. */
function attachable({ pod, namespace }: PodInfo, { claims, volumes, storageClasses }: Sources): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, persistentVolumeClaim, ephemeral } of pod.spec?.volumes ?? []) {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral && `${pod.metadata.name}-${name}`);
    const claim = claimName === undefined ? undefined : claims.get(namespace, claimName);
    if (claim === undefined) continue;
    const volume = volumes.get('', claim.spec?.volumeName ?? '');
    const { driver, volumeHandle } = volume?.spec?.csi ?? {};
    if (driver !== undefined) found.set(`${driver}/${volumeHandle}`, driver);
    else if (volume === undefined) {
      const provisioner = storageClasses.get('', classOf(claim))?.provisioner ?? '';
      // It has no handle yet; its claim stands for it.
      if (provisioner !== '') found.set(`${provisioner}/claim ${namespace}/${claimName}`, provisioner);
    }
  }
  return found;
}

/** Volumes that are attached to a node, whoever uses them. */
function attachedTo(node: string, { attachments, volumes }: Sources): Map<string, string> {
  const found = new Map<string, string>();
  for (const { spec } of attachments.list()) {
    const { attacher = '', nodeName, source } = spec ?? {};
    if (nodeName !== node || attacher === '') continue;
    const handle = volumes.get('', source?.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (handle !== undefined) found.set(`${attacher}/${handle}`, attacher);
  }
  return found;
}
