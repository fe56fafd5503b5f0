// How what a container, a pod or a claim asks for breaks the bounds of a limit range: the least, the most, and how far
// a limit may be above its request. In Kubernetes' words.

import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../api/quantity.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { podAmounts } from '../resources/builtin/core/pod-resources-defaults.ts';
import { objectsAt } from '../resources/fill-in.ts';
import { at, entriesAt, textAt } from '../resources/value.ts';

type Amounts = ReadonlyMap<string, Quantity>;

interface Sizes {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** What is asked for of one resource, against a bound on it. */
interface Measured {
  /** `cpu usage per Pod`, or with a ratio in place of the usage. */
  readonly what: string;
  readonly bound: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

type Rule = (measured: Measured) => string | undefined;

/** What one pod breaks of a limit range. With `podLevel` what it asks for as a whole counts for its containers' sum. */
export function podBreaches(pod: ApiObject, limitRange: ApiObject, podLevel: boolean): string[] {
  const spec = pod['spec'] as JsonObject;
  return itemsOf(limitRange).flatMap((item) => {
    switch (item['type']) {
      case 'Container':
        return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].flatMap((container) =>
          breaches(item, { requests: amountsOf(container, 'requests'), limits: amountsOf(container, 'limits') }),
        );
      case 'Pod':
        return breaches(item, { requests: wholeOf(spec, 'requests', podLevel), limits: wholeOf(spec, 'limits', podLevel) });
      default:
        return [];
    }
  });
}

/** What one claim breaks of a limit range. Claims have requests only. */
export function claimBreaches(claim: ApiObject, limitRange: ApiObject): string[] {
  const sizes = { requests: amountsOf(claim['spec'], 'requests'), limits: new Map() };
  return itemsOf(limitRange)
    .filter((item) => item['type'] === 'PersistentVolumeClaim')
    .flatMap((item) => [...broken(item, 'min', sizes, belowLeast), ...broken(item, 'max', sizes, requestAboveMost)]);
}

function itemsOf(limitRange: ApiObject): JsonObject[] {
  return objectsAt(limitRange['spec'] as JsonObject | undefined, 'limits');
}

function breaches(item: JsonObject, sizes: Sizes): string[] {
  return [
    ...broken(item, 'min', sizes, belowLeast),
    ...broken(item, 'max', sizes, aboveMost),
    ...broken(item, 'maxLimitRequestRatio', sizes, aboveRatio),
  ];
}
