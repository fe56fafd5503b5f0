// Allocations of devices to claims on a node, in the form in which claims keep them.

import type { Node } from '../../../resources/builtin/core/node/objects.ts';
import type { NodeSelector, NodeSelectorRequirement } from '../../../resources/builtin/core/pod/scheduling-objects.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  ResourceClaim,
  ResourceSlice,
} from '../../../resources/builtin/resource/v1-objects.ts';
import { deviceKey, poolsFor } from './device-pools.ts';
import { type DeviceWorld, wantedDevices } from './device-requests.ts';
import { type ChosenDevice, DeviceSearch } from './device-search.ts';

/** Allocations for all claims in their order; undefined if there are not enough devices. @throws Error */
export function allocate(
  claims: readonly ResourceClaim[],
  node: Node,
  world: DeviceWorld & { readonly slices: readonly ResourceSlice[]; readonly taken: ReadonlySet<string> },
): readonly AllocationResult[] | 'too long' | undefined {
  const pools = poolsFor(node, world.slices);
  const wanted = claims.flatMap((claim) => wantedDevices(claim, pools, world));
  const found = new DeviceSearch(wanted, world.taken).find();
  if (found === undefined || found === 'too long') return found;
  return claims.map((claim) => {
    const chosen = found.filter((each) => each.claim === claim);
    const nodeSelector = selectorOf(chosen);
    return { devices: devicesOf(claim, chosen), ...(nodeSelector === undefined ? {} : { nodeSelector }) };
  });
}

/** The devices that claims have, except for those that are only looked at. */
export function takenDevices(claims: readonly ResourceClaim[]): ReadonlySet<string> {
  const results = claims.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
  const used = results.filter(({ adminAccess }) => adminAccess !== true);
  return new Set(used.map(({ driver = '', pool = '', device = '' }) => deviceKey(driver, pool, device)));
}

function devicesOf(claim: ResourceClaim, chosen: readonly ChosenDevice[]): AllocationResult['devices'] {
  const results = chosen.map(({ alternative, from }) => ({
    ...{ request: alternative.name, driver: from.driver, pool: from.pool, device: from.device.name ?? '' },
    ...(alternative.isAdmin ? { adminAccess: true } : {}),
  }));
  const config = [...classConfig(chosen), ...claimConfig(claim, chosen)];
  return { results, ...(config.length === 0 ? {} : { config }) };
}

/** The configuration of each class, for all requests that use it. */
function classConfig(chosen: readonly ChosenDevice[]): DeviceAllocationConfiguration[] {
  const classes = new Map(chosen.map(({ alternative: { deviceClass } }) => [deviceClass.metadata.name, deviceClass]));
  return [...classes].flatMap(([name, { spec }]) => {
    const users = chosen.filter(({ alternative }) => alternative.deviceClass.metadata.name === name);
    const requests = [...new Set(users.map(({ alternative }) => alternative.name))];
    return (spec?.config ?? []).map((each) => ({ source: 'FromClass', requests, ...each }));
  });
}

/** The configuration in the claim that is about requests which were met. */
function claimConfig({ spec }: ResourceClaim, chosen: readonly ChosenDevice[]): DeviceAllocationConfiguration[] {
  const met = new Set(chosen.flatMap(({ alternative: { name } }) => [name, name.split('/')[0]!]));
  return (spec?.devices?.config ?? [])
    .filter(({ requests = [] }) => requests.length === 0 || requests.some((each) => met.has(each)))
    .map((each) => ({ source: 'FromClaim', ...each }));
}

/** The nodes on which all devices can be used; undefined for all nodes. */
function selectorOf(chosen: readonly ChosenDevice[]): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const { from } of chosen) {
    const { nodeName = '', nodeSelector } = from.slice.spec ?? {};
    if (nodeName !== '') {
      const named = { key: 'metadata.name', operator: 'In', values: [nodeName] };
      return { nodeSelectorTerms: [{ matchFields: [named] }] };
    }
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addNew(matchFields, term?.matchFields);
    addNew(matchExpressions, term?.matchExpressions);
  }
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  const term = {
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
    ...(matchFields.length === 0 ? {} : { matchFields }),
  };
  return { nodeSelectorTerms: [term] };
}

function addNew(to: NodeSelectorRequirement[], requirements: readonly NodeSelectorRequirement[] | undefined): void {
  const known = new Set(to.map((each) => JSON.stringify(each)));
  for (const each of requirements ?? []) if (!known.has(JSON.stringify(each))) to.push(each);
}
