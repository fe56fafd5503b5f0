// The rules of how containers use the volumes of their pod: mounted as directories, or as devices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { validateChoice } from '../../validation/field-rules.ts';
import { validateDescendingPath } from '../../validation/pod-references.ts';
import type { ContainerShape, VolumeMountShape, VolumeShape } from './pod-shape.ts';

type Volumes = ReadonlyMap<string, VolumeShape>;

export function validateVolumeMounts(container: ContainerShape, volumes: Volumes, field: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const found: FieldError[] = [];
  const paths = new Set<string>();
  for (const [index, mount] of volumeMounts.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', mountPath = '' } = mount;
    if (name === '') found.push(fieldError.required(`${here}.name`));
    if (!volumes.has(name)) found.push(fieldError.notFound(`${here}.name`, name));
    if (mountPath === '') found.push(fieldError.required(`${here}.mountPath`));
    if (paths.has(mountPath)) found.push(fieldError.invalid(`${here}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (volumeDevices.some((device) => device.name === name)) {
      found.push(fieldError.invalid(`${here}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (volumeDevices.some((device) => device.devicePath === mountPath)) {
      const why = 'must not already exist as a path in volumeDevices';
      found.push(fieldError.invalid(`${here}.mountPath`, mountPath, why));
    }
    found.push(...validateSubPaths(mount, here, field), ...validatePropagation(mount, container, field));
  }
  return found;
}

/** What is said of a mount's part, propagation and reading stands at the list, not at its item. */
function validateSubPaths({ subPath = '', subPathExpr = '' }: VolumeMountShape, here: string, field: string) {
  const found: FieldError[] = [];
  if (subPath !== '') found.push(...validateDescendingPath(subPath, `${field}.subPath`));
  if (subPathExpr === '') return found;
  if (subPath !== '') {
    const why = 'subPathExpr and subPath are mutually exclusive';
    found.push(fieldError.invalid(`${here}.subPathExpr`, subPathExpr, why));
  }
  return [...found, ...validateDescendingPath(subPathExpr, `${field}.subPathExpr`)];
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible'];

function validatePropagation(mount: VolumeMountShape, container: ContainerShape, field: string): FieldError[] {
  const { mountPropagation, recursiveReadOnly, readOnly } = mount;
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

export function validateVolumeDevices(container: ContainerShape, volumes: Volumes, field: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
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
    if (volumeMounts.some((mount) => mount.name === name)) {
      found.push(fieldError.invalid(`${here}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (volumeMounts.some((mount) => mount.mountPath === devicePath)) {
      found.push(fieldError.invalid(pathField, devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  }
  return found;
}

/** Only claims come as devices. */
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
