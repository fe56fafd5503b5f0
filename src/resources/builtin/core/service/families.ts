// IP families of a Service and the number of its addresses: absent values are derived from the others, from the
// previous state of the service and from the cluster's configuration. Addresses are allocated elsewhere.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import type { Draft } from '../../../../api/object.ts';
import { type IpFamily, parseIp } from '../../../validation/ip-addresses.ts';
import { validateServiceAddresses } from './addresses.ts';
import type { Service, ServicePort, ServiceSpec } from './objects.ts';
import { givesNodePorts, isHeadless, needsAddresses, needsHealthCheckPort } from './service-type.ts';

const POLICY = 'spec.ipFamilyPolicy';
const SAME = ['type', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const;

const SECONDS = [
  ['clusterIPs', 'cluster IP'],
  ['ipFamilies', 'IP family'],
] as const;

/** Restores allocated values that a client may omit in an update. Modifies `next`. */
export function keepAllocated(next: Draft<Service>, previous: Draft<Service>): void {
  const spec = (next.spec ??= {});
  const { spec: before = {} } = previous;
  if (needsAddresses(spec) && needsAddresses(before)) {
    if ((spec.clusterIP ?? '') === '') set(spec, 'clusterIP', before.clusterIP);
    const addresses = before.clusterIPs ?? [];
    if (addresses.length > 0 && (spec.clusterIPs ?? []).length === 0 && spec.clusterIP === before.clusterIP) {
      set(spec, 'clusterIPs', [...addresses]);
    }
  }
  if (givesNodePorts(spec) && givesNodePorts(before)) keepNodePorts(spec.ports ?? [], before.ports ?? []);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before)) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  }
}

/** A port with the same name keeps its node port, unless another port requests that. */
function keepNodePorts(ports: readonly Draft<ServicePort>[], before: readonly Draft<ServicePort>[]): void {
  const known = new Map(before.map((port) => [port.name ?? '', port.nodePort]));
  const used = new Set(ports.map((port) => port.nodePort));
  for (const port of ports) {
    const nodePort = known.get(port.name ?? '');
    if (port.nodePort || !nodePort || used.has(nodePort)) continue;
    port.nodePort = nodePort;
  }
}

/** `clusterIP` is the first of `clusterIPs`: if one of them was changed, the other follows. Modifies `next`. */
export function alignAddresses(next: Draft<Service>, previous: Draft<Service> | undefined): void {
  const spec = (next.spec ??= {});
  const one = spec.clusterIP ?? '';
  const all = spec.clusterIPs ?? [];
  const sameOne = one === (previous?.spec?.clusterIP ?? '');
  const sameAll = equalJson(all, previous?.spec?.clusterIPs ?? []);
  if (!sameOne && (sameAll || all.length === 0)) set(spec, 'clusterIPs', one === '' ? undefined : [one]);
  if (sameOne && !sameAll && all.length === 0) set(spec, 'clusterIP', undefined);
}

/**
 * Sets `ipFamilies` and `ipFamilyPolicy`. Modifies `next`.
 *
 * @param configured the cluster's families, the default first
 */
export function settleFamilies(
  next: Draft<Service>,
  previous: Draft<Service> | undefined,
  configured: readonly IpFamily[],
): FieldError[] {
  const spec = (next.spec ??= {});
  if ((spec.type ?? '') === 'ExternalName') return [];
  const before = previous && (previous.spec ?? {});
  // A PreferDualStack service does not change when the cluster's families do.
  const keeps = (spec.ipFamilyPolicy ?? '') === 'PreferDualStack';
  if (keeps && SAME.every((member) => equalJson(spec[member], before?.[member]))) return [];
  const isUnselected = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isUnselected ? 'RequireDualStack' : 'SingleStack');
  const malformed = validateServiceAddresses(spec, before);
  if (malformed.length > 0) return malformed;
  if (before !== undefined && spec.ipFamilyPolicy === 'SingleStack') dropSecond(spec, before);
  const released = releaseConflicts(spec, before);
  const conflicts = [...released, ...policyConflicts(spec), ...inferFamilies(spec, configured)];
  if (conflicts.length > 0) return conflicts;
  return isUnselected ? settleUnselected(spec, configured) : settleSelected(spec, configured);
}

/** SingleStack drops the secondary address and family, unless they were changed too. */
function dropSecond(spec: Draft<ServiceSpec>, before: ServiceSpec): void {
  for (const member of ['clusterIPs', 'ipFamilies'] as const) {
    const items = spec[member] ?? [];
    if (items.length > 1 && equalJson(items, before[member])) spec[member] = items.slice(0, 1);
  }
}

/** To keep only one family or address of two, SingleStack must be requested. */
function releaseConflicts(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? '';
  if (policy === 'SingleStack') return [];
  return SECONDS.filter(([member]) => before?.[member]?.length === 2 && spec[member]?.length === 1).map(([, what]) =>
    fieldError.invalid(POLICY, policy, `must be 'SingleStack' to release the secondary ${what}`),
  );
}

function policyConflicts(spec: Draft<ServiceSpec>): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? '';
  const found: FieldError[] = [];
  if (policy !== 'SingleStack') return found;
  if ((spec.clusterIPs ?? []).length === 2) {
    const why = "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified";
    found.push(fieldError.invalid(POLICY, policy, why));
  }
  if ((spec.ipFamilies ?? []).length === 2) {
    const why = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    found.push(fieldError.invalid(POLICY, policy, why));
  }
  return found;
}

/** Requested addresses determine their families. */
function inferFamilies(spec: Draft<ServiceSpec>, configured: readonly IpFamily[]): FieldError[] {
  const addresses = spec.clusterIPs ?? [];
  const families = [...(spec.ipFamilies ?? [])];
  const found: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    const family = parseIp(address)?.family;
    if (family === undefined) break;
    if (index < families.length) continue;
    if (configured.includes(family)) families.push(family);
    else {
      const why = `${family} is not configured on this cluster`;
      found.push(fieldError.invalid(`spec.clusterIPs[${index}]`, addresses, why));
    }
  }
  if (families.length > 0) spec.ipFamilies = families;
  return found;
}

/** Without a selector the endpoints are managed externally and may be of any family. */
function settleUnselected(spec: Draft<ServiceSpec>, configured: readonly IpFamily[]): FieldError[] {
  const [first = configured[0] as IpFamily, ...more] = spec.ipFamilies ?? [];
  const second = first === 'IPv4' ? 'IPv6' : 'IPv4';
  spec.ipFamilies = more.length === 0 && spec.ipFamilyPolicy !== 'SingleStack' ? [first, second] : [first, ...more];
  return [];
}

function settleSelected(spec: Draft<ServiceSpec>, configured: readonly IpFamily[]): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? '';
  const families = spec.ipFamilies ?? [];
  const found: FieldError[] = [];
  if (policy === 'RequireDualStack' && configured.length < 2) {
    const why = 'this cluster is not configured for dual-stack services';
    found.push(fieldError.invalid(POLICY, policy, why));
  }
  for (const [index, family] of families.entries()) {
    if (configured.includes(family as IpFamily)) continue;
    found.push(fieldError.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  if (found.length > 0) return found;
  const settled: string[] = families.length === 0 ? configured.slice(0, 1) : [...families];
  if (policy !== 'SingleStack' && settled.length === 1) {
    settled.push(...configured.filter((family) => !settled.includes(family)));
  }
  spec.ipFamilies = settled;
  return [];
}

function set<M extends 'clusterIP' | 'clusterIPs'>(
  spec: Draft<ServiceSpec>,
  member: M,
  value: Draft<ServiceSpec>[M],
): void {
  if (value === undefined) delete spec[member];
  else spec[member] = value;
}
