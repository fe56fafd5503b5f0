// Conversion between autoscaling/v1 and v2, which is stored. Content without a field in v1 is in annotations, in
// Kubernetes' form: metrics and conditions as JSON of an older version, behavior with Go field names.

import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { CPU_SHARE_PERCENT } from '../builtin/autoscaling/defaults.ts';
import type { Conversion } from '../definition.ts';
import { at, isObject, listAt } from '../value.ts';
import { flatMetric, nestedMetric, type Side } from './metrics.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
export const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const ANNOTATIONS = [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR];

/** autoscaling/v1 to and from autoscaling/v2. */
export const autoscalerV1: Conversion = { toStorage: fromV1, fromStorage: toV1, leavesDefaultsIn: 'behavior' };

function toV1(autoscaler: ApiObject): ApiObject {
  const { metrics, behavior, ...spec } = objectOf(autoscaler['spec']);
  const { currentMetrics, conditions, ...status } = objectOf(autoscaler['status']);
  const annotations: Record<string, string> = { ...autoscaler.metadata.annotations };

  const all = Array.isArray(metrics) ? metrics : [];
  // v1 has a field for CPU utilization: the last such metric sets it, all others are in the annotation.
  const cpu = all.findLast((metric) => cpuShare(metric) !== undefined);
  if (cpu !== undefined) spec['targetCPUUtilizationPercentage'] = cpuShare(cpu);
  const rest = all.filter((metric) => cpuShare(metric) === undefined);
  if (rest.length > 0) annotations[METRICS] = JSON.stringify(rest.map((metric) => flatMetric(metric, 'target')));
  if (isObject(behavior)) annotations[BEHAVIOR] = JSON.stringify(goBehavior(behavior));

  const current = Array.isArray(currentMetrics) ? currentMetrics : [];
  if (current.length > 0)
    annotations[CURRENT_METRICS] = JSON.stringify(current.map((metric) => flatMetric(metric, 'current')));
  const currentCpu = current.findLast((metric) => cpuShare(metric, 'current') !== undefined);
  if (currentCpu !== undefined) status['currentCPUUtilizationPercentage'] = cpuShare(currentCpu, 'current');
  if (Array.isArray(conditions) && conditions.length > 0) {
    annotations[CONDITIONS] = JSON.stringify(conditions.map(conditionInOrder));
  }

  const metadata = { ...autoscaler.metadata };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  // v2 omits a count of zero, v1 includes it.
  return {
    ...autoscaler,
    metadata,
    spec: inV1Order(spec),
    status: { currentReplicas: 0, desiredReplicas: 0, ...status },
  };
}

function fromV1(autoscaler: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage: share, ...spec } = objectOf(autoscaler['spec']);
  const { currentCPUUtilizationPercentage: currentShare, ...status } = objectOf(autoscaler['status']);
  const annotations = autoscaler.metadata.annotations ?? {};

  const metrics = parsed(annotations[METRICS]).map((metric) => nestedMetric(metric, 'target'));
  if (share !== undefined && share !== null) metrics.push(cpuMetric(share));
  // v2 cannot express that there are none: by default there is one.
  if (metrics.length === 0) metrics.push(cpuMetric(CPU_SHARE_PERCENT));
  spec['metrics'] = metrics;
  const behavior = parsedObject(annotations[BEHAVIOR]);
  const rules = behavior && plainBehavior(behavior);
  if (rules !== undefined && Object.keys(rules).length > 0) spec['behavior'] = rules;

  const current = parsed(annotations[CURRENT_METRICS]).map((metric) => nestedMetric(metric, 'current'));
  if (
    currentShare !== undefined &&
    currentShare !== null &&
    !current.some((one) => cpuShare(one, 'current') !== undefined)
  ) {
    current.push({ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentShare } } });
  }
  status['currentMetrics'] = current.length > 0 ? current : null;
  const conditions = parsed(annotations[CONDITIONS]);
  if (conditions.length > 0) status['conditions'] = conditions;

  return { ...autoscaler, metadata: withoutAnnotations(autoscaler), spec, status };
}

function withoutAnnotations({ metadata }: ApiObject): ApiObject['metadata'] {
  const { annotations, ...rest } = metadata;
  const left = Object.entries(annotations ?? {}).filter(([name]) => !ANNOTATIONS.includes(name));
  return left.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(left) };
}

/** The utilization of the metric that v1 has a field for. */
function cpuShare(metric: Json, side: Side = 'target'): Json | undefined {
  if (at(metric, 'type') !== 'Resource' || at(metric, 'resource', 'name') !== 'cpu') return undefined;
  return at(metric, 'resource', side, 'averageUtilization') ?? undefined;
}

function cpuMetric(share: Json): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: share } } };
}

/** The order of v1's declaration. */
function inV1Order({ scaleTargetRef, minReplicas, maxReplicas, ...rest }: JsonObject): JsonObject {
  const out: JsonObject = { scaleTargetRef };
  if (minReplicas !== undefined) out['minReplicas'] = minReplicas;
  return Object.assign(out, { maxReplicas }, rest);
}

function conditionInOrder(condition: Json): JsonObject {
  const { type, status, lastTransitionTime = null, reason, message } = objectOf(condition);
  const out: JsonObject = { type, status, lastTransitionTime };
  if (reason !== undefined) out['reason'] = reason;
  if (message !== undefined) out['message'] = message;
  return out;
}

export function goBehavior({ scaleUp, scaleDown }: JsonObject): JsonObject {
  return { ScaleUp: goRules(scaleUp), ScaleDown: goRules(scaleDown) };
}

function goRules(rules: Json | undefined): JsonObject | null {
  if (!isObject(rules)) return null;
  return {
    StabilizationWindowSeconds: rules['stabilizationWindowSeconds'] ?? null,
    SelectPolicy: rules['selectPolicy'] ?? null,
    Policies: Array.isArray(rules['policies'])
      ? listAt(rules, 'policies').map((policy) => ({
          Type: at(policy, 'type') ?? '',
          Value: at(policy, 'value') ?? 0,
          PeriodSeconds: at(policy, 'periodSeconds') ?? 0,
        }))
      : null,
    Tolerance: rules['tolerance'] ?? null,
  };
}

export function plainBehavior(behavior: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, go] of [
    ['scaleUp', 'ScaleUp'],
    ['scaleDown', 'ScaleDown'],
  ] as const) {
    if (isObject(behavior[go])) out[name] = plainRules(behavior[go]);
  }
  return out;
}

function plainRules(rules: JsonObject): JsonObject {
  const out: JsonObject = {};
  if (isSet(rules['StabilizationWindowSeconds']))
    out['stabilizationWindowSeconds'] = rules['StabilizationWindowSeconds'];
  if (isSet(rules['SelectPolicy'])) out['selectPolicy'] = rules['SelectPolicy'];
  if (Array.isArray(rules['Policies'])) {
    out['policies'] = rules['Policies'].map((policy) => ({
      type: at(policy, 'Type') ?? '',
      value: at(policy, 'Value') ?? 0,
      periodSeconds: at(policy, 'PeriodSeconds') ?? 0,
    }));
  }
  if (isSet(rules['Tolerance'])) out['tolerance'] = rules['Tolerance'];
  return out;
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The list of objects in an annotation; an invalid annotation is ignored, as in Kubernetes. */
function parsed(text: string | undefined): Json[] {
  const value = json(text);
  return Array.isArray(value) && value.every((item) => isObject(item)) ? value : [];
}

export function parsedObject(text: string | undefined): JsonObject | undefined {
  const value = json(text);
  return isObject(value) ? value : undefined;
}

function json(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
