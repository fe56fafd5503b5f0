// Addresses and node ports in use: by the services that are stored, as their watch cache shows them, and by writes
// under way. Nothing else is remembered, so that a restart or another server's writes cannot put it wrong.

import type { ApiObject } from '../../api/object.ts';
import { serviceSpec } from '../../resources/builtin/core/service/service-type.ts';
import { formatIp, type IpAddress, parseIp } from '../../resources/validation/ip-addresses.ts';
import type { CachedObject, CacheEvent, WatchCache } from '../../watchcache/types.ts';
import { decodeStored } from '../stored-form.ts';

/** The cluster addresses of a service in the one form they are compared in; none for headless ones. */
export function addressesOf(service: ApiObject): string[] {
  return (serviceSpec(service)?.clusterIPs ?? []).flatMap((text) => {
    const address = parseIp(text);
    return address === undefined ? [] : [formatIp(address)];
  });
}

/** The node ports of a service, its health check's among them, each once. */
export function nodePortsOf(service: ApiObject): number[] {
  const spec = serviceSpec(service);
  const ports = (spec?.ports ?? []).map(({ nodePort }) => nodePort ?? 0);
  ports.push(spec?.healthCheckNodePort ?? 0);
  return [...new Set(ports)].filter((port) => port !== 0);
}

interface StoredClaim {
  /** How many services name it: during an exchange two may for a moment. */
  services: number;
  /** Undefined for a node port. */
  readonly address: IpAddress | undefined;
}

export class ServiceClaims {
  readonly #stored = new Map<string | number, StoredClaim>();
  #ports = 0;
  readonly #underWay = new Set<string | number>();

  /** Follows the services of a cache, from what there is on. */
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

  /** The addresses that the services that are stored have. */
  addresses(): Iterable<IpAddress> {
    return this.#stored.values().flatMap(({ address }) => (address === undefined ? [] : [address]));
  }

  /** How many node ports those services have. */
  get ports(): number {
    return this.#ports;
  }

  /** Takes what is free for a write under way; false when it is not. */
  take(claim: string | number): boolean {
    if (!this.isFree(claim)) return false;
    this.#underWay.add(claim);
    return true;
  }

  /** The write is over: what it stored is known from the store by now. */
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
