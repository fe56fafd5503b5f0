// Validation of a pod's volumes: unique names and exactly one source. The rules for sources are in validation-files.ts
// (from API objects) and validation-disks.ts (on a disk).

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { labelFaults, subdomainFaults } from '../../../../api/names.ts';
import type { ObjectMeta } from '../../../../api/object.ts';
import { joined, NONE } from '../../../../base/findings.ts';
import { overItems } from '../../../../base/resumed.ts';
import type { StrategyContext } from '../../../definition.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import type { Volume } from './objects.ts';

import type { SourceName, SourceRules, VolumeSurroundings } from './source-rule.ts';
import { diskSources } from './validation-disks.ts';
import { fileSources } from './validation-files.ts';

const RULES: SourceRules = { ...fileSources, ...diskSources };

interface Source {
  readonly name: SourceName;
  /** Its position in Kubernetes' order: the first of several sources is validated, the others are too many. */
  readonly place: number;
}

const SOURCES: ReadonlyMap<string, Source> = new Map(
  (
    [
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
    ] as const
  ).map((name, place) => [name, { name, place }]),
);

export interface ValidatedVolumes {
  readonly found: FieldErrors;
  /** The valid volumes, by name: those that containers can use. */
  readonly sound: ReadonlyMap<string, Volume>;
}

interface VolumePlace {
  /** Of the pod, whose name determines those of ephemeral claims; undefined for a template. */
  readonly metadata?: ObjectMeta | undefined;
  readonly rules?: Partial<Pick<StrategyContext, 'gateEnabled'>>;
}

export function validateVolumes(volumes: readonly Volume[], place: VolumePlace, field: string): ValidatedVolumes {
  const { metadata } = place;
  const sound = new Map<string, Volume>();
  const made = claimsMade(volumes, metadata?.name ?? '');
  const found = overItems(volumes, (volume, index) => {
    const here = `${field}[${index}]`;
    const name = volume.name ?? '';
    const own = joined(
      validateSource(volume, place, here),
      name === '' ? [fieldError.required(`${here}.name`)] : faultErrors(labelFaults(name), name, `${here}.name`),
    );
    return [{ own, more: validateClaimName(volume, made, here) }];
  }).map(({ own, more }, index) => {
    const volume = volumes[index] as Volume;
    const name = volume.name ?? '';
    if (sound.has(name)) return joined(own, [fieldError.duplicate(`${field}[${index}].name`, name)], more);
    if (own.length === 0) sound.set(name, volume);
    return joined(own, more);
  });
  return { found: joined(...found), sound };
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The names of ephemeral claims for a pod of this name. */
function claimsMade(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  if (podName === '' || !volumes.some(isEphemeral)) return NO_NAMES;
  return new Set(volumes.filter(isEphemeral).map((each) => `${podName}-${each.name ?? ''}`));
}

function validateClaimName({ persistentVolumeClaim }: Volume, made: ReadonlySet<string>, field: string) {
  const claim = persistentVolumeClaim?.claimName ?? '';
  if (claim === '' || !made.has(claim)) return NONE;
  const why = 'must not reference a PVC that gets created for an ephemeral volume';
  return [fieldError.invalid(`${field}.persistentVolumeClaim.claimName`, claim, why)];
}

function isEphemeral(volume: Volume): boolean {
  return volume.ephemeral !== undefined;
}

function validateSource(volume: Volume, { metadata, rules = {} }: VolumePlace, field: string): FieldErrors {
  const [first, ...others] = sourcesOf(volume);
  if (first === undefined) return [fieldError.required(field, 'must specify a volume type')];
  const many = 'may not specify more than 1 volume type';
  const hasAttributes = rules.gateEnabled?.('VolumeAttributesClass') !== false;
  return joined(
    validateOne(first.name, volume, { field, isPod: metadata !== undefined, hasAttributes }),
    others.map(({ name }) => fieldError.forbidden(`${field}.${NAMES_OF_OTHERS.get(name) ?? name}`, many)),
    validateTogether(volume, first.name === 'ephemeral' ? (metadata?.name ?? '') : '', field),
  );
}

function validateOne<M extends SourceName>(
  name: M,
  volume: Volume,
  { field, ...surroundings }: VolumeSurroundings & { readonly field: string },
): FieldErrors {
  const source = volume[name];
  return source === undefined ? NONE : RULES[name](source, `${field}.${name}`, surroundings);
}

/** Kubernetes' names of some sources if there are several. */
const NAMES_OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);

function sourcesOf(volume: Volume): Source[] {
  const sources: Source[] = [];
  for (const name in volume) {
    const source = SOURCES.get(name);
    if (source !== undefined && volume[source.name] !== undefined) sources.push(source);
  }
  return sources.length > 1 ? sources.sort((one, other) => one.place - other.place) : sources;
}

/**
 * Rules that involve the volume's name and its source.
 * @param podName '' if the volume makes no claim
 */
function validateTogether(volume: Volume, podName: string, field: string): FieldErrors {
  if (volume.iscsi === undefined && volume.ephemeral === undefined) return NONE;
  const name = volume.name ?? '';
  const found: FieldError[] = [];
  if ((volume.iscsi?.initiatorName ?? '') !== '') {
    const portal = volume.iscsi?.targetPortal ?? '';
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
