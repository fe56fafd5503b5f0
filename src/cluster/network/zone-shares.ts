// Shares of zones in the endpoints of a service: each zone is to have as many as its nodes have processors, so that
// traffic can stay within a zone without overloading its endpoints. The numbers are those of Kubernetes' endpointslice
// controller.

import { ownMember } from '../../api/own-member.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { isReady } from '../pod-facts.ts';
import { amountOf } from '../scheduler/amounts.ts';

const ZONE = 'topology.kubernetes.io/zone';
const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
/** How much more than its share an endpoint may get. */
const OVERLOAD = 0.2;
const LEAST = 1 / (1 + OVERLOAD);

/** Endpoints that a zone is to have. */
export interface ZoneShare {
  readonly most: number;
  /** Not a whole number. */
  readonly desired: number;
}

/** What of a node matters to shares, for noticing that it changes. */
export function isShareChanged(before: Node, after: Node): boolean {
  return isReady(before) !== isReady(after) || zoneOf(before) !== zoneOf(after);
}

export function zoneOf({ metadata }: Node): string {
  return metadata.labels?.[ZONE] ?? '';
}

/**
 * The part of all processors that each zone has; undefined with less than two zones, or if a node does not tell its zone
 * or its processors.
 */
export function zoneRatios(nodes: readonly Node[]): ReadonlyMap<string, number> | undefined {
  const processors = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { metadata, status } = node;
    const isLeft = CONTROL_PLANE.some((label) => ownMember(metadata.labels, label) !== undefined);
    if (isLeft || !isReady(node)) continue;
    const zone = zoneOf(node);
    const amount = amountOf('cpu', status?.allocatable?.['cpu'] ?? '0');
    if (zone === '' || amount === 0) return undefined;
    processors.set(zone, (processors.get(zone) ?? 0) + amount);
    total += amount;
  }
  if (processors.size < 2) return undefined;
  return new Map(Array.from(processors, ([zone, amount]) => [zone, amount / total]));
}

/** The shares of zones in so many endpoints; undefined if they cannot be met without overloading some. */
export function zoneShares(
  ratios: ReadonlyMap<string, number>,
  endpoints: number,
): ReadonlyMap<string, ZoneShare> | undefined {
  const least = new Map(Array.from(ratios, ([zone, ratio]) => [zone, Math.ceil(ratio * endpoints * LEAST)]));
  const spare = endpoints - [...least.values()].reduce((sum, count) => sum + count, 0);
  if (spare < 0) return undefined;
  return new Map(
    Array.from(ratios, ([zone, ratio]) => {
      const count = least.get(zone) ?? 0;
      return [zone, { most: count + spare, desired: Math.max(ratio * endpoints, count) }];
    }),
  );
}

/** Whether a zone has less endpoints than it needs. @param counts endpoints by zone */
export function isOverloaded(
  counts: ReadonlyMap<string, number>,
  ratios: ReadonlyMap<string, number> | undefined,
): boolean {
  if (counts.size === 0) return false;
  if (ratios === undefined) return true;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...ratios].some(([zone, ratio]) => {
    const count = counts.get(zone);
    return count === undefined || count < Math.ceil(total * ratio * LEAST);
  });
}

/** How many endpoints zones give, and others receive, to come near their shares. */
export function zoneTransfers(
  shares: ReadonlyMap<string, ZoneShare>,
  counts: ReadonlyMap<string, number>,
): { readonly given: Map<string, number>; readonly received: Map<string, number> } {
  const surplus = new Map<string, number>();
  const needed = new Map<string, number>();
  for (const [zone, { desired }] of shares) {
    const difference = (counts.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) needed.set(zone, -difference);
  }
  const given = new Map<string, number>();
  const received = new Map<string, number>();
  for (;;) {
    const giver = largest(surplus);
    const receiver = largest(needed);
    if (giver === undefined || receiver === undefined) break;
    const amounts = [giver[1], receiver[1]];
    // One of them must have a whole endpoint to move, and the other at least half of one.
    if (Math.max(...amounts) < 1 || Math.min(...amounts) < 0.5) break;
    move(given, surplus, giver);
    move(received, needed, receiver);
  }
  return { given, received };
}

function largest(amounts: ReadonlyMap<string, number>): [string, number] | undefined {
  const positive = [...amounts].filter(([, amount]) => amount > 0);
  return positive.sort(([, one], [, other]) => other - one)[0];
}

function move(whole: Map<string, number>, rest: Map<string, number>, [zone, amount]: readonly [string, number]): void {
  whole.set(zone, (whole.get(zone) ?? 0) + 1);
  rest.set(zone, amount - 1);
}
