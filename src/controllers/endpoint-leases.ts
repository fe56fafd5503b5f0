// Addresses of all servers on one store: each keeps its own entry alive, which expires within seconds, and the live
// ones become the endpoints of the `kubernetes` Service. The entries have kube-apiserver's format, so servers of both
// kinds count.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Registry } from '../verbs/registry.ts';
import { KeptEntry } from './kept-entry.ts';

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

export class EndpointLeases {
  readonly #options: EndpointLeasesOptions;
  readonly #own: KeptEntry;

  constructor(options: EndpointLeasesOptions) {
    const { address } = options;
    this.#options = options;
    this.#own = new KeptEntry({
      ...options,
      key: FOLDER + address,
      content: { subsets: [{ addresses: [{ ip: address }] }] },
      onRenewed: () => this.#tell(),
    });
  }

  start(): Promise<void> {
    return this.#own.start();
  }

  /** Removes this server's address. */
  stop(): Promise<void> {
    return this.#own.stop();
  }

  async #tell(): Promise<void> {
    const { entries } = await this.#options.registry.store.list(FOLDER);
    const addresses = entries.map(({ key }) => key.slice(FOLDER.length)).sort();
    await this.#options.onAddresses(addresses);
  }
}
