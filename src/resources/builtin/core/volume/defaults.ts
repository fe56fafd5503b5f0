// What volumes, claims and persistent volumes are when they do not say: modes of files, file systems, pools and users.

import type { JsonObject } from '../../../../api/object.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { textAt } from '../../../value.ts';
import { pullPolicy } from '../pod/image-name.ts';

/** 0644: what files of config maps, secrets and the like may be read by. */
const FILE_MODE = 0o644;
const TOKEN_LIFETIME_SECONDS = 3600;

/** A pod's volumes. One without a source is an empty directory. */
export function volumeDefaults(volume: JsonObject): void {
  let hasSource = false;
  for (const name in volume) {
    if (name === 'name') continue;
    const source = objectAt(volume, name);
    if (source === undefined) continue;
    hasSource = true;
    sourceDefaults(name, source);
  }
  if (!hasSource) volume['emptyDir'] = {};
}

/** The source of a volume of a pod or of a persistent volume: the member's name says its kind. */
function sourceDefaults(kind: string, source: JsonObject): void {
  switch (kind) {
    case 'configMap':
    case 'secret':
      fillIn(source, { defaultMode: FILE_MODE });
      break;
    case 'downwardAPI':
      fillIn(source, { defaultMode: FILE_MODE });
      itemsDefaults(source);
      break;
    case 'projected':
      fillIn(source, { defaultMode: FILE_MODE });
      for (const part of objectsAt(source, 'sources')) projectionDefaults(part);
      break;
    case 'ephemeral':
      claimSpecDefaults(objectAt(objectAt(source, 'volumeClaimTemplate'), 'spec'));
      break;
    case 'hostPath':
      fillIn(source, { type: '' });
      break;
    case 'image':
      fillIn(source, { pullPolicy: pullPolicy(textAt(source, 'reference')) });
      break;
    case 'iscsi':
      fillIn(source, { iscsiInterface: 'default' });
      break;
    case 'rbd':
      fillIn(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
      break;
    case 'azureDisk':
      fillIn(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' });
      break;
    case 'scaleIO':
      fillIn(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' });
      break;
  }
}

function projectionDefaults(part: JsonObject): void {
  const token = objectAt(part, 'serviceAccountToken');
  if (token !== undefined) fillIn(token, { expirationSeconds: TOKEN_LIFETIME_SECONDS });
  itemsDefaults(objectAt(part, 'downwardAPI'));
}

function itemsDefaults(downward: JsonObject | undefined): void {
  for (const item of objectsAt(downward, 'items')) fieldRefDefaults(objectAt(item, 'fieldRef'));
}

/** A reference to a field of the pod, in the version v1 of pods. */
export function fieldRefDefaults(reference: JsonObject | undefined): void {
  if (reference !== undefined) fillIn(reference, { apiVersion: 'v1' });
}

export function claimDefaults(claim: JsonObject): void {
  claimSpecDefaults(objectAt(claim, 'spec'));
  const status = fillIn(objectIn(claim, 'status'), { phase: 'Pending' });
  roundResourceList(status['capacity']);
  roundResourceList(status['allocatedResources']);
}

/** A claim's spec, also in templates of claims. */
export function claimSpecDefaults(spec: JsonObject | undefined): void {
  if (spec === undefined) return;
  fillIn(spec, { volumeMode: 'Filesystem' });
  const resources = objectAt(spec, 'resources');
  roundResourceList(resources?.['limits']);
  roundResourceList(resources?.['requests']);
}

export function persistentVolumeDefaults(volume: JsonObject): void {
  fillIn(objectIn(volume, 'status'), { phase: 'Pending' });
  const spec = objectAt(volume, 'spec');
  if (spec === undefined) return;
  fillIn(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  persistentVolumeSourceDefaults(spec);
}

/** What a persistent volume's spec has in common with that of a volume that is written into an attachment. */
export function persistentVolumeSourceDefaults(spec: JsonObject): void {
  roundResourceList(spec['capacity']);
  for (const kind of PERSISTENT_SOURCES) {
    const source = objectAt(spec, kind);
    if (source !== undefined) sourceDefaults(kind, source);
  }
}

const PERSISTENT_SOURCES = ['hostPath', 'iscsi', 'rbd', 'azureDisk', 'scaleIO'] as const;
