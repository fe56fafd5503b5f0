// Volumes for claims that are not bound yet: existing ones that match, and classes that can make one for a node.

import { labelSelectorOf } from '../../../api/label-selector.ts';
import type { JsonObject } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import type { Node } from '../../../resources/builtin/core/node/objects.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { StorageClass } from '../../../resources/builtin/storage/v1-objects.ts';
import { matchesSelector } from '../../node-selection.ts';
import { amountOf } from '../amounts.ts';
import type { Sources } from '../sources.ts';
import { classOf } from './pod-claims.ts';

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** Whether a volume can be used on a node. */
export function isReachable({ spec }: PersistentVolume, { metadata }: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  // Labels alone count.
  return required === undefined || matchesSelector(required, { metadata: { labels: metadata.labels ?? {} } });
}

/** The smallest volume that does for a claim on a node, or the one that was made for it. */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  { node, taken }: { readonly node: Node; readonly taken: ReadonlySet<string> },
): PersistentVolume | undefined {
  const fitting = volumes.filter((each) => !taken.has(each.metadata.name ?? '') && mayServe(each, claim));
  const reserved = fitting.find((each) => isFor(each, claim));
  if (reserved !== undefined) return isReachable(reserved, node) ? reserved : undefined;
  const selector = claim.spec?.selector;
  const matches = selector === undefined ? undefined : labelSelectorOf(selector as unknown as JsonObject);
  return fitting
    .filter(({ metadata }) => matches === undefined || matches.matches(metadata.labels))
    .filter((each) => each.status?.phase === 'Available' && classOf(each) === classOf(claim))
    .filter((each) => isReachable(each, node) && hasAccess(each, claim))
    .reduce<PersistentVolume | undefined>(
      (best, each) => (best === undefined || sizeOf(each) < sizeOf(best) ? each : best),
      undefined,
    );
}

/** Whether a volume is free or reserved for the claim, large enough and of the right kind. */
function mayServe(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { metadata, spec } = volume;
  if (spec?.claimRef !== undefined && !isFor(volume, claim)) return false;
  if (metadata.deletionTimestamp !== undefined || sizeOf(volume) < requestedSize(claim)) return false;
  if ((spec?.volumeMode ?? 'Filesystem') !== (claim.spec?.volumeMode ?? 'Filesystem')) return false;
  return (spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}

/** Whether a volume is reserved for a claim. */
export function isFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { name, namespace, uid = '' } = spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === '' || uid === metadata.uid);
}

/** Whether a volume has all access modes that a claim asks for. */
export function hasAccess({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

/** In bytes. */
export function sizeOf({ spec }: PersistentVolume): number {
  return amountOf('storage', ownMember(spec?.capacity, 'storage') ?? '0');
}

/** In bytes. */
export function requestedSize({ spec }: PersistentVolumeClaim): number {
  return amountOf('storage', ownMember(spec?.resources?.requests, 'storage') ?? '0');
}

/** Whether a volume can be made for a claim on a node. @throws Error if the class is missing */
export function provisioning(
  claim: PersistentVolumeClaim,
  node: Node,
  sources: Sources,
): 'possible' | 'impossible' | 'no space' {
  const name = classOf(claim);
  const which = `${claim.metadata.namespace}/${claim.metadata.name}`;
  if (name === '') throw new Error(`no class for claim "${which}"`);
  const storageClass = sources.storageClasses.get('', name);
  if (storageClass === undefined) throw new Error(`failed to find storage class "${name}"`);
  const { provisioner = '' } = storageClass;
  if (provisioner === '' || provisioner === NO_PROVISIONER || !isAllowed(storageClass, node)) return 'impossible';
  return hasCapacity(claim, { node, storageClass, provisioner, sources }) ? 'possible' : 'no space';
}

function isAllowed({ allowedTopologies = [] }: StorageClass, { metadata }: Node): boolean {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key = '', values }) => {
      const value = ownMember(metadata.labels, key);
      return value !== undefined && (values ?? []).includes(value);
    }),
  );
}

/** Drivers that publish their capacity are believed. */
function hasCapacity(
  claim: PersistentVolumeClaim,
  place: {
    readonly node: Node;
    readonly storageClass: StorageClass;
    readonly provisioner: string;
    readonly sources: Sources;
  },
): boolean {
  const { node, storageClass, provisioner, sources } = place;
  if (sources.csiDrivers.get('', provisioner)?.spec?.storageCapacity !== true) return true;
  const bytes = requestedSize(claim);
  return sources.capacities.list().some(({ storageClassName, nodeTopology, maximumVolumeSize, capacity }) => {
    const limit = maximumVolumeSize ?? capacity;
    if (storageClassName !== storageClass.metadata.name || limit === undefined || nodeTopology === undefined)
      return false;
    if (amountOf('storage', limit) < bytes) return false;
    return labelSelectorOf(nodeTopology as unknown as JsonObject).matches(node.metadata.labels);
  });
}
