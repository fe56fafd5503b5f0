// The KMS plugins of one encryption configuration. They are connected when it is loaded, checked together, and released
// some time after another configuration has replaced it.

import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { KmsMetrics } from '../../lifecycle/kms-metrics.ts';
import { EnvelopeTransformer } from '../../store/encryption/envelope.ts';
import { EnvelopeV1Transformer } from '../../store/encryption/envelope-v1.ts';
import type { ValueTransformer } from '../../store/value-transformer.ts';
import { GRPC_PACKAGES, withPackages } from '../optional-packages.ts';
import type { KmsProvider as KmsRule } from './encryption-configuration.ts';

/** Plugins are called over gRPC. */
const NEED = { flag: '--encryption-provider-config', packages: GRPC_PACKAGES };

interface KmsPluginsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: KmsMetrics;
  readonly serverIdHash: string;
}

/** A plugin of either version. */
interface KmsPlugin {
  /** Why it is unhealthy; undefined if healthy. */
  check(): Promise<string | undefined>;
  stop(): void;
}

/** How often plugins of a new configuration are tried before it is rejected, and for how long at least. */
const ASK_AGAIN_MS = 100;
const SHORTEST_GRACE_MS = 10_000;

export class KmsPlugins {
  readonly #options: KmsPluginsOptions;
  readonly #providers: KmsPlugin[] = [];
  #graceMs = 0;
  #usesV1 = false;

  constructor(options: KmsPluginsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#providers.length;
  }

  /** Connects to a plugin and creates its transformer; a v2 plugin is called once, whatever the result. */
  async start(rule: KmsRule): Promise<ValueTransformer> {
    const { timeout: timeoutMs } = rule;
    this.#graceMs += 2 * timeoutMs;
    this.#usesV1 ||= rule.apiVersion === 'v1';
    return rule.apiVersion === 'v1' ? this.#startV1(rule, timeoutMs) : this.#startV2(rule, timeoutMs);
  }

  async #startV1({ name, endpoint, cachesize = 0 }: KmsRule, timeoutMs: number): Promise<ValueTransformer> {
    const [{ connectKmsV1 }, { KmsV1Provider }] = await Promise.all([
      withPackages(NEED, () => import('../../outbound/kms-v1-client.ts')),
      import('./kms-v1-provider.ts'),
    ]);
    const { clock, log, metrics } = this.#options;
    log.warn('KMS plugins of version 1 are deprecated: use version 2', { name });
    const client = connectKmsV1({ endpoint, timeoutMs, clock });
    this.#providers.push(new KmsV1Provider({ name, client, clock }));
    return new EnvelopeV1Transformer({
      sealer: client,
      keptKeys: Math.max(cachesize, 0),
      onMiss: () => metrics.missed(),
      onKept: (share) => metrics.filled(share),
      measureKey: (make) => measured(make, metrics),
    });
  }

  async #startV2({ name, endpoint }: KmsRule, timeoutMs: number): Promise<ValueTransformer> {
    const [{ connectKms }, { KmsProvider }] = await Promise.all([
      withPackages(NEED, () => import('../../outbound/kms-client.ts')),
      import('./kms-provider.ts'),
    ]);
    const { clock, metrics } = this.#options;
    const onCall = (call: { method: string; code: string; seconds: number }) => {
      metrics.called({ provider: name, ...call });
    };
    const client = connectKms({ endpoint, timeoutMs, clock, onCall });
    const provider = await KmsProvider.start({ name, client, ...this.#options });
    this.#providers.push(provider);
    return new EnvelopeTransformer(provider);
  }

  /** A check for each plugin, if one is of version 1; otherwise they are checked together. */
  checks(): (() => Promise<string | undefined>)[] | undefined {
    return this.#usesV1 ? this.#providers.map((provider) => () => provider.check()) : undefined;
  }

  /** Why the plugins are unhealthy, numbered and worded as in kube-apiserver; undefined if healthy. */
  async check(): Promise<string | undefined> {
    const faults: string[] = [];
    for (const [index, provider] of this.#providers.entries()) {
      const fault = await provider.check();
      if (fault !== undefined) faults.push(`kms-provider-${index}: ${fault}`);
    }
    return faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
  }

  /** Resolves once all plugins are healthy, or with the reason after the timeout of their calls. */
  async settled(): Promise<string | undefined> {
    const { clock } = this.#options;
    const end = clock.now() + Math.max(this.#graceMs, SHORTEST_GRACE_MS);
    for (;;) {
      const fault = await this.check();
      if (fault === undefined || clock.now() >= end) return fault;
      await new Promise<void>((resolve) => void clock.after(ASK_AGAIN_MS, resolve));
    }
  }

  /** Releases the plugins once no value is waiting for them. */
  retire(): void {
    if (this.count > 0) this.#options.clock.after(Math.max(this.#graceMs, SHORTEST_GRACE_MS), () => this.stop());
  }

  stop(): void {
    for (const provider of this.#providers) provider.stop();
  }
}

/** Generates the key of one value and records how long that took. */
function measured(make: () => Uint8Array, metrics: KmsMetrics): Uint8Array {
  const beganMs = performance.now();
  try {
    const key = make();
    metrics.keyMade((performance.now() - beganMs) / 1_000);
    return key;
  } catch (error) {
    metrics.keyFailed();
    throw error;
  }
}
