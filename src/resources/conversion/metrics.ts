// Autoscaling metrics in the flat form that annotations of autoscaling/v1 hold (targetValue, targetAverageValue …) and
// in v2's nested form (a metric and a target).

import type { Json, JsonObject } from '../../api/object.ts';
import { lookup } from '../../base/lookup.ts';
import { at, isObject } from '../value.ts';

/** A spec's metrics have a target, a status' metrics a current value; the names of flat members begin with the same. */
export type Side = 'target' | 'current';

/** Where each type of metric keeps its content. */
const MEMBERS: Record<string, string> = lookup({
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
  External: 'external',
});

/** One metric of v2 as an annotation holds it, its members in the order that Kubernetes writes. */
export function flatMetric(metric: Json, side: Side): JsonObject {
  return converted(metric, (type, content) => flat(type, content, side));
}

/** One metric of an annotation as v2 has it. */
export function nestedMetric(metric: Json, side: Side): JsonObject {
  return converted(metric, (type, content) => nested(type, content, side));
}

function converted(metric: Json, convert: (type: string, content: JsonObject) => JsonObject): JsonObject {
  const type = String(at(metric, 'type') ?? '');
  const member = MEMBERS[type];
  const content = member === undefined ? undefined : at(metric, member);
  return member !== undefined && isObject(content) ? { type, [member]: present(convert(type, content)) } : { type };
}

function flat(type: string, content: JsonObject, side: Side): JsonObject {
  const { value, averageValue, averageUtilization } = isObject(content[side]) ? content[side] : {};
  // Go writes a status' values even when they are zero, a spec's only when they are set.
  const zero = side === 'current' ? '0' : undefined;
  const metricName = at(content, 'metric', 'name') ?? '';
  const selector = at(content, 'metric', 'selector');
  switch (type) {
    case 'Object':
      return { target: content['describedObject'], metricName, [`${side}Value`]: value ?? '0', selector, averageValue };
    case 'Pods':
      return { metricName, [`${side}AverageValue`]: averageValue ?? '0', selector };
    case 'External':
      return {
        metricName,
        metricSelector: selector,
        [`${side}Value`]: value ?? zero,
        [`${side}AverageValue`]: averageValue,
      };
    default:
      return {
        name: content['name'],
        [`${side}AverageUtilization`]: averageUtilization,
        [`${side}AverageValue`]: averageValue ?? zero,
        container: content['container'],
      };
  }
}

function nested(type: string, content: JsonObject, side: Side): JsonObject {
  const values = present({
    value: content[`${side}Value`],
    averageValue: type === 'Object' ? content['averageValue'] : content[`${side}AverageValue`],
    averageUtilization: content[`${side}AverageUtilization`],
  });
  if (type === 'Resource' || type === 'ContainerResource') {
    return {
      name: content['name'],
      [side]: side === 'target' ? target(values) : values,
      container: content['container'],
    };
  }
  const selector = content[type === 'External' ? 'metricSelector' : 'selector'];
  const metric = present({ name: content['metricName'], selector });
  return {
    describedObject: type === 'Object' ? content['target'] : undefined,
    [side]: side === 'target' ? target(values) : values,
    metric,
  };
}

/** A target says which of its values counts; a plain value beside an average is a zero that had to be written. */
function target({ value, averageValue, averageUtilization }: JsonObject): JsonObject {
  if (averageUtilization !== undefined) return { type: 'Utilization', averageUtilization };
  return averageValue === undefined ? present({ type: 'Value', value }) : { type: 'AverageValue', averageValue };
}

function present(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));
}
