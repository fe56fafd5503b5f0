// Conversion of autoscaling metrics between the flat form in annotations of autoscaling/v1 (targetValue,
// targetAverageValue …) and the nested form of v2 (a metric and a target).

import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { lookup } from '../../base/lookup.ts';
import { at } from '../value.ts';

/**
 * Metrics of a spec have a target, those of a status a current value; flat field names have the corresponding prefix.
 */
export type Side = 'target' | 'current';

/** The field with the content of each type of metric. */
const MEMBERS: Record<string, string> = lookup({
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
  External: 'external',
});

/** A metric of v2 in the annotation's form, with Kubernetes' order of fields. */
export function flatMetric(metric: Json, side: Side): JsonObject {
  return converted(metric, (type, content) => flat(type, content, side));
}

/** A metric in an annotation, in the form of v2. */
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
  // Go writes values of a status even if they are zero, those of a spec only if they are set.
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

/** The type of a target selects one of its values; a plain value next to an average is a required zero. */
function target({ value, averageValue, averageUtilization }: JsonObject): JsonObject {
  if (averageUtilization !== undefined) return { type: 'Utilization', averageUtilization };
  return averageValue === undefined ? present({ type: 'Value', value }) : { type: 'AverageValue', averageValue };
}

function present(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));
}
