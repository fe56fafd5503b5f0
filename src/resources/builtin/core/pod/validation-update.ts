// Validation of pod updates, including those through /ephemeralcontainers.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { isMirrorPod, MIRROR_ANNOTATION } from '../../../../api/mirror-pods.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { firstBy } from '../../../../base/first-places.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { differenceBehind, wholeObject } from '../../../validation/whole-objects.ts';
import { EphemeralContainer } from './container.ts';
import type { Container } from './container-objects.ts';
import { validateNodeAffinityNarrows, validateNodeSelectorNarrows } from './gated-validation.ts';
import type { Pod, PodSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { computedQosClass, qosClass } from './quality-of-service.ts';
import type { Toleration } from './scheduling-objects.ts';
import { PodSpec as PodSpecType } from './types.ts';
import { podSpec } from './validation.ts';
import { APP_ARMOR, validatePodAnnotations } from './validation-annotations.ts';
import { validateTrimmed } from './validation-containers.ts';
import { validateTolerations } from './validation-scheduling.ts';

const MAX_SECONDS = 2_147_483_647;
const ONLY_THESE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** An update of a pod, in addition to the rules for any pod. */
/** The first minor release in which only a subresource resizes pods, and reports a changed QoS class. */
const RESIZED_APART = 32;

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
  if (!isSince(rules, RESIZED_APART) && qosClass(previous, rules) !== computedQosClass(next, rules)) {
    found.push(fieldError.invalid('metadata', next.status?.qosClass ?? '', 'Pod QoS is immutable'));
  }
  const { errors, comparable } = validateGated(withUpdatable(spec, old), old);
  found.push(...errors);
  if (equalJson(comparable, old)) return found;
  const whole = { type: PodSpecType, minor: rules.minor };
  const change = differenceBehind(whole, wholeObject(whole, old), wholeObject(whole, comparable));
  return [...found, fieldError.forbidden('spec', `${ONLY_THESE}${change}`)];
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
  // All that they have besides their duration.
  const textOf = ({ key, operator, value, effect }: Toleration) => JSON.stringify([key, operator, value, effect]);
  const there = new Set(next.map(textOf));
  if (previous.every((old) => there.has(textOf(old)))) return validateTolerations(next, field, rules);
  return [fieldError.forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

/** Scheduling gates can only be removed. */
function validateGateUpdate(
  next: readonly { readonly name?: string }[],
  previous: readonly { readonly name?: string }[],
  field: string,
): FieldError[] {
  const before = new Set(previous.map((old) => old.name));
  return next.flatMap(({ name = '' }, index) => {
    if (before.has(name)) return [];
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
export function validateEphemeralContainersUpdate(
  next: Pod,
  previous: Pod,
  { minor }: Pick<PodRules, 'minor'> = {},
): FieldError[] {
  const field = 'spec.ephemeralContainers';
  const found = validatePodAnnotationUpdate(next, previous);
  if (isMirrorPod(previous)) {
    return [...found, fieldError.forbidden('', 'static pods do not support ephemeral containers')];
  }
  const containers = firstBy(podSpec(next).ephemeralContainers ?? [], ({ name }) => name);
  for (const old of podSpec(previous).ephemeralContainers ?? []) {
    const name = JSON.stringify(old.name ?? '');
    const now = containers.get(old.name);
    if (now === undefined)
      found.push(fieldError.forbidden(field, `existing ephemeral containers ${name} may not be removed\n`));
    else if (!equalJson(now, old)) {
      const whole = { type: EphemeralContainer, minor };
      const change = differenceBehind(whole, wholeObject(whole, old), wholeObject(whole, now));
      found.push(fieldError.forbidden(field, `existing ephemeral containers ${name} may not be changed${change}`));
    }
  }
  return found;
}
