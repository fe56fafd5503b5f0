// Addresses of all servers on one store: each keeps its own entry alive, which expires within seconds, and the live
// ones become the endpoints of the `kubernetes` Service. The entries have kube-apiserver's format, so servers of both
// kinds count.

import type { ApiObject } from '../api/object.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { Registry } from '../verbs/registry.ts';
import { encodeObject } from '../verbs/stored-form.ts';

interface EndpointLeasesOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
  /** The address of this server for other machines. */
  readonly address: string;
  /** Receives the sorted addresses of all servers after each check. */
  readonly onAddresses: (addresses: readonly string[]) => Promise<void>;
}

const FOLDER = '/registry/masterleases/';
const TYPE = { kind: 'Endpoints', apiVersion: 'v1' };

export class EndpointLeases {
  readonly #options: EndpointLeasesOptions;
  #renewals = 0;
  #timer: Timer | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: EndpointLeasesOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    this.#renewing = this.#renewAndWait();
    return this.#renewing;
  }

  async #renewAndWait(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await this.#renew();
    } catch (error) {
      if (this.#stopped) return;
      log.warn('the address of this server could not be kept alive', { error: String(error) });
    }
    if (this.#stopped) return;
    this.#timer = clock.after(limits.endpointLeaseRenewMs, () => void this.start());
  }

  /** Removes this server's address, after a renewal in progress, which would bring it back. */
  async stop(): Promise<void> {
    const { registry, address } = this.#options;
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#renewing;
    await registry.store.delete(FOLDER + address, 'any');
    await this.#tell();
  }

  async #renew(): Promise<void> {
    const { registry, address } = this.#options;
    this.#renewals += 1;
    // Writing an unchanged value would not be a write.
    const metadata = { generation: this.#renewals };
    const object = { metadata, subsets: [{ addresses: [{ ip: address }] }] } as unknown as ApiObject;
    await registry.store.put(FOLDER + address, encodeObject(TYPE, object), 'any');
    await this.#tell();
  }

  async #tell(): Promise<void> {
    const { entries } = await this.#options.registry.store.list(FOLDER);
    const addresses = entries.map(({ key }) => key.slice(FOLDER.length)).sort();
    await this.#options.onAddresses(addresses);
  }
}
