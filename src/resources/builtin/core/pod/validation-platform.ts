// Validation of platform-specific fields: Linux, Windows, HostProcess containers, and user namespaces.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import type { Json } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { at } from '../../../value.ts';
import type { Container } from './container-objects.ts';
import type { PodSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';

export interface PlacedContainer {
  readonly container: Container;
  readonly field: string;
}

/** The container lists of a pod spec. */
export const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Containers with their paths, in Kubernetes' order. */
export function allContainers(spec: PodSpec, field: string): PlacedContainer[] {
  const found: PlacedContainer[] = [];
  for (const list of CONTAINER_LISTS) {
    const containers = spec[list];
    if (!containers) continue;
    for (let index = 0; index < containers.length; index++) {
      found.push({ container: containers[index] as Container, field: `${field}.${list}[${index}]` });
    }
  }
  return found;
}

export function validateOs(spec: PodSpec, rules: PodRules, field: string): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = '' } = spec.os;
  switch (name) {
    case '':
      return [fieldError.required(`${field}.os.name`)];
    case 'linux':
      return validateLinux(spec, field);
    case 'windows':
      return validateWindows(spec, rules, field);
    default:
      return [fieldError.notSupported(`${field}.os`, name, ['linux', 'windows'])];
  }
}

function validateLinux(spec: PodSpec, field: string): FieldError[] {
  const found: FieldError[] = [];
  const refuse = (context: string) =>
    found.push(fieldError.forbidden(`${context}.windowsOptions`, 'windows options cannot be set for a linux pod'));
  if (spec.securityContext?.windowsOptions !== undefined) refuse(`${field}.securityContext`);
  for (const { container, field: here } of allContainers(spec, field)) {
    if (container.securityContext?.windowsOptions !== undefined) refuse(`${here}.securityContext`);
  }
  return found;
}

/**
 * Fields without an equivalent on Windows, in the order of their errors: those of the pod and of its security context.
 */
const NOT_ON_WINDOWS = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];
/** The first minor release in which errors about the security context come before the others. */
const SECURITY_CONTEXT_FIRST = 37;
/** The first minor release that refuses block devices to pods with a user namespace of their own. */
const KEEPS_DEVICES_OUT = 34;
const isOfContext = (path: string) => path.startsWith('securityContext.');
const SECURITY_CONTEXT_AND_OTHERS = [
  ...NOT_ON_WINDOWS.filter(isOfContext),
  ...NOT_ON_WINDOWS.filter((path) => !isOfContext(path)),
];
/** Booleans, which may be false. */
const SWITCHES = new Set(['hostPID', 'hostIPC']);
const NOT_IN_WINDOWS_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

function validateWindows(spec: PodSpec, rules: PodRules, field: string): FieldError[] {
  const refuse = (at: string) => fieldError.forbidden(at, 'cannot be set for a windows pod');
  const paths = isSince(rules, SECURITY_CONTEXT_FIRST) ? SECURITY_CONTEXT_AND_OTHERS : NOT_ON_WINDOWS;
  const found = paths
    .filter((path) => {
      const value = at(spec as Json, ...path.split('.'));
      return SWITCHES.has(path) ? value === true : value !== undefined;
    })
    .map((path) => refuse(`${field}.${path}`));
  for (const { container, field: here } of allContainers(spec, field)) {
    for (const member of NOT_IN_WINDOWS_CONTAINERS) {
      if (ownMember(container.securityContext as Record<string, unknown> | undefined, member) !== undefined) {
        found.push(refuse(`${here}.securityContext.${member}`));
      }
    }
  }
  return found;
}

/** HostProcess containers on Windows: all containers of a pod are, or none. */
export function validateHostProcess(spec: PodSpec, refusesPrivileged: boolean, field: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  if (ofPod === undefined && !CONTAINER_LISTS.some((list) => spec[list]?.some(isHostProcess))) return [];
  const found: FieldError[] = [];
  const containers = allContainers(spec, field);
  let count = 0;
  for (const { container, field: here } of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      found.push(fieldError.invalid(`${here}.securityContext.windowsOptions.hostProcess`, own, why));
    }
    if (own === true || ofPod === true) count++;
  }
  if (count === 0) return found;
  if (count !== containers.length) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    found.push(fieldError.invalid(field, '', why));
  }
  if (spec.hostNetwork !== true) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    found.push(fieldError.invalid(`${field}.hostNetwork`, false, why));
  }
  if (refusesPrivileged) {
    found.push(fieldError.forbidden(field, 'hostProcess containers are disallowed by cluster policy'));
  }
  return found;
}

function isHostProcess({ securityContext }: Container): boolean {
  return securityContext?.windowsOptions?.hostProcess === true;
}

/** A pod with its own user namespace cannot share other namespaces with the host. */
export function validateHostUsers(spec: PodSpec, rules: PodRules, field: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const mayUseHostNetwork = rules.gateEnabled?.('UserNamespacesHostNetworkSupport') === true;
  const found: FieldError[] = [];
  const refuse = (member: string) =>
    found.push(fieldError.forbidden(`${field}.${member}`, 'when `hostUsers` is false'));
  if (spec.hostNetwork === true && !mayUseHostNetwork) {
    found.push(...keepable('network', [fieldError.forbidden(`${field}.hostNetwork`, 'when `hostUsers` is false')]));
  }
  // Kubernetes' messages contain the Go names of these two.
  if (spec.hostPID === true) refuse('HostPID');
  if (spec.hostIPC === true) refuse('HostIPC');
  if (!isSince(rules, KEEPS_DEVICES_OUT)) return found;
  for (const { container, field: here } of allContainers(spec, field)) {
    if ((container.volumeDevices ?? []).length === 0) continue;
    found.push(...keepable('devices', [fieldError.forbidden(`${here}.volumeDevices`, 'when `hostUsers` is false')]));
  }
  return found;
}
