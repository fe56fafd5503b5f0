// Distribution of endpoints over EndpointSlices: those that exist keep theirs as far as possible, so that few of them
// change, and none has too many. The rules are those of Kubernetes' endpointslice controllers.

import { equalJson } from '../../api/json-equal.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';

interface SliceRules {
  /** Whether a slice has to be written although its endpoints stay. */
  readonly isStale: (slice: EndpointSlice) => boolean;
  /** Endpoints in a slice. */
  readonly most: number;
  /** Gives the endpoints of a plan their hints. By default those of slices that stay are kept. */
  readonly hint?: (plan: SlicePlan) => SlicePlan;
}

/** Endpoints that have the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

interface SliceUpdate {
  readonly slice: EndpointSlice;
  readonly group: EndpointGroup;
  /** Whether nothing but the name of the slice stays: it takes the place of a new one. */
  readonly isNew?: true;
}

/** What is to become of the slices of one address type. */
export interface SlicePlan {
  readonly create: readonly EndpointGroup[];
  readonly update: readonly SliceUpdate[];
  readonly delete: readonly EndpointSlice[];
  readonly unchanged: readonly EndpointSlice[];
}

/** The identity of an endpoint: its addresses and what they belong to. */
function identityOf({ addresses, targetRef, hostname }: Endpoint): string {
  return JSON.stringify([addresses, targetRef?.uid ?? targetRef?.name, hostname]);
}

function portsKey(ports: readonly EndpointPort[] | null | undefined): string {
  const texts = (ports ?? []).map(({ name = '', protocol, port, appProtocol }) =>
    JSON.stringify([name, protocol, port, appProtocol]),
  );
  return texts.sort().join();
}

/** @param slices those that exist */
export function planSlices(
  groups: readonly EndpointGroup[],
  slices: readonly EndpointSlice[],
  rules: SliceRules,
): SlicePlan {
  const byPorts = Map.groupBy(slices, ({ ports }) => portsKey(ports));
  const plans = groups.map((group) => {
    const key = portsKey(group.ports);
    const existing = byPorts.get(key) ?? [];
    byPorts.delete(key);
    return planGroup(group, existing, rules);
  });
  const unused = [...byPorts.values()].flat();
  const create = plans.flatMap((plan) => plan.create);
  const update = plans.flatMap((plan) => plan.update);
  const unchanged = plans.flatMap((plan) => plan.unchanged);
  const surplus = [...plans.flatMap((plan) => plan.delete), ...unused];
  if (surplus.length === slices.length && create.length === 0) return withPlaceholder(surplus, rules);
  return finished({ create, update, delete: surplus, unchanged }, rules);
}

/** A service without endpoints has one empty slice. */
function withPlaceholder(surplus: readonly EndpointSlice[], rules: SliceRules): SlicePlan {
  const empty = { ports: [], endpoints: [] };
  const [only] = surplus;
  const isEmpty = (list: readonly unknown[] | null | undefined) => (list?.length ?? 0) === 0;
  if (surplus.length === 1 && only !== undefined && isEmpty(only.endpoints) && isEmpty(only.ports)) {
    const isStale = rules.isStale(only);
    const update = isStale ? [{ slice: only, group: empty }] : [];
    return finished({ create: [], update, delete: [], unchanged: isStale ? [] : [only] }, rules);
  }
  return finished({ create: [empty], update: [], delete: surplus, unchanged: [] }, rules);
}

function finished(plan: SlicePlan, { hint }: SliceRules): SlicePlan {
  return reused(hint === undefined ? plan : hint(plan));
}

/** Slices that would be deleted take the place of those that would be created. */
function reused({ create, update, delete: surplus, unchanged }: SlicePlan): SlicePlan {
  const count = Math.min(create.length, surplus.length);
  const taken = surplus
    .slice(0, count)
    .map((slice, index) => ({ slice, group: create.at(-1 - index) as EndpointGroup, isNew: true as const }));
  return {
    create: create.slice(0, create.length - count),
    update: [...update, ...taken],
    delete: surplus.slice(count),
    unchanged,
  };
}

function isSameBeyondHints(wanted: Endpoint, { hints: _, ...before }: Endpoint = {}): boolean {
  return equalJson(wanted, before);
}

function planGroup(
  { ports, endpoints }: EndpointGroup,
  slices: readonly EndpointSlice[],
  { isStale, most }: SliceRules,
): SlicePlan {
  const wanted = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const changed: { slice: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const unchanged: EndpointSlice[] = [];
  const surplus: EndpointSlice[] = [];
  for (const slice of slices) {
    const before = slice.endpoints ?? [];
    const kept: Endpoint[] = [];
    for (const endpoint of before) {
      const next = wanted.get(identityOf(endpoint));
      if (next === undefined) continue;
      kept.push(next);
      wanted.delete(identityOf(endpoint));
    }
    const isSame = kept.length === before.length && kept.every((each, index) => isSameBeyondHints(each, before[index]));
    if (kept.length === 0 && before.length > 0) surplus.push(slice);
    else if (!isSame || isStale(slice)) changed.push({ slice, endpoints: kept });
    else unchanged.push(slice);
  }
  const rest = [...wanted.values()];
  // The fullest ones first.
  changed.sort((one, other) => other.endpoints.length - one.endpoints.length);
  for (const { endpoints: list } of changed) list.push(...rest.splice(0, Math.max(0, most - list.length)));
  const create: EndpointGroup[] = [];
  while (rest.length > 0) {
    const filled = rest.length < most ? bestToFill(unchanged, rest.length, most) : undefined;
    if (filled === undefined) create.push({ ports, endpoints: rest.splice(0, most) });
    else changed.push({ slice: filled, endpoints: [...(filled.endpoints ?? []), ...rest.splice(0)] });
  }
  return {
    create,
    // Kubernetes does not recognize slices without ports, and puts new ones in their place.
    update: changed.map(({ slice, endpoints: list }) => {
      return { slice, group: { ports, endpoints: list }, ...(ports.length === 0 ? { isNew: true as const } : {}) };
    }),
    delete: surplus,
    unchanged: unchanged.filter((slice) => !changed.some((each) => each.slice === slice)),
  };
}

/** The slice that becomes fullest with so many more. */
function bestToFill(slices: EndpointSlice[], count: number, most: number): EndpointSlice | undefined {
  const room = ({ endpoints }: EndpointSlice) => most - (endpoints?.length ?? 0) - count;
  const [best] = slices
    .filter((slice) => room(slice) >= 0 && room(slice) < most)
    .sort((one, other) => room(one) - room(other));
  return best;
}
