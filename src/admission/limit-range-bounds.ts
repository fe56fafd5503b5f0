// Checks of containers, pods and claims against a LimitRange: minimum, maximum, and the ratio of limit to request, with
// Kubernetes' messages.

import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../api/quantity.ts';
import { limits } from '../base/limits.ts';
import { podAmounts } from '../resources/builtin/core/pod/resources-defaults.ts';
import { objectAt, objectsAt } from '../resources/fill-in.ts';
import { entriesAt, textAt } from '../resources/value.ts';

type Amounts = ReadonlyMap<string, Quantity>;

interface Sizes {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The amount of one resource and its bound. */
interface Measured {
  /** `cpu usage per Pod`, or with a ratio instead of the usage. */
  readonly what: string;
  readonly bound: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

interface Rule {
  /** The bounds in an item of a limit range. */
  readonly member: string;
  readonly subject: string;
  readonly breach: (measured: Measured) => string | undefined;
}

const LEAST: Rule = { member: 'min', subject: 'usage', breach: belowLeast };
const MOST: Rule = { member: 'max', subject: 'usage', breach: aboveMost };
const MAX_REQUESTED: Rule = { member: 'max', subject: 'usage', breach: requestAboveMost };
const RATIO: Rule = { member: 'maxLimitRequestRatio', subject: 'max limit to request ratio', breach: aboveRatio };

/**
 * Violations of a limit range by a pod. With `podLevel`, pod-level resources count instead of the sum of its
 * containers.
 */
export function podBreaches(pod: ApiObject, limitRange: ApiObject, podLevel: boolean): string[] {
  const found: string[] = [];
  let characters = 0;
  for (const { item, sizes } of bounded(objectAt(pod, 'spec') ?? {}, limitRange, podLevel)) {
    for (const breach of breaches(item, sizes)) {
      found.push(breach);
      characters += breach.length;
    }
    // Hundreds of containers may violate thousands of bounds each.
    if (characters > limits.fieldErrorCharacters) return [...found, 'further violations are left out'];
  }
  return found;
}

/** Everything in a pod that has bounds, with its item in the limit range. */
function* bounded(
  spec: JsonObject,
  limitRange: ApiObject,
  podLevel: boolean,
): Generator<{ item: JsonObject; sizes: Sizes }> {
  for (const item of itemsOf(limitRange)) {
    if (item['type'] === 'Pod') {
      const sizes = { requests: wholeOf(spec, 'requests', podLevel), limits: wholeOf(spec, 'limits', podLevel) };
      yield { item, sizes };
    }
    if (item['type'] !== 'Container') continue;
    for (const list of ['containers', 'initContainers']) {
      for (const container of objectsAt(spec, list)) {
        const sizes = { requests: amountsOf(container, 'requests'), limits: amountsOf(container, 'limits') };
        yield { item, sizes };
      }
    }
  }
}

/** Violations of a limit range by a claim. Claims only have requests. */
export function claimBreaches(claim: ApiObject, limitRange: ApiObject): string[] {
  const sizes = { requests: amountsOf(claim['spec'], 'requests'), limits: new Map() };
  return itemsOf(limitRange)
    .filter((item) => item['type'] === 'PersistentVolumeClaim')
    .flatMap((item) => [...broken(item, LEAST, sizes), ...broken(item, MAX_REQUESTED, sizes)]);
}

function itemsOf(limitRange: ApiObject): JsonObject[] {
  return objectsAt(objectAt(limitRange, 'spec'), 'limits');
}

function breaches(item: JsonObject, sizes: Sizes): string[] {
  return [LEAST, MOST, RATIO].flatMap((rule) => broken(item, rule, sizes));
}

function broken(item: JsonObject, { member, subject, breach }: Rule, { requests, limits }: Sizes): string[] {
  return entriesAt(item, member).flatMap(([name, bound]) => {
    const what = `${name} ${subject} per ${textAt(item, 'type')}`;
    const request = requests.get(name);
    return breach({ what, bound: parseQuantity(String(bound)), request, limit: limits.get(name) }) ?? [];
  });
}

function belowLeast({ what, bound, request, limit }: Measured): string | undefined {
  const least = `minimum ${what} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${least}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${least}, but request is ${formatQuantity(request)}`;
  if (limit === undefined || compareQuantities(limit, bound) >= 0) return undefined;
  return `${least}, but limit is ${formatQuantity(limit)}`;
}

function aboveMost(measured: Measured): string | undefined {
  const { what, bound, request, limit } = measured;
  const most = `maximum ${what} is ${formatQuantity(bound)}`;
  if (limit === undefined) return `${most}.  No limit is specified`;
  if (compareQuantities(limit, bound) > 0) return `${most}, but limit is ${formatQuantity(limit)}`;
  return request === undefined ? undefined : requestAboveMost(measured);
}

function requestAboveMost({ what, bound, request }: Measured): string | undefined {
  const most = `maximum ${what} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${most}.  No request is specified`;
  return compareQuantities(request, bound) > 0 ? `${most}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio({ what, bound, request, limit }: Measured): string | undefined {
  const most = `${what} is ${formatQuantity(bound)}`;
  if (request === undefined || request.mantissa === 0n) {
    return `${most}, but no request is specified or request is 0`;
  }
  if (limit === undefined || limit.mantissa === 0n) return `${most}, but no limit is specified or limit is 0`;
  const ratio = thousandths(limit) / thousandths(request);
  return ratio * 1000 > thousandths(bound) ? `${most}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Amounts in resource lists are multiples of a thousandth; the ratio of two is a float in Kubernetes too. */
function thousandths({ mantissa, exponent }: Quantity): number {
  return Number(mantissa) * 10 ** (exponent + 3);
}

function amountsOf(owner: Json | undefined, side: keyof Sizes): Amounts {
  const entries = entriesAt(owner, 'resources', side);
  return new Map(entries.map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

/** The total resources of a pod. */
function wholeOf(spec: JsonObject, side: keyof Sizes, podLevel: boolean): Amounts {
  const whole = podAmounts(spec, side);
  if (!podLevel) return whole;
  for (const [name, amount] of amountsOf(spec, side)) if (AT_POD_LEVEL.has(name)) whole.set(name, amount);
  return whole;
}

const AT_POD_LEVEL: ReadonlySet<string> = new Set(['cpu', 'memory']);
