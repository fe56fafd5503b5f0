// Endpoints as EndpointSlices have them: each set of addresses once, with the ports at which all of them are reached.

import { isIPv6 } from 'node:net';
import type { EndpointAddress, EndpointPort, Endpoints } from '../../resources/builtin/core/endpoints/objects.ts';
import type { Endpoint, EndpointPort as SlicePort } from '../../resources/builtin/discovery/v1-objects.ts';
import type { EndpointGroup } from './slice-plan.ts';

interface Reached {
  readonly address: EndpointAddress;
  ready: boolean;
}

/** A set of addresses, by address and the UID of what it belongs to, and the ports of all of them. */
interface Subset {
  readonly reached: ReadonlyMap<string, Reached>;
  readonly ports: EndpointPort[];
}

interface Mirrored {
  readonly groups: readonly EndpointGroup[];
  /** Addresses that are too many. */
  readonly skipped: number;
}

/**
 * The endpoints of one address type.
 * @param most addresses of a subset
 */
export function mirroredEndpoints(endpoints: Endpoints, type: string, most: number): Mirrored {
  let skipped = 0;
  const groups: EndpointGroup[] = [];
  for (const { reached, ports } of repacked(endpoints)) {
    const all = [...reached.values()].sort((one, other) => Number(other.ready) - Number(one.ready));
    skipped += Math.max(0, all.length - most);
    const ofType = all.slice(0, most).filter(({ address }) => isIPv6(address.ip ?? '') === (type === 'IPv6'));
    if (ofType.length > 0) groups.push({ ports: ports.map(slicePort), endpoints: ofType.map(endpointOf) });
  }
  return { groups, skipped };
}

function repacked({ subsets }: Endpoints): Subset[] {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly reached: Map<string, Reached> }>();
  for (const { addresses, notReadyAddresses, ports } of subsets ?? []) {
    // An address may be published without a port.
    for (const port of ports === undefined || ports?.length === 0 ? [undefined] : (ports ?? [])) {
      const key = JSON.stringify(port === undefined ? [] : [port.name, port.port, port.protocol, port.appProtocol]);
      const { reached } = byPort.get(key) ?? byPort.set(key, { port, reached: new Map() }).get(key)!;
      for (const address of addresses ?? []) reach(reached, address, true);
      for (const address of notReadyAddresses ?? []) reach(reached, address, false);
    }
  }
  const bySet = new Map<string, Subset>();
  for (const { port, reached } of byPort.values()) {
    const key = JSON.stringify([...reached].map(([name, { ready }]) => [name, ready]).sort());
    const subset = bySet.get(key) ?? bySet.set(key, { reached, ports: [] }).get(key)!;
    if (port !== undefined) subset.ports.push(port);
  }
  return [...bySet.values()];
}

/** An address that is both is not ready. */
function reach(reached: Map<string, Reached>, address: EndpointAddress, ready: boolean): void {
  const key = `${address.ip} ${address.targetRef?.uid ?? ''}`;
  const before = reached.get(key);
  if (before === undefined) reached.set(key, { address, ready });
  else before.ready &&= ready;
}

function slicePort({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort): SlicePort {
  return { name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) };
}

function endpointOf({ address, ready }: Reached): Endpoint {
  const { ip = '', hostname = '', nodeName, targetRef } = address;
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === '' ? {} : { hostname }),
    ...(targetRef === undefined || targetRef === null ? {} : { targetRef }),
    ...(nodeName === undefined || nodeName === null ? {} : { nodeName }),
  };
}
