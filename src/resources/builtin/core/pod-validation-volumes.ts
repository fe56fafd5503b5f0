// The rules of a pod's volumes: each has a name of its own and exactly one source. What each source wants is told in
// pod-validation-files.ts (what is made of API objects) and pod-validation-disks.ts (what lies on a disk).

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults, subdomainFaults } from '../../../api/names.ts';
import type { JsonObject } from '../../../api/object.ts';
import { faultErrors } from '../../validation/field-rules.ts';
import { isObject, textAt } from '../../value.ts';
import type { PodMetadata, VolumeShape } from './pod-shape.ts';
import { diskSources } from './pod-validation-disks.ts';
import { fileSources } from './pod-validation-files.ts';

/** What one source of volumes must keep to; `field` is where it stands: `spec.volumes[0].nfs`. */
export type SourceRule = (source: JsonObject, field: string, surroundings: VolumeSurroundings) => FieldError[];

export interface VolumeSurroundings {
  /** A pod itself, not a template of one. */
  readonly isPod: boolean;
}

/** Sources in Kubernetes' order: of several the first is looked at, the others are too many. */
const SOURCES: readonly (readonly [name: string, rule: SourceRule])[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
].map((name) => [name, (fileSources[name] ?? diskSources[name]) as SourceRule]);

export interface ValidatedVolumes {
  readonly found: FieldError[];
  /** The volumes that are sound, by name: what containers can use. */
  readonly sound: ReadonlyMap<string, VolumeShape>;
}

/** @param metadata the pod's, whose name tells the claims that will be made for it; undefined for a template */
export function validateVolumes(
  volumes: readonly VolumeShape[],
  metadata: PodMetadata | undefined,
  field: string,
): ValidatedVolumes {
  const found: FieldError[] = [];
  const sound = new Map<string, VolumeShape>();
  const podName = metadata?.name ?? '';
  const made = podName === '' ? [] : volumes.filter(isEphemeral).map((each) => `${podName}-${textAt(each, 'name')}`);
  for (const [index, volume] of volumes.entries()) {
    const here = `${field}[${index}]`;
    const name = textAt(volume, 'name');
    const own = validateSource(volume, podName, { field: here, isPod: metadata !== undefined });
    if (name === '') own.push(fieldError.required(`${here}.name`));
    else own.push(...faultErrors(labelFaults(name), name, `${here}.name`));
    if (sound.has(name)) own.push(fieldError.duplicate(`${here}.name`, name));
    if (own.length === 0) sound.set(name, volume);
    found.push(...own);
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName');
    if (made.includes(claim)) {
      const why = 'must not reference a PVC that gets created for an ephemeral volume';
      found.push(fieldError.invalid(`${here}.persistentVolumeClaim.claimName`, claim, why));
    }
  }
  return { found, sound };
}

function isEphemeral(volume: VolumeShape): boolean {
  return isObject(volume['ephemeral']);
}

function validateSource(
  volume: VolumeShape,
  podName: string,
  { field, isPod }: { field: string; isPod: boolean },
): FieldError[] {
  const found: FieldError[] = [];
  let seen = 0;
  for (const [name, rule] of SOURCES) {
    const source = volume[name];
    if (!isObject(source)) continue;
    seen++;
    const here = `${field}.${name}`;
    if (seen > 1) found.push(fieldError.forbidden(here, 'may not specify more than 1 volume type'));
    else found.push(...rule(source, here, { isPod }));
  }
  if (seen === 0) found.push(fieldError.required(field, 'must specify a volume type'));
  return [...found, ...validateTogether(volume, podName, field)];
}

/** What the volume's name and its source must keep to together. */
function validateTogether(volume: VolumeShape, podName: string, field: string): FieldError[] {
  const name = textAt(volume, 'name');
  const found: FieldError[] = [];
  if (textAt(volume, 'iscsi', 'initiatorName') !== '') {
    const portal = textAt(volume, 'iscsi', 'targetPortal');
    if (`${name}:${portal}`.length > 64) found.push(fieldError.invalid(`${field}.name`, name, LONG_PORTAL));
  }
  if (isEphemeral(volume) && podName !== '' && name !== '') {
    const claim = `${podName}-${name}`;
    for (const each of subdomainFaults(claim)) {
      found.push(fieldError.invalid(`${field}.name`, name, `PVC name ${JSON.stringify(claim)}: ${each}`));
    }
  }
  return found;
}

const LONG_PORTAL =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
