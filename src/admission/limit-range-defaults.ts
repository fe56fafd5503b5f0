// Defaults of container resources from the LimitRanges of a namespace, and the annotation that lists them.

import { errors } from '../api/errors.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { objectAt, objectIn, objectsAt } from '../resources/fill-in.ts';
import { at, entriesAt, textAt } from '../resources/value.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

type Amounts = readonly [resource: string, amount: Json][];

/** By the field of a container's resources that receives them. */
interface Defaults {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/**
 * Applies defaults to containers and init containers. Modifies the pod.
 * @returns one sentence for the annotation for each list that received a default
 * @throws ApiError 413 if they make the pod larger than a stored object may be
 */
export function fillInDefaults(pod: ApiObject, limitRange: ApiObject): string[] {
  const spec = objectIn(pod, 'spec');
  const filled: string[] = [];
  let characters = 0;
  for (const item of containerItems(limitRange)) {
    const defaults = { requests: entriesAt(item, 'defaultRequest'), limits: entriesAt(item, 'default') };
    for (const [list, what] of LISTS) {
      for (const each of objectsAt(spec, list)) {
        const sentences = fillContainer(each, defaults, what);
        filled.push(...sentences);
        characters += sentences.reduce((sum, { length }) => sum + length, 0);
        if (characters > limits.storedObjectBytes) throw tooMuch(limitRange);
      }
    }
  }
  return filled;
}

const LISTS = [
  ['containers', 'container'],
  ['initContainers', 'init container'],
] as const;

/** Hundreds of containers may get thousands of defaults each. */
function tooMuch({ metadata }: ApiObject) {
  return errors.bodyTooLarge(
    `the defaults of the limit range ${goQuote(metadata.name ?? '')} make the pod larger than ${limits.storedObjectBytes} bytes`,
  );
}

/** A limit range has at most one item of a type. */
function containerItems(limitRange: ApiObject): JsonObject[] {
  return objectsAt(objectAt(limitRange, 'spec'), 'limits').filter((item) => item['type'] === 'Container');
}

function fillContainer(container: JsonObject, defaults: Defaults, what: string): string[] {
  const filled: string[] = [];
  for (const side of ['requests', 'limits'] as const) {
    const missing = defaults[side].filter(([name]) => at(container, 'resources', side, name) === undefined);
    if (missing.length === 0) continue;
    const resources = objectIn(container, 'resources');
    const amounts = [...Object.entries(objectAt(resources, side) ?? {}), ...missing];
    resources[side] = Object.fromEntries(amounts.sort(([one], [other]) => (one < other ? -1 : 1)));
    const names = missing.map(([name]) => name).join(', ');
    filled.push(`${names} ${side.slice(0, -1)} for ${what} ${textAt(container, 'name')}`);
  }
  if (filled.length > 0) inDeclaredOrder(container);
  return filled;
}

/** As the object will be read: limits come first. */
function inDeclaredOrder(container: JsonObject): void {
  const { limits: most, ...others } = objectIn(container, 'resources');
  container['resources'] = most === undefined ? others : { limits: most, ...others };
}

/** If several limit ranges apply defaults, the annotation only mentions the last one. */
export function annotateDefaults({ metadata }: ApiObject, filled: readonly string[]): void {
  metadata.annotations = { ...metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${filled.join('; ')}` };
}
