// Validation of HorizontalPodAutoscalers, in v2, which is stored.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { parseApiVersion } from '../../../api/group-version.ts';
import { labelFaults, pathSegmentFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateCounts } from '../../validation/counts.ts';
import { faultErrors, validateChoice } from '../../validation/field-rules.ts';
import { isPositiveAmount, validateContainerResourceName } from '../../validation/quantities.ts';
import { at } from '../../value.ts';
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from './v2-objects.ts';

/** Sources of metrics: the field of each, and the name of its type, in Kubernetes' order. */
const SOURCES = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;
const TYPES = SOURCES.map(([, type]) => type).sort();

/** Without a maximum there is no autoscaling. */
function tooFew(most: number, context: StrategyContext): FieldError {
  const field = 'spec.maxReplicas';
  if (!isSince(context, 36)) return fieldError.invalid(field, most, 'must be greater than 0');
  return most === 0
    ? fieldError.required(field, 'must be set and greater than 0')
    : fieldError.invalid(field, most, 'must be greater than or equal to 1');
}

function validateAutoscaler({ spec }: HorizontalPodAutoscaler, context: StrategyContext): FieldError[] {
  const { gateEnabled } = context;
  const least = gateEnabled('HPAScaleToZero') ? 0 : 1;
  const [fewest, most] = [spec?.minReplicas, spec?.maxReplicas ?? 0];
  const found: FieldError[] = [];
  if (fewest !== undefined && Number(fewest) < least) {
    found.push(fieldError.invalid('spec.minReplicas', fewest, `must be greater than or equal to ${least}`));
  }
  if (most < 1) found.push(tooFew(most, context));
  if (fewest !== undefined && most < Number(fewest)) {
    found.push(fieldError.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  const target = spec?.scaleTargetRef;
  const reference = 'spec.scaleTargetRef';
  found.push(...validateReference(target, reference));
  if (isSince(context, TARGET_VERSIONS)) found.push(...validateTargetVersion(target, `${reference}.apiVersion`));
  found.push(...validateMetrics(spec, 'spec.metrics'));
  for (const side of ['scaleUp', 'scaleDown'] as const) {
    const rules = spec?.behavior?.[side];
    if (rules !== undefined) found.push(...validateScaling(rules, `spec.behavior.${side}`));
  }
  return found;
}

function validateReference(reference: CrossVersionObjectReference | undefined, field: string): FieldError[] {
  return (['kind', 'name'] as const).flatMap((member) => {
    const text = reference?.[member] ?? '';
    if (text === '') return [fieldError.required(`${field}.${member}`)];
    return faultErrors(pathSegmentFaults(text), text, `${field}.${member}`);
  });
}

/** The first minor release of Kubernetes 1 that validates the API versions of targets and described objects. */
const TARGET_VERSIONS = 34;

/** The scale target has a group, except for ReplicationControllers. */
function validateTargetVersion(target: CrossVersionObjectReference | undefined, field: string): FieldError[] {
  const apiVersion = target?.apiVersion ?? '';
  const version = parseApiVersion(apiVersion);
  if (version === undefined) {
    return [fieldError.invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  if (version.group !== '' || (target?.kind ?? '') === 'ReplicationController') return [];
  return [fieldError.invalid(field, apiVersion, 'apiVersion must specify API group')];
}

function validateMetrics(spec: HorizontalPodAutoscalerSpec | undefined, field: string): FieldError[] {
  const metrics = spec?.metrics ?? [];
  const found = metrics.flatMap((metric, index) => validateMetric(metric, `${field}[${index}]`));
  // Only metrics that do not come from the pods can scale up from zero.
  const fromOutside = metrics.some((metric) => ['Object', 'External'].includes(metric.type ?? ''));
  if (spec?.minReplicas !== 0 || fromOutside) return found;
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [...found, fieldError.forbidden(field, why)];
}

function validateMetric(metric: MetricSpec, field: string): FieldError[] {
  const type = metric.type ?? '';
  const found: FieldError[] = [];
  if (type === '') found.push(fieldError.required(`${field}.type`, 'must specify a metric source type'));
  found.push(...validateChoice(type, TYPES, `${field}.type`));
  const present = SOURCES.map(([member]) => member).filter((member) => metric[member] !== undefined);
  const [first] = present;
  if (first !== undefined) found.push(...validateSource(first, metric, `${field}.${first}`));
  const expected = SOURCES.find(([, each]) => each === type)?.[0];
  if (expected === undefined) found.push(...validateChoice(type, TYPES, `${field}.type`));
  else if (!present.includes(expected)) {
    const why = 'must populate information for the given metric source';
    found.push(fieldError.required(`${field}.${expected}`, why));
  }
  if (present.length === 1) return found;
  const others = present.filter((member) => member !== expected).sort();
  return [
    ...found,
    ...others.map((member) => fieldError.forbidden(`${field}.${member}`, 'must populate the given metric source only')),
  ];
}

function validateSource(member: (typeof SOURCES)[number][0], metric: MetricSpec, field: string): FieldError[] {
  const target = metric[member]?.target;
  const here = `${field}.target`;
  const ofTarget = validateTarget(target, here);
  switch (member) {
    case 'object':
      return [
        ...validateReference(metric.object?.describedObject, `${field}.describedObject`),
        ...validateIdentifier(metric.object?.metric, `${field}.metric`),
        ...ofTarget,
        ...validateOneValue(target, { field: here, missing: 'must set either a target value or averageValue' }),
      ];
    case 'external':
      return [
        ...validateIdentifier(metric.external?.metric, `${field}.metric`),
        ...ofTarget,
        ...validateOneValue(target, {
          field: here,
          missing: 'must set either a target value for metric or a per-pod target',
          both: 'may not set both a target value for metric and a per-pod target',
        }),
      ];
    case 'pods':
      return [
        ...validateIdentifier(metric.pods?.metric, `${field}.metric`),
        ...ofTarget,
        ...validatePodsTarget(target, here),
      ];
    case 'resource':
      return [...validateName(metric.resource, field), ...ofTarget, ...validateShare(target, here)];
    case 'containerResource':
      return [
        ...validateResource(metric.containerResource, field),
        ...validateContainer(metric.containerResource?.container ?? '', `${field}.container`),
        ...ofTarget,
        ...validateShare(target, here),
      ];
  }
}

function validateOneValue(
  target: MetricTarget | undefined,
  { field, missing, both }: { field: string; missing: string; both?: string },
): FieldError[] {
  const [value, average] = [target?.value, target?.averageValue];
  if (value === undefined && average === undefined) return [fieldError.required(`${field}.averageValue`, missing)];
  if (value === undefined || average === undefined || both === undefined) return [];
  return [fieldError.forbidden(`${field}.value`, both)];
}

function validatePodsTarget(target: MetricTarget | undefined, field: string): FieldError[] {
  if (target?.averageValue !== undefined) return [];
  return [fieldError.required(`${field}.averageValue`, 'must specify a positive target averageValue')];
}

function validateShare(target: MetricTarget | undefined, field: string): FieldError[] {
  const [share, average] = [target?.averageUtilization, target?.averageValue];
  if (share === undefined && average === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    return [fieldError.required(`${field}.averageUtilization`, why)];
  }
  if (share === undefined || average === undefined) return [];
  return [
    fieldError.forbidden(`${field}.averageValue`, 'may not set both a target raw value and a target utilization'),
  ];
}

function validateName(source: { readonly name?: string } | undefined, field: string): FieldError[] {
  if ((source?.name ?? '') !== '') return [];
  return [fieldError.required(`${field}.name`, 'must specify a resource name')];
}

function validateResource(source: ContainerResourceMetricSource | undefined, field: string): FieldError[] {
  const name = source?.name ?? '';
  return name === '' ? validateName(source, field) : validateContainerResourceName(name, `${field}.name`);
}

function validateContainer(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field, 'must specify a container')];
  return faultErrors(labelFaults(name), name, field);
}

function validateIdentifier(metric: MetricIdentifier | undefined, field: string): FieldError[] {
  const name = metric?.name ?? '';
  if (name === '') return [fieldError.required(`${field}.name`, 'must specify a metric name')];
  return faultErrors(pathSegmentFaults(name), name, `${field}.name`);
}

const TARGETS = ['Utilization', 'Value', 'AverageValue'];

function validateTarget(target: MetricTarget | undefined, field: string): FieldError[] {
  const type = target?.type ?? '';
  const found: FieldError[] = [];
  if (type === '') found.push(fieldError.required(`${field}.type`, 'must specify a metric target type'));
  if (!TARGETS.includes(type)) {
    found.push(fieldError.invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const member of ['value', 'averageValue']) {
    const amount = at(target, member);
    if (amount === undefined || isPositiveAmount(String(amount))) continue;
    found.push(fieldError.invalid(`${field}.${member}`, amount, 'must be positive'));
  }
  const share = target?.averageUtilization;
  if (share === undefined || Number(share) >= 1) return found;
  return [...found, fieldError.invalid(`${field}.averageUtilization`, share, 'must be greater than 0')];
}

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

function validateScaling(rules: HPAScalingRules, field: string): FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy, tolerance } = rules;
  const found: FieldError[] = [];
  const refuseWindow = (why: string) =>
    found.push(fieldError.invalid(`${field}.stabilizationWindowSeconds`, window, why));
  if (Number(window ?? 0) < 0) refuseWindow('must be greater than or equal to zero');
  if (Number(window ?? 0) > MAX_WINDOW_SECONDS) refuseWindow(`must be less than or equal to ${MAX_WINDOW_SECONDS}`);
  if (selectPolicy !== undefined) {
    found.push(...validateChoice(String(selectPolicy), ['Disabled', 'Max', 'Min'], `${field}.selectPolicy`));
  }
  const policies = rules.policies ?? [];
  if (policies.length === 0) found.push(fieldError.required(`${field}.policies`, 'must specify at least one Policy'));
  found.push(...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)));
  if (typeof tolerance === 'string' && tolerance.startsWith('-')) {
    found.push(fieldError.invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0'));
  }
  return found;
}

function validatePolicy(policy: HPAScalingPolicy, field: string): FieldError[] {
  const [value, period] = [policy.value ?? 0, policy.periodSeconds ?? 0];
  const found = validateChoice(policy.type ?? '', ['Percent', 'Pods'], `${field}.type`);
  if (value <= 0) found.push(fieldError.invalid(`${field}.value`, value, 'must be greater than zero'));
  const refusePeriod = (why: string) => found.push(fieldError.invalid(`${field}.periodSeconds`, period, why));
  if (period <= 0) refusePeriod('must be greater than zero');
  if (period > MAX_PERIOD_SECONDS) refusePeriod(`must be less than or equal to ${MAX_PERIOD_SECONDS}`);
  return found;
}

function validateAutoscalerStatus(next: HorizontalPodAutoscaler): FieldError[] {
  return validateCounts(next['status'], ['currentReplicas', 'desiredReplicas'], 'status');
}

export const autoscalerRules: KindRules<HorizontalPodAutoscaler> = {
  validate: validateAutoscaler,
  subresources: { status: { validateUpdate: validateAutoscalerStatus } },
};
