// Validation of Jobs and CronJobs and their updates.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults } from '../../../api/names.ts';
import { ownMember } from '../../../api/own-member.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateSchedule, validateTimeZone } from '../../validation/cron.ts';
import { validateChoice, validateImmutable, validateMostBytes } from '../../validation/field-rules.ts';
import { validateDomainPrefixedPath } from '../../validation/hosts.ts';
import { keepableValues } from '../../validation/kept-faults.ts';
import { compiledSelector, TEMPLATE_MISMATCH, validateLabelSelector } from '../../validation/label-selector.ts';
import { validateImmutableWhole, wholeObject } from '../../validation/whole-objects.ts';
import type { Container } from '../core/pod/container-objects.ts';
import type { PodSpec, PodTemplateSpec } from '../core/pod/objects.ts';
import type { PodRules } from '../core/pod/pod-rules.ts';
import type { Affinity } from '../core/pod/scheduling-objects.ts';
import { PodSpec as PodSpecType, PodTemplateSpec as PodTemplateType } from '../core/pod/types.ts';
import { validatePodTemplate } from '../core/pod/validation.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './pod-policy-validation.ts';
import { PodFailurePolicy, SuccessPolicy } from './v1.ts';
import type { CronJob, Job, JobSpec } from './v1-objects.ts';

const MAX_PARALLEL = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAX_WITH_MANY = 10_000;
const MANAGER_BYTES = 63;
/** The name of a Job is that of its CronJob plus a dash and ten digits. */
const CRON_JOB_NAME_BYTES = 52;

/** The first minor release of Kubernetes 1 in which an update does not ask for a generated selector again. */
const UPDATES_VALIDATE_ONCE = 37;

/** The Job itself; its metadata is validated by the caller. */
export function validateJob(job: Job, rules?: PodRules, previous?: Job): FieldError[] {
  if (previous !== undefined && isSince(rules ?? {}, UPDATES_VALIDATE_ONCE)) return [];
  const { spec } = job;
  const isPrefixed = previous === undefined || hasPrefixedLabels(previous);
  return [
    ...validateGeneratedSelector(job, isPrefixed),
    ...validateSelectedJobSpec(spec, rules),
    ...validatePodHostnames(job),
  ];
}

/** The last pod of an indexed Job has the longest name. */
function validatePodHostnames({ metadata, spec }: Job): FieldError[] {
  const completions = spec?.completions;
  if (spec?.completionMode !== 'Indexed' || completions === undefined || Number(completions) <= 0) return [];
  const { name = '' } = metadata;
  const host = `${name}-${Number(completions) - 1}`;
  if (labelFaults(host).length === 0) return [];
  return [fieldError.invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${host}`)];
}

/** Jobs of older releases lack these labels. */
function hasPrefixedLabels({ spec }: Job): boolean {
  const labels = spec?.template?.metadata?.labels ?? {};
  return Object.hasOwn(labels, UID_LABEL) && Object.hasOwn(labels, NAME_LABEL);
}

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';

/** A generated selector uses the Job's UID, and the template has the labels for it. */
function validateGeneratedSelector({ metadata, spec }: Job, isPrefixed: boolean): FieldError[] {
  const selector = spec?.selector;
  if (spec?.manualSelector === true || selector === undefined) return [];
  const { uid = '', name = '' } = metadata;
  const labels = spec?.template?.metadata?.labels;
  const expected: Record<string, string> = {
    'controller-uid': uid,
    'job-name': name,
    ...(isPrefixed && { [UID_LABEL]: uid, [NAME_LABEL]: name }),
  };
  const found: FieldError[] = [];
  for (const [label, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${label}]`;
    const actual = ownMember(labels, label);
    if (actual === undefined) found.push(fieldError.required(field, `must be '${value}'`));
    else if (actual !== value) found.push(fieldError.invalid(field, labels, `must be '${value}'`));
  }
  const compiled = compiledSelector(selector);
  if (compiled !== undefined && !compiled.matches(expected)) {
    found.push(fieldError.invalid('spec.selector', selector, '`selector` not auto-generated'));
  }
  return found;
}

function validateSelectedJobSpec(spec: JobSpec | undefined, rules?: PodRules): FieldError[] {
  const selector = spec?.selector;
  const found = validateJobSpec(spec, 'spec', rules);
  if (selector === undefined) found.push(fieldError.required('spec.selector'));
  else found.push(...keepableValues('selectors', validateLabelSelector(selector, 'spec.selector')));
  const labels = spec?.template?.metadata?.labels;
  const compiled = compiledSelector(selector);
  if (compiled === undefined || compiled.matches(labels)) return found;
  return [...found, fieldError.invalid('spec.template.metadata.labels', labels ?? null, TEMPLATE_MISMATCH)];
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
] as const;

/** The common part of Jobs and Job templates: everything except the selector. */
function validateJobSpec(spec: JobSpec | undefined, field: string, rules?: PodRules): FieldError[] {
  const found = validateCounts(spec, [...COUNTS, 'backoffLimitPerIndex', 'maxFailedIndexes'], field);
  if (spec?.maxFailedIndexes !== undefined && spec?.backoffLimitPerIndex === undefined) {
    found.push(fieldError.required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  const manager = spec?.managedBy;
  if (manager !== undefined) {
    found.push(...validateDomainPrefixedPath(manager, `${field}.managedBy`));
    found.push(...validateMostBytes(manager, MANAGER_BYTES, `${field}.managedBy`));
  }
  found.push(...validateCompletionMode(spec, field));
  const [failures, successes] = [spec?.podFailurePolicy, spec?.successPolicy];
  if (failures !== undefined) found.push(...validatePodFailurePolicy(failures, spec, `${field}.podFailurePolicy`));
  if (successes !== undefined) {
    if (isIndexed(spec)) found.push(...validateSuccessPolicy(successes, spec, `${field}.successPolicy`));
    else
      found.push(
        fieldError.invalid(`${field}.successPolicy`, wholeObject({ type: SuccessPolicy }, successes), NEEDS_INDEXES),
      );
  }
  const replacement = spec?.podReplacementPolicy;
  if (replacement !== undefined) {
    const choices = failures !== undefined ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    found.push(...validateChoice(replacement, choices, `${field}.podReplacementPolicy`));
  }
  return [
    ...found,
    ...validatePodTemplate(spec?.template, `${field}.template`, rules),
    ...validateRestartPolicy(spec, `${field}.template.spec.restartPolicy`),
  ];
}

function isIndexed(spec: JobSpec | undefined): boolean {
  return spec?.completionMode === 'Indexed';
}

const NEEDS_INDEXES = 'requires indexed completion mode';

function validateCompletionMode(spec: JobSpec | undefined, field: string): FieldError[] {
  const mode = spec?.completionMode;
  if (isIndexed(spec)) return validateIndexed(spec, field);
  const found: FieldError[] = [];
  if (mode !== undefined && mode !== 'NonIndexed') {
    return [fieldError.notSupported(`${field}.completionMode`, mode, ['NonIndexed', 'Indexed'])];
  }
  for (const member of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    const value = spec?.[member];
    if (value !== undefined) found.push(fieldError.invalid(`${field}.${member}`, value, NEEDS_INDEXES));
  }
  return found;
}

function validateIndexed(spec: JobSpec | undefined, field: string): FieldError[] {
  const { completions, parallelism, maxFailedIndexes: mostFailed } = spec ?? {};
  const found: FieldError[] = [];
  const refuse = (member: string, value: number | undefined, why: string) =>
    found.push(fieldError.invalid(`${field}.${member}`, value, why));
  const mode = 'when completion mode is Indexed';
  if (completions === undefined) found.push(fieldError.required(`${field}.completions`, mode));
  if (Number(parallelism ?? 0) > MAX_PARALLEL) {
    refuse('parallelism', parallelism, `must be less than or equal to ${MAX_PARALLEL} ${mode}`);
  }
  if (completions !== undefined && mostFailed !== undefined && Number(mostFailed) > Number(completions)) {
    refuse('maxFailedIndexes', mostFailed, 'must be less than or equal to completions');
  }
  if (Number(mostFailed ?? 0) > MAX_PARALLEL) {
    refuse('maxFailedIndexes', mostFailed, `must be less than or equal to ${MAX_PARALLEL}`);
  }
  if (Number(completions ?? 0) <= MANY_COMPLETIONS || spec?.backoffLimitPerIndex === undefined) return found;
  const many = `when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (mostFailed === undefined) {
    const why = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    found.push(fieldError.required(`${field}.maxFailedIndexes`, why));
  }
  for (const [member, value] of [
    ['parallelism', parallelism],
    ['maxFailedIndexes', mostFailed],
  ] as const) {
    if (Number(value ?? 0) > MAX_WITH_MANY)
      refuse(member, value, `must be less than or equal to ${MAX_WITH_MANY} ${many}`);
  }
  return found;
}

/** Pods of a Job terminate; the default restart policy is not allowed. */
function validateRestartPolicy(spec: JobSpec | undefined, field: string): FieldError[] {
  const policy = spec?.template?.spec?.restartPolicy ?? '';
  switch (policy) {
    case '':
    case 'Always':
      return [fieldError.required(field, 'valid values: "OnFailure", "Never"')];
    case 'OnFailure': {
      const why = 'only "Never" is supported when podFailurePolicy is specified';
      return spec?.podFailurePolicy !== undefined ? [fieldError.invalid(field, policy, why)] : [];
    }
    case 'Never':
      return [];
    default:
      return [fieldError.notSupported(field, policy, ['OnFailure', 'Never'])];
  }
}

/** Immutable fields of a Job, apart from completions and template. */
const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;
const POLICIES = Object.freeze({ podFailurePolicy: PodFailurePolicy, successPolicy: SuccessPolicy });

/** An update of a Job, which Kubernetes then validates again as a whole. */
export function validateJobUpdate(next: Job, previous: Job, rules?: PodRules): FieldError[] {
  const [spec, old] = [next.spec, previous.spec];
  const minor = rules?.minor;
  return [
    ...validateSelectedJobSpec(spec, rules),
    ...validateCompletionsUpdate(spec, old),
    ...validateImmutable(spec?.selector, old?.selector, 'spec.selector'),
    ...validateTemplateUpdate(next, previous, rules),
    ...FIXED.flatMap((member) =>
      member === 'podFailurePolicy' || member === 'successPolicy'
        ? validateImmutableWhole({ type: POLICIES[member], minor }, [spec?.[member], old?.[member]], `spec.${member}`)
        : validateImmutable(spec?.[member], old?.[member], `spec.${member}`),
    ),
    ...(isSince(rules ?? {}, UPDATES_VALIDATE_ONCE) ? validatePodHostnames(next) : []),
  ];
}

/** An indexed Job may change its completions together with its parallelism. */
function validateCompletionsUpdate(spec: JobSpec | undefined, old: JobSpec | undefined): FieldError[] {
  const field = 'spec.completions';
  const [now, before] = [spec?.completions, old?.completions];
  if (!isIndexed(spec)) return validateImmutable(now, before, field);
  // Missing completions of an indexed Job are reported already.
  if (now === undefined || now === before || now === spec?.parallelism) return [];
  return [fieldError.invalid(field, now, 'can only be modified in tandem with spec.parallelism')];
}

/**
 * Scheduling fields of the template are mutable while a Job has never started. Behind gates of their own, which came with
 * 1.35, they and the resources of containers are mutable while a Job is suspended and no pod of it runs.
 */
function validateTemplateUpdate(next: Job, previous: Job, rules: PodRules | undefined): FieldError[] {
  const field = 'spec.template';
  const [template, old] = [next.spec?.template, previous.spec?.template];
  const suspended = previous.spec?.suspend === true;
  const whole = { type: PodTemplateType, minor: rules?.minor };
  if (!suspended || template === undefined || old === undefined)
    return validateImmutableWhole(whole, [template, old], field);
  const { startTime, active = 0, conditions = [] } = previous.status ?? {};
  const isSuspended = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const isIdle = (startTime === undefined || isSuspended) && active === 0;
  const gateEnabled = rules?.gateEnabled ?? (() => false);
  const movable = gateEnabled('MutableSchedulingDirectivesForSuspendedJobs') ? isIdle : startTime === undefined;
  const expected = movable ? withPlacement(old, template) : old;
  if (!isIdle || !gateEnabled('MutablePodResourcesForSuspendedJobs')) {
    return validateImmutableWhole(whole, [template, expected], field);
  }
  // The metadata of the template is not looked at, as in kube-apiserver.
  const specs = [template.spec, withResources(expected.spec, template.spec)] as const;
  return validateImmutableWhole({ ...whole, type: PodSpecType }, specs, `${field}.spec`);
}

function withResources(old: PodSpec | undefined, next: PodSpec | undefined): PodSpec | undefined {
  if (old === undefined || next === undefined) return old;
  return {
    ...old,
    containers: resized(old.containers ?? [], next.containers ?? []),
    ...(old.initContainers && { initContainers: resized(old.initContainers, next.initContainers ?? []) }),
  };
}

function resized(old: readonly Container[], next: readonly Container[]): readonly Container[] {
  if (old.length !== next.length) return old;
  return old.map((container, index) => {
    const { name, resources } = next[index] as Container;
    return name === container.name ? { ...container, resources } : container;
  });
}

function withPlacement(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const [spec, oldSpec] = [template.spec, old.spec];
  const affinity: Affinity = { ...oldSpec?.affinity, nodeAffinity: spec?.affinity?.nodeAffinity };
  const placed = Object.values(affinity).some((each) => each !== undefined);
  return {
    ...old,
    metadata: {
      ...old.metadata,
      labels: template.metadata?.labels,
      annotations: template.metadata?.annotations,
    },
    spec: {
      ...oldSpec,
      affinity: placed ? affinity : spec?.affinity === undefined ? undefined : {},
      nodeSelector: spec?.nodeSelector,
      tolerations: spec?.tolerations,
      schedulingGates: spec?.schedulingGates,
    },
  };
}

export function validateCronJob({ metadata, spec }: CronJob, rules?: PodRules): FieldError[] {
  const { name = '' } = metadata;
  const zone = spec?.timeZone;
  const template = spec?.jobTemplate?.spec;
  const field = 'spec.jobTemplate.spec';
  const found = [
    ...validateSchedule(spec?.schedule ?? '', 'spec.schedule'),
    ...validateCounts(spec, ['startingDeadlineSeconds'], 'spec'),
    ...validateTimeZone(zone, 'spec.timeZone'),
    ...validateConcurrency(spec?.concurrencyPolicy ?? '', 'spec.concurrencyPolicy'),
    ...validateJobSpec(template, field, rules),
  ];
  const selector = template?.selector;
  if (selector !== undefined) {
    found.push(fieldError.invalid(`${field}.selector`, selector, '`selector` will be auto-generated'));
  }
  if (template?.manualSelector === true) {
    found.push(fieldError.notSupported(`${field}.manualSelector`, true, ['nil', 'false']));
  }
  found.push(...validateCounts(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], 'spec'));
  if (name.length <= CRON_JOB_NAME_BYTES) return found;
  return [
    ...found,
    fieldError.invalid('metadata.name', name, `must be no more than ${CRON_JOB_NAME_BYTES} characters`),
  ];
}

function validateConcurrency(policy: string, field: string): FieldError[] {
  if (policy === '') return [fieldError.required(field)];
  return validateChoice(policy, ['Allow', 'Forbid', 'Replace'], field);
}
