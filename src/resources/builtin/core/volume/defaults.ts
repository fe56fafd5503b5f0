// Defaults of volumes, PersistentVolumeClaims and PersistentVolumes.

import type { Draft } from '../../../../api/object.ts';
import type { StrategyContext } from '../../../definition.ts';
import { fillIn } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import type { PersistentVolume, PersistentVolumeSpec } from '../persistent-volume/objects.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../persistent-volume-claim/objects.ts';
import { pullPolicy } from '../pod/image-name.ts';
import type { ObjectFieldSelector } from '../reference-objects.ts';
import type { DownwardAPIProjection, Volume, VolumeProjection } from './objects.ts';

/** 0644: the default mode of files from ConfigMaps, Secrets and the like. */
const FILE_MODE = 0o644;
const TOKEN_LIFETIME_SECONDS = 3600;

/** Volumes of a pod. One without a source is an emptyDir. */
export function volumeDefaults(volume: Draft<Volume>, { gateEnabled }: StrategyContext): void {
  let hasSource = false;
  for (const member in volume) if (member !== 'name') hasSource = true;
  if (!hasSource) volume.emptyDir = {};
  const { configMap, secret, downwardAPI, projected, ephemeral, image } = volume;
  for (const files of [configMap, secret, downwardAPI, projected]) {
    if (files !== undefined) files.defaultMode ??= FILE_MODE;
  }
  itemsDefaults(downwardAPI);
  for (const part of projected?.sources ?? []) projectionDefaults(part);
  claimSpecDefaults(ephemeral?.volumeClaimTemplate?.spec);
  if (image !== undefined && gateEnabled('ImageVolume')) image.pullPolicy ??= pullPolicy(image.reference ?? '');
  diskDefaults(volume);
}

/** For sources that PersistentVolumes can have too. */
function diskDefaults({ hostPath, iscsi, rbd, azureDisk, scaleIO }: Disks): void {
  if (hostPath !== undefined) hostPath.type ??= '';
  if (iscsi !== undefined) iscsi.iscsiInterface ??= 'default';
  if (rbd !== undefined) fillIn(rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  if (azureDisk !== undefined) {
    fillIn(azureDisk, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' });
  }
  if (scaleIO !== undefined) fillIn(scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' });
}

type Disks = Draft<Pick<Volume | PersistentVolumeSpec, 'hostPath' | 'iscsi' | 'rbd' | 'azureDisk' | 'scaleIO'>>;

function projectionDefaults(part: Draft<VolumeProjection>): void {
  const token = part.serviceAccountToken;
  if (token !== undefined) fillIn(token, { expirationSeconds: TOKEN_LIFETIME_SECONDS });
  itemsDefaults(part.downwardAPI);
}

function itemsDefaults(downward: Draft<DownwardAPIProjection> | undefined): void {
  for (const item of downward?.items ?? []) fieldRefDefaults(item.fieldRef);
}

/** A reference to a pod field, in version v1. */
export function fieldRefDefaults(reference: Draft<ObjectFieldSelector> | undefined): void {
  if (reference !== undefined) fillIn(reference, { apiVersion: 'v1' });
}

export function claimDefaults(claim: Draft<PersistentVolumeClaim>): void {
  claimSpecDefaults(claim.spec);
  const status = fillIn((claim.status ??= {}), { phase: 'Pending' });
  roundResourceList(status.capacity);
  roundResourceList(status.allocatedResources);
}

/** The spec of a claim or claim template. */
function claimSpecDefaults(spec: Draft<PersistentVolumeClaimSpec> | undefined): void {
  if (spec === undefined) return;
  fillIn(spec, { volumeMode: 'Filesystem' });
  const resources = spec.resources;
  roundResourceList(resources?.limits);
  roundResourceList(resources?.requests);
}

export function persistentVolumeDefaults(volume: Draft<PersistentVolume>): void {
  fillIn((volume.status ??= {}), { phase: 'Pending' });
  const spec = volume.spec;
  if (spec === undefined) return;
  fillIn(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  persistentVolumeSourceDefaults(spec);
}

/** The common part of PersistentVolume specs and inline specs in VolumeAttachments. */
export function persistentVolumeSourceDefaults(spec: Draft<PersistentVolumeSpec>): void {
  roundResourceList(spec.capacity);
  diskDefaults(spec);
}
