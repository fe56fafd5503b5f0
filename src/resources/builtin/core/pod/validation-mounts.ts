// Validation of volume mounts and volume devices of containers.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { firstPlaces } from '../../../../base/first-places.ts';
import { remembering } from '../../../../base/resumed.ts';
import { validateChoice } from '../../../validation/field-rules.ts';
import { validateDescendingPath } from '../../../validation/pod-references.ts';
import type { Volume } from '../volume/objects.ts';
import type { Container, VolumeMount } from './container-objects.ts';

type Volumes = ReadonlyMap<string, Volume>;

export function validateVolumeMounts(container: Container, volumes: Volumes, field: string): FieldErrors {
  const { volumeMounts, volumeDevices } = container;
  const devices = volumeDevices === undefined ? undefined : usesOf(volumeDevices, ({ devicePath }) => devicePath);
  return remembering(
    () => new Set<string>(),
    (paths) =>
      ofItems(volumeMounts, (mount, index) => {
        const here = `${field}[${index}]`;
        const found = validatePlace(mount, { volumes, taken: paths, field: here });
        paths.add(mount.mountPath ?? '');
        return joined(
          found,
          devices === undefined ? NONE : validateNoDevice(mount, devices, here),
          validateSubPaths(mount, here, field),
          validatePropagation(mount, container, field),
          validateBindOptions(mount, volumes, here),
        );
      }),
  );
}

/** @param place.taken paths of earlier mounts */
function validatePlace(
  { name = '', mountPath = '' }: VolumeMount,
  { volumes, taken, field }: { volumes: Volumes; taken: ReadonlySet<string>; field: string },
): FieldErrors {
  return joined(
    name === '' ? [fieldError.required(`${field}.name`)] : NONE,
    volumes.has(name) ? NONE : [fieldError.notFound(`${field}.name`, name)],
    mountPath === '' ? [fieldError.required(`${field}.mountPath`)] : NONE,
    taken.has(mountPath) ? [fieldError.invalid(`${field}.mountPath`, mountPath, 'must be unique')] : NONE,
  );
}

/** The volumes that are mounted, or are devices, and their paths. */
interface Uses {
  readonly names: ReadonlySet<string | undefined>;
  readonly paths: ReadonlySet<string | undefined>;
}

function usesOf<T extends { readonly name?: string }>(
  items: readonly T[],
  path: (item: T) => string | undefined,
): Uses {
  return { names: new Set(items.map(({ name }) => name)), paths: new Set(items.map(path)) };
}

/** A volume is used either as a directory or as a device. */
function validateNoDevice({ name = '', mountPath = '' }: VolumeMount, devices: Uses, field: string): FieldErrors {
  const found: FieldError[] = [];
  if (devices.names.has(name)) {
    found.push(fieldError.invalid(`${field}.name`, name, 'must not already exist in volumeDevices'));
  }
  if (devices.paths.has(mountPath)) {
    const why = 'must not already exist as a path in volumeDevices';
    found.push(fieldError.invalid(`${field}.mountPath`, mountPath, why));
  }
  return found;
}

/** Errors in a mount's subpath, propagation and read-only settings are reported for the list, not for its item. */
function validateSubPaths({ subPath = '', subPathExpr = '' }: VolumeMount, here: string, field: string) {
  if (subPath === '' && subPathExpr === '') return NONE;
  const why = 'subPathExpr and subPath are mutually exclusive';
  return joined(
    subPath === '' ? NONE : validateDescendingPath(subPath, `${field}.subPath`),
    subPath === '' || subPathExpr === '' ? NONE : [fieldError.invalid(`${here}.subPathExpr`, subPathExpr, why)],
    subPathExpr === '' ? NONE : validateDescendingPath(subPathExpr, `${field}.subPathExpr`),
  );
}

const BIND_OPTIONS = ['nodev', 'noexec', 'nosuid'];

function validateBindOptions({ name = '', bindMountOptions = [] }: VolumeMount, volumes: Volumes, field: string) {
  if (bindMountOptions.length === 0) return NONE;
  const here = `${field}.bindMountOptions`;
  const places = firstPlaces(bindMountOptions);
  const found = bindMountOptions.flatMap((option, index) => [
    ...validateChoice(option, BIND_OPTIONS, `${here}[${index}]`),
    ...(places.get(option) !== index ? [fieldError.duplicate(`${here}[${index}]`, option)] : []),
  ]);
  if (volumes.get(name)?.image === undefined) return found;
  return [...found, fieldError.invalid(here, bindMountOptions, 'bindMountOptions may not be used with image volumes')];
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible'];

function validatePropagation(mount: VolumeMount, container: Container, field: string): FieldErrors {
  const { mountPropagation, recursiveReadOnly, readOnly } = mount;
  if (mountPropagation === undefined && recursiveReadOnly === undefined) return NONE;
  const found: FieldError[] = [];
  if (mountPropagation !== undefined) {
    found.push(...validateChoice(mountPropagation, PROPAGATIONS, `${field}.mountPropagation`));
    if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      const why = 'Bidirectional mount propagation is available only to privileged containers';
      found.push(fieldError.forbidden(`${field}.mountPropagation`, why));
    }
  }
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return found;
  const here = `${field}.recursiveReadOnly`;
  const unknown = validateChoice(recursiveReadOnly, RECURSIONS, here);
  if (unknown.length > 0) return [...found, ...unknown];
  if (readOnly !== true) found.push(fieldError.forbidden(here, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    found.push(fieldError.forbidden(here, 'may only be specified when mountPropagation is None or not specified'));
  }
  return found;
}

export function validateVolumeDevices(container: Container, volumes: Volumes, field: string): FieldErrors {
  const { volumeMounts = [], volumeDevices } = container;
  if (volumeDevices === undefined) return NONE;
  const mounted = usesOf(volumeMounts, ({ mountPath }) => mountPath);
  const found: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const here = `${field}[${index}]`;
    found.push(...validateDeviceName(name, { volumes, taken: names, field: `${here}.name` }));
    const pathField = `${here}.devicePath`;
    if (devicePath === '') found.push(fieldError.required(pathField));
    if (paths.has(devicePath)) found.push(fieldError.invalid(pathField, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) {
      found.push(fieldError.invalid(pathField, devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounted.names.has(name)) {
      found.push(fieldError.invalid(`${here}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mounted.paths.has(devicePath)) {
      found.push(fieldError.invalid(pathField, devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  }
  return found;
}

/** Only claims can be devices. */
function validateDeviceName(
  name: string,
  { volumes, taken, field }: { volumes: Volumes; taken: ReadonlySet<string>; field: string },
): FieldError[] {
  const found = name === '' ? [fieldError.required(field)] : [];
  if (taken.has(name)) found.push(fieldError.invalid(field, name, 'must be unique'));
  const volume = volumes.get(name);
  if (volume === undefined) return [...found, fieldError.notFound(field, name)];
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return found;
  const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return [...found, fieldError.invalid(field, name, why)];
}
