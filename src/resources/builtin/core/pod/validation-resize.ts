// Validation of a resize of a pod: CPU and memory of its containers and of the pod as a whole, and sizes of volumes.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { isMirrorPod } from '../../../../api/mirror-pods.ts';
import type { JsonObject } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { compareAmounts, isPositiveAmount } from '../../../validation/quantities.ts';
import type { Volume } from '../volume/objects.ts';
import type { Container, ResourceRequirements } from './container-objects.ts';
import type { Pod, PodSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { computedQosClass, qosClass } from './quality-of-service.ts';
import { podSpec } from './validation.ts';

const RESIZED = ['cpu', 'memory'];

/**
 * CPU and memory requests and limits can change as long as the QoS class does not.
 */
export function validateResize(next: Pod, previous: Pod, { found, rules }: ResizeContext): FieldError[] {
  const [spec, old] = [podSpec(next), podSpec(previous)];
  const faults: FieldError[] = [];
  if (computedQosClass(next, rules) !== qosClass(previous, rules)) {
    faults.push(fieldError.invalid('spec', qosIn(next) ?? '', 'Pod QOS Class may not change as a result of resizing'));
  }
  if (!canResize(previous)) {
    faults.push(fieldError.forbidden('spec', 'Pod running on node without support for resize'));
  }
  const isWhole = isSizedAsWhole(spec) || isSizedAsWhole(old);
  if (isWhole && rules.gateEnabled?.(RESIZES_AS_WHOLE) !== true) {
    return [...faults, fieldError.forbidden('[]', NOT_AS_WHOLE)];
  }
  const resources = isWhole ? withOldPodSize(spec.resources, old.resources, rules) : spec.resources;
  if (isWhole) faults.push(...validatePodResize(spec, old, resources));
  const moved = validateSameContainers(spec, old);
  if (moved.length > 0) return [...faults, ...moved];
  const mayResize = (container: Container) => isSidecar(container) || resizesInit(rules);
  faults.push(...validateKept(spec, old, mayResize));
  const containers = (spec.containers ?? []).map((each, index) => withOldSize(each, old.containers?.[index], rules));
  const initContainers = (spec.initContainers ?? []).map((each, index) =>
    mayResize(each) ? withOldSize(each, old.initContainers?.[index], rules) : each,
  );
  faults.push(...containers.flatMap((each, index) => changeError(each, old.containers?.[index], ONLY_SIZES)));
  for (const [index, each] of initContainers.entries()) {
    const before = old.initContainers?.[index];
    if (!isSince(rules, 36)) faults.push(...changeError(each, before, isSidecar(each) ? ONLY_SIDECAR_SIZES : NO_SIZES));
    else if (!mayResize(each)) faults.push(...changeError(each, before, NO_SIZES));
    else {
      const field = `spec.initContainers[${index}]`;
      faults.push(...changeError(each, before, ONLY_INIT_SIZES, field));
      const isChanged = !equalJson(spec.initContainers?.[index], before);
      const restarts = each.resizePolicy?.filter(({ restartPolicy }) => restartPolicy === 'RestartContainer') ?? [];
      if (isChanged && !isSidecar(each)) faults.push(...restarts.map(() => fieldError.forbidden(field, NOT_RESTARTED)));
    }
  }
  const volumes = isSince(rules, 37) ? validateVolumeResize(spec, old, rules) : [];
  faults.push(...volumes);
  if (found.length + faults.length > 0) return faults;
  const comparable = {
    ...{ ...spec, containers, resources },
    ...(spec.initContainers === undefined ? {} : { initContainers }),
    ...(isSince(rules, 37) && resizesVolumes(rules) ? { volumes: old.volumes } : {}),
  };
  return equalJson(comparable, old) ? [] : [fieldError.forbidden('spec', ONLY_SIZES)];
}

interface ResizeContext {
  /** Errors of the pod itself: if there are any, the rest is not compared. */
  readonly found: FieldErrors;
  readonly rules: PodRules;
}

/** The gate behind which pod-level resources are resized. */
export const RESIZES_AS_WHOLE = 'InPlacePodLevelResourcesVerticalScaling';
const NOT_AS_WHOLE =
  'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';

function resizesInit({ gateEnabled }: PodRules): boolean {
  return gateEnabled?.('InPlacePodVerticalScalingInitContainers') === true;
}

function resizesVolumes({ gateEnabled }: PodRules): boolean {
  return gateEnabled?.('InPlacePodVerticalScalingMemoryBackedVolumes') === true;
}

/** Pod-level requests and limits are not removed, and only CPU and memory change. */
function validatePodResize(spec: PodSpec, old: PodSpec, resized: PodSpec['resources']): FieldError[] {
  const found: FieldError[] = [];
  if (old.resources !== undefined) {
    if (spec.resources === undefined) {
      return [fieldError.forbidden('spec.resources', 'pod-level resources cannot be removed')];
    }
    for (const side of ['requests', 'limits'] as const) {
      if (!isRemoved(spec.resources[side], old.resources[side])) continue;
      found.push(fieldError.forbidden(`spec.resources.${side}`, `pod-level resource ${side} cannot be removed`));
    }
  }
  if (equalJson(resized ?? null, old.resources ?? null)) return found;
  return [...found, fieldError.forbidden('spec', 'only cpu and memory resources are mutable at pod-level')];
}

/** Pod-level resources with the old CPU and memory; undefined if nothing else is there and there were none. */
function withOldPodSize(
  resources: PodSpec['resources'],
  old: PodSpec['resources'],
  rules: PodRules,
): PodSpec['resources'] {
  if (resources === undefined) return undefined;
  const sizes = withOldSizes(resources, old, rules);
  const isEmpty = Object.keys(sizes).length === 0 && (resources.claims ?? []).length === 0;
  if (old === undefined && isEmpty) return undefined;
  return { ...sizes, ...(resources.claims !== undefined && { claims: resources.claims }) };
}

/** Only the sizes of volumes in memory change, behind a gate. */
function validateVolumeResize(spec: PodSpec, old: PodSpec, rules: PodRules): FieldError[] {
  const [volumes, before] = [spec.volumes ?? [], old.volumes ?? []];
  if (!resizesVolumes(rules)) {
    const why =
      'volumes are immutable on resize when InPlacePodVerticalScalingMemoryBackedVolumes feature gate is disabled';
    return equalJson(volumes, before) ? [] : [fieldError.forbidden('spec.volumes', why)];
  }
  if (volumes.length !== before.length) {
    return [fieldError.forbidden('spec.volumes', 'volumes may not be added or removed on resize')];
  }
  return volumes.flatMap((volume, index) =>
    volumeResizeErrors(volume, before[index] as Volume, `spec.volumes[${index}]`),
  );
}

function volumeResizeErrors(volume: Volume, old: Volume, field: string): FieldError[] {
  if (volume.name !== old.name) {
    return [fieldError.forbidden(`${field}.name`, 'volumes may not be renamed or reordered on resize')];
  }
  const { emptyDir } = volume;
  if (emptyDir === undefined || old.emptyDir === undefined) {
    return equalJson(volume, old) ? [] : [fieldError.forbidden(field, ONLY_VOLUME_SIZES)];
  }
  const [limit, before] = [emptyDir.sizeLimit, old.emptyDir.sizeLimit];
  const { sizeLimit: _, ...rest } = emptyDir;
  const same = { ...volume, emptyDir: before === undefined ? rest : { ...rest, sizeLimit: before } };
  if (!equalJson(same, old)) return [fieldError.forbidden(field, ONLY_VOLUME_SIZES)];
  const isSet = (text: string | undefined) => text !== undefined && isPositiveAmount(text);
  const here = `${field}.emptyDir.sizeLimit`;
  if (isSet(limit) !== isSet(before)) {
    return [fieldError.forbidden(here, 'adding or removing sizeLimit on an existing volume is not allowed')];
  }
  if (limit === undefined || before === undefined || compareAmounts(limit, before) === 0) return [];
  if (emptyDir.medium === 'Memory') return [];
  return [fieldError.forbidden(here, 'sizeLimit is only mutable for memory-backed emptyDir volumes')];
}

const ONLY_VOLUME_SIZES = 'only sizeLimit of memory-backed emptyDir volumes is mutable on resize';

const ONLY_SIZES = 'only cpu and memory resources are mutable';
const ONLY_SIDECAR_SIZES = 'only cpu and memory resources for sidecar containers are mutable';
const ONLY_INIT_SIZES = 'only cpu and memory resources for init or sidecar containers are mutable';
const NOT_RESTARTED = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
const NO_SIZES = 'resources for non-sidecar init containers are immutable';

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function changeError(container: Container, old: Container | undefined, detail: string, field = 'spec'): FieldError[] {
  const same = equalJson(
    { ...container, resources: container.resources ?? {} },
    { ...old, resources: old?.resources ?? {} },
  );
  return same ? [] : [fieldError.forbidden(field, detail)];
}

/** Reasons why a pod can't be resized at all; nothing else is validated then. */
export function validateResizable(next: Pod, previous: Pod, rules: PodRules): FieldError[] {
  const refusal = unresizable(next, previous, rules);
  return refusal === undefined ? [] : [fieldError.forbidden('[]', refusal)];
}

function isSizedAsWhole({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

function unresizable(next: Pod, pod: Pod, rules: PodRules): string | undefined {
  const [spec, old] = [podSpec(next), podSpec(pod)];
  if (!isSince(rules, WHOLE_RESIZES) && (isSizedAsWhole(spec) || isSizedAsWhole(old))) {
    return 'pods with pod-level resources cannot be resized';
  }
  if (isMirrorPod(pod)) return 'static pods cannot be resized';
  return old.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** The first minor release that can resize pod-level resources, behind a gate. */
const WHOLE_RESIZES = 35;

/** Nodes that support resize report the resources of running containers. */
function canResize({ status }: Pod): boolean {
  const statuses = (status as { containerStatuses?: readonly JsonObject[] } | undefined)?.containerStatuses ?? [];
  const running = statuses.find(({ state }) => (state as { running?: unknown } | undefined)?.running !== undefined);
  return running === undefined || running['resources'] !== undefined;
}

function qosIn({ status }: Pod): string | undefined {
  return (status as { qosClass?: string } | undefined)?.qosClass;
}

function validateSameContainers(spec: PodSpec, old: PodSpec): FieldError[] {
  const found: FieldError[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    const [now, before] = [spec[list] ?? [], old[list] ?? []];
    if (now.length !== before.length) {
      found.push(fieldError.forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
      continue;
    }
    for (const [index, { name }] of now.entries()) {
      if (name === before[index]?.name) continue;
      found.push(
        fieldError.forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`),
      );
    }
  }
  return found;
}

/** A resize must not remove requests or limits. */
function validateKept(spec: PodSpec, old: PodSpec, mayResize: (container: Container) => boolean): FieldError[] {
  const found: FieldError[] = [];
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const before = old[list]?.[index];
      if (list === 'initContainers' && before !== undefined && !mayResize(before)) continue;
      for (const side of ['requests', 'limits'] as const) {
        if (!isRemoved(container.resources?.[side], before?.resources?.[side])) continue;
        const field = `spec.${list}[${index}].resources.${side}`;
        found.push(fieldError.forbidden(field, `resource ${side} cannot be removed`));
      }
    }
  }
  return found;
}

function isRemoved(
  amounts: Readonly<Record<string, string>> = {},
  before: Readonly<Record<string, string>> = {},
): boolean {
  return Object.keys(before).some((name) => !Object.hasOwn(amounts, name));
}

/** The first minor release that keeps the claims of a container when it compares it; older ones refuse to resize it. */
const KEEPS_CLAIMS = 37;

/** A container with its old CPU and memory. */
function withOldSize(container: Container, old: Container | undefined, rules: PodRules): Container {
  const { claims } = container.resources ?? {};
  const kept = claims !== undefined && isSince(rules, KEEPS_CLAIMS) ? { claims } : {};
  return { ...container, resources: { ...withOldSizes(container.resources, old?.resources, rules), ...kept } };
}

function withOldSizes(
  next: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
  rules: PodRules,
): ResourceRequirements {
  const resources: { -readonly [Side in 'requests' | 'limits']?: Record<string, string> } = {};
  for (const side of ['requests', 'limits'] as const) {
    const before = old?.[side];
    // Before 1.35 a list that the container did not have is not validated, whatever it contains.
    if (before === undefined && !isSince(rules, WHOLE_RESIZES)) continue;
    const amounts: Record<string, string> = { ...next?.[side] };
    for (const name of RESIZED) {
      const amount = before === undefined ? undefined : ownMember(before, name);
      if (amount === undefined) delete amounts[name];
      else amounts[name] = amount;
    }
    if (Object.keys(amounts).length > 0) resources[side] = amounts;
  }
  return resources;
}
