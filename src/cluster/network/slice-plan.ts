// Distribution of endpoints over EndpointSlices: those that exist keep theirs as far as possible, so that few of them
// change, and none has too many. The rules are those of Kubernetes' endpointslice controllers.

import { equalJson } from '../../api/json-equal.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';

interface SliceRules {
  /** Whether a slice has to be written although its endpoints stay. */
  readonly isStale: (slice: EndpointSlice) => boolean;
  /** Endpoints in a slice. */
  readonly most: number;
}

/** Endpoints that have the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** What is to become of the slices of one address type. */
interface SlicePlan {
  readonly create: readonly EndpointGroup[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly group: EndpointGroup }[];
  readonly delete: readonly EndpointSlice[];
}

/** What tells an endpoint apart: its addresses and what they belong to. */
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
  const surplus = [...plans.flatMap((plan) => plan.delete), ...unused];
  if (surplus.length === slices.length && create.length === 0) return withPlaceholder(surplus, rules.isStale);
  return reused({ create, update, delete: surplus });
}

/** A service without endpoints has one empty slice. */
function withPlaceholder(surplus: readonly EndpointSlice[], isStale: (slice: EndpointSlice) => boolean): SlicePlan {
  const empty = { ports: [], endpoints: [] };
  const [only] = surplus;
  const isEmpty = (list: readonly unknown[] | null | undefined) => (list?.length ?? 0) === 0;
  if (surplus.length === 1 && only !== undefined && isEmpty(only.endpoints) && isEmpty(only.ports)) {
    return { create: [], update: isStale(only) ? [{ slice: only, group: empty }] : [], delete: [] };
  }
  return reused({ create: [empty], update: [], delete: surplus });
}

/** Slices that would be deleted take the place of those that would be created. */
function reused({ create, update, delete: surplus }: SlicePlan): SlicePlan {
  const count = Math.min(create.length, surplus.length);
  const taken = surplus
    .slice(0, count)
    .map((slice, index) => ({ slice, group: create.at(-1 - index) as EndpointGroup }));
  return {
    create: create.slice(0, create.length - count),
    update: [...update, ...taken],
    delete: surplus.slice(count),
  };
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
    const isSame = kept.length === before.length && kept.every((each, index) => equalJson(each, before[index]));
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
    update: changed.map(({ slice, endpoints: list }) => ({ slice, group: { ports, endpoints: list } })),
    delete: surplus,
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
