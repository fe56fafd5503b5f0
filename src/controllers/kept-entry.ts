// An entry by which a server tells others on the same store about itself. It is not an API object: the store removes it
// some seconds after its server has stopped renewing it.

import type { ApiObject } from '../api/object.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { Registry } from '../verbs/registry.ts';
import { encodeObject } from '../verbs/stored-form.ts';

interface KeptEntryOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
  readonly key: string;
  /** The labels and subsets of an Endpoints object, kube-apiserver's form of such entries. */
  readonly content: { readonly labels?: Readonly<Record<string, string>>; readonly subsets: ApiObject['subsets'] };
  /** Called after each renewal, and after removal. */
  readonly onRenewed?: () => Promise<void>;
}

const TYPE = { kind: 'Endpoints', apiVersion: 'v1' };

export class KeptEntry {
  readonly #options: KeptEntryOptions;
  #renewals = 0;
  #timer: Timer | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: KeptEntryOptions) {
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

  /** Removes the entry, after a renewal in progress, which would bring it back. */
  async stop(): Promise<void> {
    const { registry, key, onRenewed } = this.#options;
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#renewing;
    await registry.store.delete(key, 'any');
    await onRenewed?.();
  }

  async #renew(): Promise<void> {
    const { registry, key, content, onRenewed } = this.#options;
    const { labels, subsets } = content;
    this.#renewals += 1;
    // Writing an unchanged value would not be a write.
    const metadata = { generation: this.#renewals, ...(labels === undefined ? {} : { labels }) };
    const object = { metadata, subsets } as unknown as ApiObject;
    await registry.store.put(key, encodeObject(TYPE, object), 'any');
    await onRenewed?.();
  }
}
