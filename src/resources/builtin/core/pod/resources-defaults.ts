// Defaults of pod-level resources, from the containers and from pod-level limits. See the Kubernetes documentation on
// pod-level resources.

import { copyJson } from '../../../../api/json-writer.ts';
import type { Draft } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../../api/quantity.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { Container, ResourceRequirements } from './container-objects.ts';
import type { Pod, PodSpec } from './objects.ts';

type Amounts = Map<string, Quantity>;
type Kind = 'requests' | 'limits';

/**
 * Completes the resources of a pod with pod-level ones: huge pages cannot be overcommitted, so their limits default
 * first, except if they are requested without a limit. Requests without limits are unchanged.
 *
 * @returns whether anything was missing
 */
export function podResourcesDefaults(spec: Draft<PodSpec>): boolean {
  const resources = spec.resources;
  if (resources === undefined || !asksForAny(resources)) return false;
  let added = 0;
  const requested = new Set(Object.keys(resources.requests ?? {}));
  for (const [name, amount] of podAmounts(spec, 'limits')) {
    if (isHugePages(name) && !requested.has(name)) added += add(resources, 'limits', name, formatQuantity(amount));
  }
  const limits = resources.limits ?? {};
  if (Object.keys(limits).length === 0) return added > 0;
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    if (isPodLevel(name) && !isHugePages(name)) added += add(resources, 'requests', name, formatQuantity(amount));
  }
  for (const name of Object.keys(limits)) {
    if (isPodLevel(name)) added += add(resources, 'requests', name, limits[name] ?? '');
  }
  return added > 0;
}

/**
 * The same after admission, behind PodLevelResourcesFixDefaulting: requests are completed without limits too, and so are
 * the limits of resources for which every container has one. They are at least the requests.
 */
export function completePodResources(
  spec: Draft<PodSpec>,
  { gateEnabled }: Pick<StrategyContext, 'gateEnabled'>,
): void {
  const { resources } = spec;
  if (!gateEnabled('PodLevelResources') || !gateEnabled(COMPLETED_LATE)) return;
  if (resources === undefined || !asksForAny(resources)) return;
  const limited = podAmounts(spec, 'limits');
  for (const [name, amount] of limited) {
    const isRequested = ownMember(resources.requests, name) !== undefined;
    if (isHugePages(name) && !isRequested) add(resources, 'limits', name, formatQuantity(amount));
  }
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    if (isPodLevel(name) && !isHugePages(name)) add(resources, 'requests', name, formatQuantity(amount));
  }
  for (const [name, amount] of Object.entries(resources.limits ?? {})) {
    if (isPodLevel(name)) add(resources, 'requests', name, amount);
  }
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  for (const [name, amount] of Object.entries(resources.requests ?? {})) {
    const most = limited.get(name);
    if (!isPodLevel(name) || most === undefined) continue;
    if (!containers.every((container) => ownMember(container.resources?.limits, name) !== undefined)) continue;
    const isLess = compareQuantities(parseQuantity(amount), most) > 0;
    add(resources, 'limits', name, isLess ? amount : formatQuantity(most));
  }
}

/** A client that does not know pod-level resources drops them: they stay, behind the same gate. */
export function keepPodResources(
  { spec }: Draft<Pod>,
  { spec: old }: Pod,
  { gateEnabled }: Pick<StrategyContext, 'gateEnabled'>,
): void {
  if (spec === undefined || spec.resources !== undefined || old?.resources === undefined) return;
  if (gateEnabled(COMPLETED_LATE)) spec.resources = copyJson(old.resources) as Draft<ResourceRequirements>;
}

const COMPLETED_LATE = 'PodLevelResourcesFixDefaulting';

/** Whether pod-level resources are completed when an object is decoded, and not after admission. */
export function completesEarly({ gateEnabled }: Pick<StrategyContext, 'gateEnabled'>): boolean {
  return gateEnabled('PodLevelResources') && !gateEnabled(COMPLETED_LATE);
}

/** Whether there are requests or limits, even of resources that pods cannot have. */
function asksForAny({ requests = {}, limits = {} }: ResourceRequirements): boolean {
  return Object.keys(requests).length > 0 || Object.keys(limits).length > 0;
}

/** Whether a pod has requests or limits for all of its containers together. */
export function asksAsWhole({ resources }: Pick<PodSpec, 'resources'>): boolean {
  const names = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  return names.some(isPodLevel);
}

/** Returns the number of amounts added. */
function add(resources: Draft<ResourceRequirements>, kind: Kind, name: string, amount: string): number {
  const amounts = (resources[kind] ??= {});
  if (ownMember(amounts, name) !== undefined) return 0;
  amounts[name] = amount;
  return 1;
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Whether a resource can be requested for a pod as a whole. */
export function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/**
 * The combined needs of a pod's containers: those that run concurrently, including sidecars, are added up; an init
 * container runs alone, except for sidecars started before it.
 */
export function podAmounts(spec: PodSpec, kind: Kind): Amounts {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) addAmounts(total, amounts(container, kind));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container, kind);
    if (container.restartPolicy === 'Always') {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      raiseAmounts(peak, sidecars);
    } else {
      addAmounts(own, sidecars);
      raiseAmounts(peak, own);
    }
  }
  raiseAmounts(total, peak);
  return total;
}

function amounts(container: Container, kind: Kind): Amounts {
  const list = container.resources?.[kind] ?? {};
  return new Map(Object.entries(list).map(([name, amount]) => [name, parseQuantity(amount)]));
}

function addAmounts(sum: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const before = sum.get(name);
    sum.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

function raiseAmounts(highest: Amounts, others: Amounts): void {
  for (const [name, amount] of others) {
    const before = highest.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) highest.set(name, amount);
  }
}
