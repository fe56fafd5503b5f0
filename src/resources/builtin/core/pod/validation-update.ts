// Validation of pod updates, including those through /ephemeralcontainers and /resize.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { isMirrorPod, MIRROR_ANNOTATION } from '../../../../api/mirror-pods.ts';
import type { JsonObject } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import type { Container } from './container-objects.ts';
import { validateNodeAffinityNarrows, validateNodeSelectorNarrows } from './gated-validation.ts';
import type { Pod, PodSpec } from './objects.ts';
import { computedQosClass, qosClass } from './quality-of-service.ts';
import type { Toleration } from './scheduling-objects.ts';
import { type PodRules, podSpec } from './validation.ts';
import { APP_ARMOR, validatePodAnnotations } from './validation-annotations.ts';
import { validateTrimmed } from './validation-containers.ts';
import { validateTolerations } from './validation-scheduling.ts';

const MAX_SECONDS = 2_147_483_647;
const ONLY_THESE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** An update of a pod, in addition to the rules for any pod. */
export function validatePodUpdate(next: Pod, previous: Pod, rules: PodRules = {}): FieldError[] {
  const found = validatePodAnnotationUpdate(next, previous, rules);
  const [spec, old] = [podSpec(next), podSpec(previous)];
  for (const list of ['containers', 'initContainers'] as const) {
    const { errors, stop } = validateContainerUpdates(spec[list] ?? [], old[list] ?? [], `spec.${list}`);
    found.push(...errors);
    if (stop) return found;
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, old.activeDeadlineSeconds);
  found.push(...deadline.errors);
  if (deadline.stop) return found;
  found.push(
    ...validateTolerationUpdate(spec.tolerations ?? [], old.tolerations ?? [], { field: 'spec.tolerations', rules }),
    ...validateGateUpdate(spec.schedulingGates ?? [], old.schedulingGates ?? [], 'spec.schedulingGates'),
  );
  if (equalJson(spec, old)) return found;
  const { errors, comparable } = validateGated(withUpdatable(spec, old), old);
  found.push(...errors);
  return equalJson(comparable, old) ? found : [...found, fieldError.forbidden('spec', ONLY_THESE)];
}

/** Annotations that the kubelet uses are immutable. */
export function validatePodAnnotationUpdate(next: Pod, previous: Pod, rules: PodRules = {}): FieldError[] {
  const field = 'metadata.annotations';
  const annotations = next.metadata.annotations ?? {};
  const old = previous.metadata.annotations ?? {};
  const found: FieldError[] = [];
  const refuse = (name: string, what: string) => {
    if (name.startsWith(APP_ARMOR)) {
      found.push(fieldError.forbidden(`${field}[${name}]`, `may not ${what} AppArmor annotations`));
    }
    if (name === MIRROR_ANNOTATION) {
      found.push(fieldError.forbidden(`${field}[${name}]`, `may not ${what} mirror pod annotation`));
    }
  };
  for (const name of keptAnnotations(old))
    if (ownMember(annotations, name) !== ownMember(old, name)) refuse(name, 'remove or update');
  for (const name of keptAnnotations(annotations)) if (ownMember(old, name) === undefined) refuse(name, 'add');
  return [...found, ...validatePodAnnotations(annotations, podSpec(next), { field, rules })];
}

/** The names of the immutable ones, sorted. */
function keptAnnotations(annotations: Readonly<Record<string, string>>): string[] {
  return Object.keys(annotations)
    .filter((name) => name.startsWith(APP_ARMOR) || name === MIRROR_ANNOTATION)
    .sort();
}

interface Verdict {
  readonly errors: FieldError[];
  /** Nothing else is validated. */
  readonly stop: boolean;
}

/** Containers cannot be added or removed; their images can change. */
function validateContainerUpdates(next: readonly Container[], previous: readonly Container[], field: string): Verdict {
  if (next.length !== previous.length) {
    return { errors: [fieldError.forbidden(field, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = next.flatMap(({ image = '' }, index) => {
    const here = `${field}[${index}].image`;
    return image === '' ? [fieldError.required(here)] : validateTrimmed(image, here);
  });
  return { errors, stop: false };
}

/** A deadline can be set or shortened. */
function validateDeadline(next: number | bigint | undefined, previous: number | bigint | undefined): Verdict {
  const field = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    if (previous === undefined) return { errors: [], stop: false };
    const why = 'must not update from a positive integer to nil value';
    return { errors: [fieldError.invalid(field, null, why)], stop: false };
  }
  if (next < 0 || next > MAX_SECONDS) {
    return {
      errors: [fieldError.invalid(field, next, `must be between 0 and ${MAX_SECONDS}, inclusive`)],
      stop: true,
    };
  }
  if (previous === undefined || previous >= next) return { errors: [], stop: false };
  return { errors: [fieldError.invalid(field, next, 'must be less than or equal to previous value')], stop: true };
}

/** Tolerations can be added, and existing ones can change their duration. */
function validateTolerationUpdate(
  next: readonly Toleration[],
  previous: readonly Toleration[],
  { field, rules }: { readonly field: string; readonly rules: PodRules },
): FieldErrors {
  const kept = previous.every((old) =>
    next.some((each) => equalJson({ ...old, tolerationSeconds: each.tolerationSeconds }, each)),
  );
  if (kept) return validateTolerations(next, field, rules);
  return [fieldError.forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

/** Scheduling gates can only be removed. */
function validateGateUpdate(
  next: readonly { readonly name?: string }[],
  previous: readonly { readonly name?: string }[],
  field: string,
): FieldError[] {
  return next.flatMap(({ name = '' }, index) => {
    if (previous.some((old) => old.name === name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [fieldError.forbidden(`${field}[${index}].name`, why)];
  });
}

/** The new spec with mutable fields restored, for comparison with the old one. */
function withUpdatable(spec: PodSpec, old: PodSpec): PodSpec {
  const images = (list: 'containers' | 'initContainers') =>
    spec[list]?.map((container, index) => ({ ...container, image: old[list]?.[index]?.image ?? '' }));
  const { terminationGracePeriodSeconds: grace } = spec;
  const oldGrace = old.terminationGracePeriodSeconds;
  const mended = grace === 1 && oldGrace !== undefined && oldGrace < 0;
  return {
    ...spec,
    containers: images('containers'),
    initContainers: images('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: old.schedulingGates,
    terminationGracePeriodSeconds: mended ? oldGrace : grace,
  };
}

/** While a pod is gated, its node selection can become stricter. */
function validateGated(spec: PodSpec, old: PodSpec): { errors: FieldError[]; comparable: PodSpec } {
  if ((old.schedulingGates ?? []).length === 0) return { errors: [], comparable: spec };
  const errors: FieldError[] = [];
  let comparable = spec;
  if (!equalJson(spec.nodeSelector ?? {}, old.nodeSelector ?? {})) {
    errors.push(...validateNodeSelectorNarrows(spec.nodeSelector, old.nodeSelector, 'spec.nodeSelector'));
    comparable = { ...comparable, nodeSelector: old.nodeSelector };
  }
  const [nodes, oldNodes] = [spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity];
  if (!equalJson(nodes, oldNodes)) {
    errors.push(...validateNodeAffinityNarrows(nodes, oldNodes, 'spec.affinity.nodeAffinity'));
    const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
    const isNew = old.affinity === undefined && podAffinity === undefined && podAntiAffinity === undefined;
    comparable = { ...comparable, affinity: isNew ? undefined : { ...spec.affinity, nodeAffinity: oldNodes } };
  }
  return { errors, comparable };
}

/** Ephemeral containers can be added, but not changed or removed. */
export function validateEphemeralContainersUpdate(next: Pod, previous: Pod): FieldError[] {
  const field = 'spec.ephemeralContainers';
  const found = validatePodAnnotationUpdate(next, previous);
  if (isMirrorPod(previous)) {
    return [...found, fieldError.forbidden('', 'static pods do not support ephemeral containers')];
  }
  const containers = podSpec(next).ephemeralContainers ?? [];
  for (const old of podSpec(previous).ephemeralContainers ?? []) {
    const name = JSON.stringify(old.name ?? '');
    const now = containers.find((each) => each.name === old.name);
    if (now === undefined)
      found.push(fieldError.forbidden(field, `existing ephemeral containers ${name} may not be removed\n`));
    else if (!equalJson(now, old)) {
      found.push(fieldError.forbidden(field, `existing ephemeral containers ${name} may not be changed`));
    }
  }
  return found;
}

const RESIZED = ['cpu', 'memory'];

/**
 * CPU and memory requests and limits can change as long as the QoS class does not.
 * @param found errors of the pod itself: if there are any, the rest is not compared
 */
export function validateResize(next: Pod, previous: Pod, found: readonly FieldError[] = []): FieldError[] {
  const [spec, old] = [podSpec(next), podSpec(previous)];
  const faults: FieldError[] = [];
  if (computedQosClass(next) !== qosClass(previous)) {
    faults.push(fieldError.invalid('spec', qosIn(next) ?? '', 'Pod QOS Class may not change as a result of resizing'));
  }
  if (!canResize(previous)) {
    faults.push(fieldError.forbidden('spec', 'Pod running on node without support for resize'));
  }
  const moved = validateSameContainers(spec, old);
  if (moved.length > 0) return [...faults, ...moved];
  faults.push(...validateKept(spec, old));
  const containers = (spec.containers ?? []).map((each, index) => withOldSize(each, old.containers?.[index]));
  const initContainers = (spec.initContainers ?? []).map((each, index) =>
    isSidecar(each) ? withOldSize(each, old.initContainers?.[index]) : each,
  );
  faults.push(...containers.flatMap((each, index) => changeError(each, old.containers?.[index], ONLY_SIZES)));
  for (const [index, each] of initContainers.entries()) {
    faults.push(...changeError(each, old.initContainers?.[index], isSidecar(each) ? ONLY_SIDECAR_SIZES : NO_SIZES));
  }
  if (found.length + faults.length > 0) return faults;
  const comparable = { ...spec, containers, ...(spec.initContainers === undefined ? {} : { initContainers }) };
  return equalJson(comparable, old) ? [] : [fieldError.forbidden('spec', ONLY_SIZES)];
}

const ONLY_SIZES = 'only cpu and memory resources are mutable';
const ONLY_SIDECAR_SIZES = 'only cpu and memory resources for sidecar containers are mutable';
const NO_SIZES = 'resources for non-sidecar init containers are immutable';

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function changeError(container: Container, old: Container | undefined, detail: string): FieldError[] {
  const same = equalJson(
    { ...container, resources: container.resources ?? {} },
    { ...old, resources: old?.resources ?? {} },
  );
  return same ? [] : [fieldError.forbidden('spec', detail)];
}

/** Reasons why a pod can't be resized at all; nothing else is validated then. */
export function validateResizable(next: Pod, previous: Pod): FieldError[] {
  const refusal = unresizable(next, previous);
  return refusal === undefined ? [] : [fieldError.forbidden('[]', refusal)];
}

function isSizedAsWhole({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

function unresizable(next: Pod, pod: Pod): string | undefined {
  const [spec, old] = [podSpec(next), podSpec(pod)];
  if (isSizedAsWhole(spec) || isSizedAsWhole(old)) {
    return 'pods with pod-level resources cannot be resized';
  }
  if (isMirrorPod(pod)) return 'static pods cannot be resized';
  return old.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

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
function validateKept(spec: PodSpec, old: PodSpec): FieldError[] {
  const found: FieldError[] = [];
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const before = old[list]?.[index];
      if (list === 'initContainers' && before?.restartPolicy !== 'Always') continue;
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

/** A container with its old CPU and memory; Kubernetes omits its claims here. */
function withOldSize(container: Container, old: Container | undefined): Container {
  const resources: Record<string, unknown> = {};
  for (const side of ['requests', 'limits'] as const) {
    const before = old?.resources?.[side];
    // A list that the container did not have is not validated, whatever it contains.
    if (before === undefined) continue;
    const amounts: Record<string, string> = { ...container.resources?.[side] };
    for (const name of RESIZED) {
      const amount = ownMember(before, name);
      if (amount === undefined) delete amounts[name];
      else amounts[name] = amount;
    }
    if (Object.keys(amounts).length > 0) resources[side] = amounts;
  }
  return { ...container, resources };
}
