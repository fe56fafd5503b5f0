// Conversion between autoscaling/v1 and v2, which is stored. Content without a field in v1 is in annotations, in
// Kubernetes' form: metrics and conditions as JSON of an older version, behavior with Go field names.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { isSince } from '../../lifecycle/version.ts';
import { DecodeError, decodeObject } from '../../schema/decode.ts';
import { CPU_SHARE_PERCENT } from '../builtin/autoscaling/defaults.ts';
import { HorizontalPodAutoscaler } from '../builtin/autoscaling/v2.ts';
import type { Conversion } from '../definition.ts';
import { at, listAt } from '../value.ts';
import { flatMetric, nestedMetric, type Side } from './metrics.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
export const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const ANNOTATIONS = [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR];

/** autoscaling/v1 to and from autoscaling/v2. */
export function autoscalerV1(minor: number): Conversion {
  const tolerates = isSince({ minor }, TOLERANCES);
  return {
    toStorage: (autoscaler) => fromV1(autoscaler, tolerates),
    fromStorage: (autoscaler) => toV1(autoscaler, tolerates),
    leavesDefaultsIn: 'behavior',
  };
}

/** The first minor release of Kubernetes 1 whose scaling rules have a tolerance. */
const TOLERANCES = 33;

function toV1(autoscaler: ApiObject, tolerates: boolean): ApiObject {
  const { metrics, behavior, ...spec } = objectOf(autoscaler['spec']);
  const { currentMetrics, conditions, ...status } = objectOf(autoscaler['status']);
  const annotations: Record<string, string> = { ...autoscaler.metadata.annotations };

  const all = Array.isArray(metrics) ? metrics : [];
  // v1 has a field for CPU utilization: the last such metric sets it, all others are in the annotation.
  const cpu = all.findLast((metric) => cpuShare(metric) !== undefined);
  if (cpu !== undefined) spec['targetCPUUtilizationPercentage'] = cpuShare(cpu);
  const rest = all.filter((metric) => cpuShare(metric) === undefined);
  if (rest.length > 0) annotations[METRICS] = JSON.stringify(rest.map((metric) => flatMetric(metric, 'target')));
  if (isObject(behavior)) annotations[BEHAVIOR] = JSON.stringify(goBehavior(behavior, tolerates));

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

function fromV1(autoscaler: ApiObject, tolerates: boolean): ApiObject {
  const { targetCPUUtilizationPercentage: share, ...spec } = objectOf(autoscaler['spec']);
  const { currentCPUUtilizationPercentage: currentShare, ...status } = objectOf(autoscaler['status']);
  const annotations = autoscaler.metadata.annotations ?? {};

  const metrics = listIn('target', annotations[METRICS]);
  if (share !== undefined && share !== null) metrics.push(cpuMetric(share));
  // v2 cannot express that there are none: by default there is one.
  if (metrics.length === 0) metrics.push(cpuMetric(CPU_SHARE_PERCENT));
  spec['metrics'] = metrics;
  const rules = behaviorIn(annotations[BEHAVIOR], tolerates);
  if (rules !== undefined && Object.keys(rules).length > 0) spec['behavior'] = rules;

  const current = listIn('current', annotations[CURRENT_METRICS]);
  if (
    currentShare !== undefined &&
    currentShare !== null &&
    !current.some((one) => cpuShare(one, 'current') !== undefined)
  ) {
    current.push({ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentShare } } });
  }
  status['currentMetrics'] = current.length > 0 ? current : null;
  const conditions = fitting('conditions', parsed(annotations[CONDITIONS])) as Json[];
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

/** @param tolerates whether rules have a tolerance */
export function goBehavior({ scaleUp, scaleDown }: JsonObject, tolerates: boolean): JsonObject {
  return { ScaleUp: goRules(scaleUp, tolerates), ScaleDown: goRules(scaleDown, tolerates) };
}

function goRules(rules: Json | undefined, tolerates: boolean): JsonObject | null {
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
    ...(tolerates && { Tolerance: rules['tolerance'] ?? null }),
  };
}

/**
 * The behavior in an annotation; undefined if there is none, or if it does not fit the type.
 * @param tolerates whether rules have a tolerance
 */
export function behaviorIn(text: string | undefined, tolerates: boolean): JsonObject | undefined {
  const behavior = json(text);
  if (!isObject(behavior)) return undefined;
  return fitting('behavior', renamed(behavior, tolerates ? RULES : INTOLERANT_RULES)) as JsonObject | undefined;
}

/** Members of an object in an annotation: their names in v2, and those of the objects below them. */
interface Names {
  readonly [name: string]: Names | null;
}

const POLICY: Names = { type: null, value: null, periodSeconds: null };
const INTOLERANT: Names = { stabilizationWindowSeconds: null, selectPolicy: null, policies: POLICY };
const INTOLERANT_RULES: Names = { scaleUp: INTOLERANT, scaleDown: INTOLERANT };
const SIDE: Names = { ...INTOLERANT, tolerance: null };
const RULES: Names = { scaleUp: SIDE, scaleDown: SIDE };

/** The members of metrics of all types, in the flat form; selectors are taken as they are. */
const SOURCE: Names = Object.fromEntries(
  [
    ...['name', 'container', 'metricName', 'metricSelector', 'selector', 'averageValue'],
    ...['targetValue', 'targetAverageValue', 'targetAverageUtilization'],
    ...['currentValue', 'currentAverageValue', 'currentAverageUtilization'],
  ].map((name) => [name, null]),
);
const OBJECT_SOURCE: Names = { ...SOURCE, target: { kind: null, name: null, apiVersion: null } };
const METRIC: Names = {
  type: null,
  object: OBJECT_SOURCE,
  pods: SOURCE,
  resource: SOURCE,
  containerResource: SOURCE,
  external: SOURCE,
};

/** An object with the names of its members in v2. Go compares names without regard to case, and skips others. */
function renamed(value: Json, names: Names): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isObject(value)) return value;
  const out: JsonObject = names === POLICY ? { type: '', value: 0, periodSeconds: 0 } : {};
  for (const [name, below] of Object.entries(names)) {
    const given = Object.keys(value).findLast((each) => each.toLowerCase() === name.toLowerCase());
    const member = given === undefined ? null : (ownMember(value, given) ?? null);
    if (member !== null) out[name] = below === null ? member : renamed(member, below);
  }
  return out;
}

/** Metrics in an annotation; none if they do not fit their type. */
function listIn(side: Side, text: string | undefined): Json[] {
  const metrics = parsed(text).map((metric) => nestedMetric(renamed(metric, METRIC), side));
  return fitting(side === 'target' ? 'metrics' : 'currentMetrics', metrics) as Json[];
}

/** A field of v2 that is read from an annotation; empty if it does not fit its type, as in Kubernetes. */
function fitting(field: 'behavior' | 'metrics' | 'currentMetrics' | 'conditions', value: Json): Json | undefined {
  const part = field === 'behavior' || field === 'metrics' ? 'spec' : 'status';
  try {
    decodeObject(HorizontalPodAutoscaler, { [part]: { [field]: value } });
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return field === 'behavior' ? undefined : [];
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * The list of objects in an annotation; an invalid annotation is ignored, as in Kubernetes, and null is an object
 * without members.
 */
function parsed(text: string | undefined): Json[] {
  const value = json(text);
  if (!Array.isArray(value)) return [];
  const items = value.map((item) => item ?? {});
  return items.every((item) => isObject(item)) ? items : [];
}

function json(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
