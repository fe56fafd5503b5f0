// Hints in EndpointSlices: for which zones and nodes an endpoint is meant, so that traffic stays near its clients.

import { equalJson } from '../../api/json-equal.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import type { EndpointGroup, SlicePlan } from './slice-plan.ts';
import { type ZoneShare, zoneTransfers } from './zone-shares.ts';

const MODE = 'service.kubernetes.io/topology-mode';
const FORMER_MODE = 'service.kubernetes.io/topology-aware-hints';
const CLOSE: ReadonlySet<string> = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/** Whether the annotations of a service ask for hints by the zones' shares. */
export function isTopologyAware({ metadata }: Service): boolean {
  const mode = metadata.annotations?.[FORMER_MODE] ?? metadata.annotations?.[MODE];
  return mode === 'Auto' || mode === 'auto';
}

/** The plan with the hints that `trafficDistribution` asks for: each endpoint's own zone and node, or none. */
export function withCloseHints(plan: SlicePlan, { spec }: Service): SlicePlan {
  const { trafficDistribution = '' } = spec ?? {};
  if (!CLOSE.has(trafficDistribution)) return withoutHints(plan);
  const isNodes = trafficDistribution === 'PreferSameNode';
  return withHints(plan, ({ conditions, hints, zone, nodeName }) => {
    if (conditions?.ready !== true) return hints;
    const forZones = zone === undefined ? {} : { forZones: [{ name: zone }] };
    const forNodes = isNodes && nodeName !== undefined ? { forNodes: [{ name: nodeName }] } : {};
    const found = { ...forZones, ...forNodes };
    return Object.keys(found).length === 0 ? undefined : found;
  });
}

export function withoutHints(plan: SlicePlan): SlicePlan {
  return withHints(plan, () => undefined);
}

/** The plan with hints that depend on nothing but the endpoint. */
function withHints(plan: SlicePlan, hintsOf: (endpoint: Endpoint) => EndpointHints | undefined): SlicePlan {
  const isSame = (endpoint: Endpoint) => equalJson(endpoint.hints ?? {}, hintsOf(endpoint) ?? {});
  const [same, other] = parted(plan.unchanged, ({ endpoints }) => (endpoints ?? []).every(isSame));
  return mapped(withUpdates(plan, same, other), (endpoint) => hinted(endpoint, hintsOf(endpoint)));
}

interface SharedHints {
  readonly plan: SlicePlan;
  /** Endpoints meant for each zone. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * The plan with hints by the zones' shares; slices that change nothing keep theirs as long as they fit.
 * Undefined if an endpoint has no zone.
 */
export function withSharedHints(plan: SlicePlan, shares: ReadonlyMap<string, ZoneShare>): SharedHints | undefined {
  const counts = new Map<string, number>();
  const add = (zone: string, count: number) => counts.set(zone, (counts.get(zone) ?? 0) + count);
  const [same, other] = parted(plan.unchanged, (slice) => {
    const found = fittingCounts(slice, shares, counts);
    for (const [zone, count] of found ?? []) add(zone, count);
    return found !== undefined;
  });
  const next = withUpdates(plan, same, other);
  const changing = [...next.create, ...next.update.map(({ group }) => group)].flatMap(({ endpoints }) => endpoints);
  const ready = changing.filter(({ conditions }) => conditions?.ready === true);
  if (ready.some(({ zone = '' }) => zone === '')) return undefined;
  for (const { zone = '' } of ready) add(zone, 1);
  const zones = redistributed(ready, zoneTransfers(shares, counts));
  for (const [{ zone = '' }, target] of zones) {
    add(zone, -1);
    add(target, 1);
  }
  const hint = (endpoint: Endpoint) => {
    if (endpoint.conditions?.ready !== true) return endpoint;
    return hinted(endpoint, { forZones: [{ name: zones.get(endpoint) ?? endpoint.zone ?? '' }] });
  };
  return { plan: mapped(next, hint), counts };
}

/** Which endpoints are meant for another zone than their own. */
function redistributed(
  endpoints: readonly Endpoint[],
  { given, received }: ReturnType<typeof zoneTransfers>,
): Map<Endpoint, string> {
  const targets = [...received].flatMap(([zone, count]) => Array<string>(count).fill(zone));
  const zones = new Map<Endpoint, string>();
  for (const endpoint of endpoints) {
    const left = given.get(endpoint.zone ?? '') ?? 0;
    const target = left > 0 ? targets.shift() : undefined;
    if (target === undefined) continue;
    given.set(endpoint.zone ?? '', left - 1);
    zones.set(endpoint, target);
  }
  return zones;
}

/** The hints of a slice by zone; undefined if some are missing or a zone would have too many endpoints. */
function fittingCounts(
  { endpoints }: EndpointSlice,
  shares: ReadonlyMap<string, ZoneShare>,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const { conditions, hints } of endpoints ?? []) {
    if (conditions?.ready !== true) continue;
    const zones = hints?.forZones ?? [];
    if (zones.length === 0) return undefined;
    for (const { name = '' } of zones) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const fits = ([zone, count]: readonly [string, number]) =>
    count + (before.get(zone) ?? 0) <= (shares.get(zone)?.most ?? -1);
  return [...counts].every(fits) ? counts : undefined;
}

export function readyEndpoints({ create, update, unchanged }: SlicePlan): number {
  const all = [...create, ...update.map(({ group }) => group), ...unchanged].flatMap(
    ({ endpoints }) => endpoints ?? [],
  );
  return all.filter(({ conditions }) => conditions?.ready === true).length;
}

function hinted(endpoint: Endpoint, hints: EndpointHints | undefined): Endpoint {
  const { hints: _, ...rest } = endpoint;
  return hints === undefined ? rest : { ...rest, hints };
}

function parted<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const each of all) parts[isFirst(each) ? 0 : 1].push(each);
  return parts;
}

/** The plan in which some of the unchanged slices are written, too. */
function withUpdates(plan: SlicePlan, unchanged: readonly EndpointSlice[], more: readonly EndpointSlice[]): SlicePlan {
  const updates = more.map((slice) => {
    return { slice, group: { ports: slice.ports ?? [], endpoints: slice.endpoints ?? [] } };
  });
  return { ...plan, unchanged, update: [...plan.update, ...updates] };
}

function mapped(plan: SlicePlan, change: (endpoint: Endpoint) => Endpoint): SlicePlan {
  const changed = (group: EndpointGroup) => ({ ...group, endpoints: group.endpoints.map(change) });
  return {
    ...plan,
    create: plan.create.map(changed),
    update: plan.update.map((update) => ({ ...update, group: changed(update.group) })),
  };
}
