// The KMS plugins that one configuration of encryption names. They are connected with when it is loaded, asked for their
// health together, and let go of some time after another configuration has taken its place.

import type { Clock } from '../../base/clock.ts';
import { parseGoDuration } from '../../base/go-duration.ts';
import type { Log } from '../../base/log.ts';
import type { KmsMetrics } from '../../lifecycle/kms-metrics.ts';
import type { KmsProvider as KmsRule } from './encryption-configuration.ts';
import type { KmsProvider } from './kms-provider.ts';

interface KmsPluginsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: KmsMetrics;
  readonly serverIdHash: string;
}

/** How often plugins of a new configuration are asked before it is given up, and for how long at least. */
const ASK_AGAIN_MS = 100;
const SHORTEST_GRACE_MS = 10_000;

export class KmsPlugins {
  readonly #options: KmsPluginsOptions;
  readonly #providers: KmsProvider[] = [];
  #graceMs = 0;

  constructor(options: KmsPluginsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#providers.length;
  }

  /** Connects with a plugin and asks it once, whatever comes of it. */
  async start({ name, endpoint, timeout }: KmsRule): Promise<KmsProvider> {
    const [{ connectKms }, { KmsProvider }] = await Promise.all([
      import('../../outbound/kms-client.ts'),
      import('./kms-provider.ts'),
    ]);
    const { clock, metrics } = this.#options;
    const timeoutMs = parseGoDuration(timeout);
    const onCall = (call: { method: string; code: string; seconds: number }) => {
      metrics.called({ provider: name, ...call });
    };
    const client = connectKms({ endpoint, timeoutMs, clock, onCall });
    const provider = await KmsProvider.start({ name, client, ...this.#options });
    this.#providers.push(provider);
    this.#graceMs += 2 * timeoutMs;
    return provider;
  }

  /** What is wrong with the plugins, as kube-apiserver numbers and says it; undefined when nothing is. */
  async check(): Promise<string | undefined> {
    const faults: string[] = [];
    for (const [index, provider] of this.#providers.entries()) {
      const fault = await provider.check();
      if (fault !== undefined) faults.push(`kms-provider-${index}: ${fault}`);
    }
    return faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
  }

  /** Resolves once all plugins are healthy, or with what is wrong after the time that their calls may take. */
  async settled(): Promise<string | undefined> {
    const { clock } = this.#options;
    const end = clock.now() + Math.max(this.#graceMs, SHORTEST_GRACE_MS);
    for (;;) {
      const fault = await this.check();
      if (fault === undefined || clock.now() >= end) return fault;
      await new Promise<void>((resolve) => void clock.after(ASK_AGAIN_MS, resolve));
    }
  }

  /** Lets go of the plugins once no value waits for them any more. */
  retire(): void {
    if (this.count > 0) this.#options.clock.after(Math.max(this.#graceMs, SHORTEST_GRACE_MS), () => this.stop());
  }

  stop(): void {
    for (const provider of this.#providers) provider.stop();
  }
}
