// Addresses and node ports in use: by stored services, according to their watch cache, and by writes in progress. There
// is no other state, so restarts and writes of other servers cannot make it inconsistent.

import type { ApiObject } from '../../api/object.ts';
import { serviceSpec } from '../../resources/builtin/core/service/service-type.ts';
import { formatIp, type IpAddress, parseIp } from '../../resources/validation/ip-addresses.ts';
import type { CachedObject, CacheEvent, WatchCache } from '../../watchcache/types.ts';
import { decodeStored } from '../stored-form.ts';

/** The cluster IPs of a service in canonical form; none for headless services. */
export function addressesOf(service: ApiObject): string[] {
  return (serviceSpec(service)?.clusterIPs ?? []).flatMap((text) => {
    const address = parseIp(text);
    return address === undefined ? [] : [formatIp(address)];
  });
}

/** The node ports of a service, including that of its health check, without duplicates. */
export function nodePortsOf(service: ApiObject): number[] {
  const spec = serviceSpec(service);
  const ports = (spec?.ports ?? []).map(({ nodePort }) => nodePort ?? 0);
  ports.push(spec?.healthCheckNodePort ?? 0);
  return [...new Set(ports)].filter((port) => port !== 0);
}

interface StoredClaim {
  /** The number of services that use it: two, for a moment, while it moves from one to another. */
  services: number;
  /** Undefined for a node port. */
  readonly address: IpAddress | undefined;
}

export class ServiceClaims {
  readonly #stored = new Map<string | number, StoredClaim>();
  #ports = 0;
  readonly #underWay = new Set<string | number>();

  /** Follows the services of a cache, starting with existing ones. */
  follow(cache: WatchCache): void {
    cache.watch({
      selection: { namespace: undefined, name: undefined, matches: undefined },
      from: 'state',
      sink: {
        initial: (object) => this.#count(object, 1),
        initialEnd: () => true,
        event: (_type, _object, event) => this.#apply(event),
        end: () => {},
      },
    });
  }

  isFree(claim: string | number): boolean {
    return !this.#stored.has(claim) && !this.#underWay.has(claim);
  }

  /** The addresses of stored services. */
  addresses(): Iterable<IpAddress> {
    return this.#stored.values().flatMap(({ address }) => (address === undefined ? [] : [address]));
  }

  /** The number of node ports of stored services. */
  get ports(): number {
    return this.#ports;
  }

  /** Claims a free value for a write in progress; false if it is taken. */
  take(claim: string | number): boolean {
    if (!this.isFree(claim)) return false;
    this.#underWay.add(claim);
    return true;
  }

  /** The write has ended: what it stored is now known from the store. */
  letGo(claims: Iterable<string | number>): void {
    for (const claim of claims) this.#underWay.delete(claim);
  }

  #apply({ current, previous }: CacheEvent): boolean {
    if (current !== undefined) this.#count(current, 1);
    if (previous !== undefined) this.#count(previous, -1);
    return true;
  }

  #count(object: CachedObject, by: 1 | -1): boolean {
    const service = decodeStored(object);
    for (const claim of [...addressesOf(service), ...nodePortsOf(service)]) {
      const known = this.#stored.get(claim);
      const services = (known?.services ?? 0) + by;
      if (known !== undefined && services > 0) known.services = services;
      else if (services > 0) this.#add(claim, services);
      else this.#remove(claim);
    }
    return true;
  }

  #add(claim: string | number, services: number): void {
    if (typeof claim === 'number') this.#ports++;
    this.#stored.set(claim, { services, address: typeof claim === 'string' ? parseIp(claim) : undefined });
  }

  #remove(claim: string | number): void {
    if (this.#stored.delete(claim) && typeof claim === 'number') this.#ports--;
  }
}
