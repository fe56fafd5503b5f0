// Validation of workloads that keep pods running (Deployments, ReplicaSets, DaemonSets, StatefulSets) and of
// ControllerRevisions.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { isObject } from '../../../api/is-object.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { part } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { opaqueText } from '../../../schema/opaque-text.ts';

import { validateChoice, validateImmutable, validateNonNegative } from '../../validation/field-rules.ts';
import { inGoForm, UPDATE_STRATEGY } from '../../validation/go-form.ts';
import { isZeroAmount, validateAtMostAll, validateIntOrPercent } from '../../validation/int-or-percent.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import {
  compiledSelector,
  isEmptySelector,
  TEMPLATE_MISMATCH,
  validateLabelSelector,
} from '../../validation/label-selector.ts';
import type { PodRules } from '../core/pod/pod-rules.ts';
import { validatePodTemplate } from '../core/pod/validation.ts';
import type {
  ControllerRevision,
  DaemonSet,
  DaemonSetSpec,
  DaemonSetUpdateStrategy,
  Deployment,
  DeploymentStrategy,
  ReplicaSet,
  RollingUpdateDaemonSet,
  RollingUpdateDeployment,
} from './v1-objects.ts';

/** The common part of workload specs. */
type WorkloadSpec = Pick<DaemonSetSpec, 'selector' | 'template'>;

interface Workload {
  readonly spec?: WorkloadSpec;
}

/** An optional number. */
function validateOptional<M extends string>(
  spec: { readonly [Member in M]?: number } | undefined,
  member: M,
): FieldError[] {
  return validateNonNegative(spec?.[member] ?? 0, `spec.${member}`);
}

/** A required selector that must not be empty; `what` is part of the message about an empty one. */
function validateSelector(spec: WorkloadSpec | undefined, what: string): FieldError[] {
  const selector = spec?.selector ?? undefined;
  if (selector === undefined) return [fieldError.required('spec.selector')];
  const found = validateLabelSelector(selector, 'spec.selector');
  if (!isEmptySelector(selector)) return found;
  return [...found, fieldError.invalid('spec.selector', selector, `empty selector is invalid for ${what}`)];
}

/** The template's labels must match the selector. An invalid selector is reported by the caller. */
function validateMatch(spec: WorkloadSpec | undefined): FieldError[] {
  const selector = part(() => compiledSelector(spec?.selector ?? undefined));
  const labels = spec?.template?.metadata?.labels;
  if (selector === undefined || selector.matches(labels)) return [];
  return [fieldError.invalid('spec.template.metadata.labels', labels ?? null, TEMPLATE_MISMATCH)];
}

/** Pods that are kept running have restart policy Always and no deadline. */
export function validateKeptRunning(spec: WorkloadSpec | undefined, kind: string): FieldError[] {
  const field = 'spec.template.spec';
  const found = validateChoice(spec?.template?.spec?.restartPolicy ?? '', ['Always'], `${field}.restartPolicy`);
  if (spec?.template?.spec?.activeDeadlineSeconds === undefined) return found;
  const why = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [...found, fieldError.forbidden(`${field}.activeDeadlineSeconds`, why)];
}

function validateReplicatedTemplate(spec: WorkloadSpec | undefined, rules?: PodRules): FieldError[] {
  const selector = spec?.selector ?? undefined;
  if (part(() => compiledSelector(selector)) === undefined) {
    return [fieldError.invalid('spec.selector', selector, 'invalid label selector')];
  }
  // An empty selector matches any template; that it is empty has been reported.
  const match = selector !== undefined && isEmptySelector(selector) ? [] : validateMatch(spec);
  return [
    ...match,
    ...validatePodTemplate(spec?.template, 'spec.template', rules),
    ...validateKeptRunning(spec, 'ReplicaSet'),
  ];
}

export function validateDeployment({ spec }: Deployment, rules?: PodRules): FieldError[] {
  const found = [
    ...validateOptional(spec, 'replicas'),
    ...validateSelector(spec, 'deployment'),
    ...validateReplicatedTemplate(spec, rules),
    ...validateStrategy(spec?.strategy, 'spec.strategy'),
    ...validateOptional(spec, 'minReadySeconds'),
    ...validateOptional(spec, 'revisionHistoryLimit'),
    ...validateOptional(spec, 'progressDeadlineSeconds'),
  ];
  const deadline = spec?.progressDeadlineSeconds;
  if (deadline === undefined || Number(deadline) > (spec?.minReadySeconds ?? 0)) return found;
  const why = 'must be greater than minReadySeconds';
  return [...found, fieldError.invalid('spec.progressDeadlineSeconds', deadline, why)];
}

function validateStrategy(strategy: DeploymentStrategy | undefined, field: string): FieldError[] {
  const rolling = strategy?.rollingUpdate;
  const here = `${field}.rollingUpdate`;
  switch (strategy?.type ?? '') {
    case 'Recreate': {
      const why = "may not be specified when strategy `type` is 'Recreate'";
      return rolling === undefined ? [] : [fieldError.forbidden(here, why)];
    }
    case 'RollingUpdate':
      if (rolling === undefined) return [fieldError.required(here, 'this should be defaulted and never be nil')];
      return validateRollingDeployment(rolling, here);
    default:
      return [fieldError.notSupported(field, inGoForm(strategy, UPDATE_STRATEGY), ['Recreate', 'RollingUpdate'])];
  }
}

function validateRollingDeployment(rolling: RollingUpdateDeployment, field: string): FieldError[] {
  const [unavailable, surge] = [rolling.maxUnavailable, rolling.maxSurge];
  const found = [
    ...validateIntOrPercent(unavailable, `${field}.maxUnavailable`),
    ...validateIntOrPercent(surge, `${field}.maxSurge`),
  ];
  if (isZeroAmount(unavailable) && isZeroAmount(surge)) {
    const why = 'may not be 0 when `maxSurge` is 0';
    found.push(fieldError.invalid(`${field}.maxUnavailable`, unavailable ?? null, why));
  }
  return [...found, ...validateAtMostAll(unavailable, `${field}.maxUnavailable`)];
}

export function validateReplicaSet({ spec }: ReplicaSet, rules?: PodRules): FieldError[] {
  return [
    ...validateOptional(spec, 'replicas'),
    ...validateOptional(spec, 'minReadySeconds'),
    ...validateSelector(spec, 'deployment'),
    ...validateReplicatedTemplate(spec, rules),
  ];
}

/** A workload's selector is immutable. */
export function validateSelectorKept(next: Workload, previous: Workload): FieldError[] {
  return validateImmutable(next.spec?.selector, previous.spec?.selector, 'spec.selector');
}

export function validateDaemonSet({ spec }: DaemonSet, rules?: PodRules): FieldError[] {
  const selector = spec?.selector ?? undefined;
  const found = [
    ...keepableValues('selectors', validateLabelSelector(selector, 'spec.selector')),
    ...validateMatch(spec),
  ];
  if (selector !== undefined && isEmptySelector(selector)) {
    found.push(fieldError.invalid('spec.selector', selector, 'empty selector is invalid for daemonset'));
  }
  return [
    ...found,
    ...validatePodTemplate(spec?.template, 'spec.template', rules),
    ...validateKeptRunning(spec, 'DaemonSet'),
    ...validateOptional(spec, 'minReadySeconds'),
    ...validateDaemonSetStrategy(spec?.updateStrategy, 'spec.updateStrategy'),
    ...validateOptional(spec, 'revisionHistoryLimit'),
  ];
}

function validateDaemonSetStrategy(strategy: DaemonSetUpdateStrategy | undefined, field: string): FieldError[] {
  const here = `${field}.rollingUpdate`;
  const rolling = strategy?.rollingUpdate;
  switch (strategy?.type ?? '') {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      return rolling === undefined ? [fieldError.required(here)] : validateRollingDaemonSet(rolling, here);
    default:
      return [fieldError.notSupported(field, inGoForm(strategy, UPDATE_STRATEGY), ['RollingUpdate', 'OnDelete'])];
  }
}

/** Pods are replaced either before they are removed or afterwards. */
function validateRollingDaemonSet(rolling: RollingUpdateDaemonSet, field: string): FieldError[] {
  const [unavailable, surge] = [rolling.maxUnavailable, rolling.maxSurge];
  const [unavailableField, surgeField] = [`${field}.maxUnavailable`, `${field}.maxSurge`];
  const found = [
    ...validateIntOrPercent(unavailable, unavailableField),
    ...validateIntOrPercent(surge, surgeField),
    ...validateAtMostAll(unavailable, unavailableField),
    ...validateAtMostAll(surge, surgeField),
  ];
  const [none, noSurge] = [isZeroAmount(unavailable), isZeroAmount(surge)];
  if (!none && !noSurge) {
    found.push(fieldError.invalid(surgeField, surge, 'may not be set when maxUnavailable is non-zero'));
  }
  if (none && noSurge) found.push(fieldError.required(unavailableField, 'cannot be 0 when maxSurge is 0'));
  return found;
}

export function validateControllerRevision(revision: ControllerRevision): FieldError[] {
  return validateNonNegative(Number(revision.revision ?? 0), 'revision');
}

/** The first minor release of Kubernetes 1 in which the data of a revision must be an object. */
const DATA_ARE_OBJECTS = 31;

/** A new revision must have data. */
export function validateNewRevision(
  { data }: ControllerRevision,
  release: { readonly minor?: number | undefined },
): FieldError[] {
  if (isObject(data) || ((data ?? null) !== null && !isSince(release, DATA_ARE_OBJECTS))) return [];
  const why = (data ?? null) === null ? 'data is mandatory' : 'data must be a valid JSON object';
  return [fieldError.required('data', why)];
}

/** The data of a revision is immutable, to the byte. */
export function validateDataKept(next: ControllerRevision, previous: ControllerRevision): FieldError[] {
  return opaqueText(next.data ?? null) === opaqueText(previous.data ?? null)
    ? []
    : [fieldError.invalid('data', next.data ?? null, IMMUTABLE)];
}
