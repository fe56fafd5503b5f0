// Addresses of a known number of servers on one store (--endpoint-reconciler-type=master-count): each adds its own to the
// endpoints of the `kubernetes` Service, and removes others while they are too many. The endpoints of a server that ends
// without removing itself stay until another takes their place, which is why leases are preferred.

import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import { listAt, textAt } from '../resources/value.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';

interface EndpointCountOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  /** The address of this server for other machines. */
  readonly address: string;
  /** The number of servers. */
  readonly count: number;
  /** The `kubernetes` Service and endpoints for these addresses. */
  readonly ownObjects: (addresses: readonly string[]) => readonly BootstrapObject[];
  /** Receives the sorted addresses of all servers after each check. */
  readonly onAddresses: (addresses: readonly string[]) => Promise<void>;
}

/**
 * The addresses with that of this server, sorted. Of too many, those behind its own are removed, and then the first.
 * @param current undefined if the endpoints do not have the form in which servers write them
 * @internal
 */
export function countedAddresses(
  current: readonly string[] | undefined,
  { address, count }: { readonly address: string; readonly count: number },
): readonly string[] {
  if (current === undefined) return [address];
  if (current.includes(address) && current.length <= count) return current;
  const all = [...new Set([...current, address])].sort();
  while (all.length > count) all.splice((all.indexOf(address) + 1) % all.length, 1);
  return all;
}

export class EndpointCount {
  readonly #options: EndpointCountOptions;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: EndpointCountOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { clock, address, count, onAddresses } = this.#options;
    await onAddresses(countedAddresses(await this.#current(), { address, count }));
    if (!this.#stopped) this.#timer = clock.after(limits.endpointLeaseRenewMs, () => void this.start());
  }

  /** Removes this server's address. */
  async stop(): Promise<void> {
    const { address, onAddresses } = this.#options;
    this.#stopped = true;
    this.#timer?.cancel();
    const others = (await this.#current())?.filter((each) => each !== address);
    if (others !== undefined) await onAddresses(others);
  }

  async #current(): Promise<readonly string[] | undefined> {
    const { registry, address, ownObjects } = this.#options;
    const own = ownObjects([address]).find(({ definition }) => definition.resource === 'endpoints');
    if (own === undefined) return undefined;
    const { definition, namespace, name } = own;
    const { cache } = await registry.storage(definition);
    const stored = cache.get(storageKey(definition, namespace, name));
    const subsets = stored === undefined ? [] : listAt(decodeStored(stored), 'subsets');
    return subsets.length === 1 ? listAt(subsets[0], 'addresses').map((each) => textAt(each, 'ip')) : undefined;
  }
}
