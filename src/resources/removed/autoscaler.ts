// Conversion of autoscaling/v2beta1 and v2beta2. v2beta1 has metrics in the flat form and its behavior in an
// annotation; v2beta2 is v2 without tolerances, which are kept in annotations.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { BEHAVIOR, behaviorIn, goBehavior } from '../conversion/autoscaling.ts';
import { flatMetric, nestedMetric } from '../conversion/metrics.ts';
import type { Conversion } from '../definition.ts';
import { at } from '../value.ts';

const TOLERANCES = [
  ['scaleDown', 'autoscaling.alpha.kubernetes.io/scale-down-tolerance'],
  ['scaleUp', 'autoscaling.alpha.kubernetes.io/scale-up-tolerance'],
] as const;

/** autoscaling/v2beta1 to and from autoscaling/v2. */
export const autoscalerV2beta1: Conversion = {
  toStorage: (autoscaler) => {
    const behavior = behaviorIn(autoscaler.metadata.annotations?.[BEHAVIOR], true);
    const converted = withMetrics(autoscaler, nestedMetric);
    return withAnnotations(behavior === undefined ? converted : withSpec(converted, { behavior }), {
      [BEHAVIOR]: undefined,
    });
  },
  fromStorage: (autoscaler) => {
    const { behavior, ...spec } = (autoscaler['spec'] ?? {}) as JsonObject;
    const converted = withMetrics({ ...autoscaler, spec }, flatMetric);
    if (!isObject(behavior)) return converted;
    return withAnnotations(converted, { [BEHAVIOR]: JSON.stringify(goBehavior(behavior, true)) });
  },
};

/** autoscaling/v2beta2 to and from autoscaling/v2. */
export const autoscalerV2beta2: Conversion = {
  toStorage: (autoscaler) => {
    let converted = autoscaler;
    for (const [direction, annotation] of TOLERANCES) {
      const tolerance = autoscaler.metadata.annotations?.[annotation];
      const behavior = at(converted, 'spec', 'behavior');
      const rules = at(behavior, direction);
      if (tolerance === undefined || !isObject(behavior) || !isObject(rules)) continue;
      converted = withSpec(converted, { behavior: { ...behavior, [direction]: { ...rules, tolerance } } });
    }
    return withAnnotations(converted, Object.fromEntries(TOLERANCES.map(([, annotation]) => [annotation, undefined])));
  },
  fromStorage: (autoscaler) => {
    let converted = autoscaler;
    for (const [direction, annotation] of TOLERANCES) {
      const behavior = at(converted, 'spec', 'behavior');
      const rules = at(behavior, direction);
      if (!isObject(behavior) || !isObject(rules) || typeof rules['tolerance'] !== 'string') continue;
      const { tolerance, ...others } = rules;
      converted = withSpec(converted, { behavior: { ...behavior, [direction]: others } });
      converted = withAnnotations(converted, { [annotation]: String(tolerance) });
    }
    return converted;
  },
};

function withMetrics(autoscaler: ApiObject, convert: typeof flatMetric): ApiObject {
  const metrics = at(autoscaler, 'spec', 'metrics');
  const current = at(autoscaler, 'status', 'currentMetrics');
  let converted = autoscaler;
  if (Array.isArray(metrics)) {
    converted = withSpec(converted, { metrics: metrics.map((metric) => convert(metric, 'target')) });
  }
  if (!Array.isArray(current)) return converted;
  const status = converted['status'] as JsonObject;
  return { ...converted, status: { ...status, currentMetrics: current.map((metric) => convert(metric, 'current')) } };
}

function withSpec(autoscaler: ApiObject, members: JsonObject): ApiObject {
  return { ...autoscaler, spec: { ...(autoscaler['spec'] as JsonObject), ...members } };
}

/** @param changes an undefined annotation is removed */
function withAnnotations(autoscaler: ApiObject, changes: Record<string, string | undefined>): ApiObject {
  const { annotations: before, ...metadata } = autoscaler.metadata;
  const annotations = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return {
    ...autoscaler,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}
