// A KMS v1 plugin as used by kube-apiserver: it is healthy if it can decrypt what it has encrypted.

import type { Clock } from '../../base/clock.ts';
import type { KmsV1Client } from '../../outbound/kms-v1-client.ts';
import { failedCall, type KmsFault, KmsHealth } from './kms-health.ts';

interface KmsV1ProviderOptions {
  readonly name: string;
  readonly client: KmsV1Client;
  readonly clock: Clock;
}

export class KmsV1Provider {
  readonly #options: KmsV1ProviderOptions;
  readonly #health: KmsHealth;

  constructor(options: KmsV1ProviderOptions) {
    this.#options = options;
    this.#health = new KmsHealth(options.clock, () => this.#ask());
  }

  /** Why the plugin is unhealthy; undefined if healthy. A result is reused for some seconds. */
  check(): Promise<string | undefined> {
    return this.#health.check();
  }

  stop(): void {
    this.#options.client.close();
  }

  async #ask(): Promise<KmsFault | undefined> {
    const { name, client } = this.#options;
    let section = 'encrypt';
    try {
      const sealed = await client.encrypt(Buffer.from('ping'));
      section = 'decrypt';
      await client.decrypt(sealed);
      return undefined;
    } catch (error) {
      return failedCall(section, name, error as Error);
    }
  }
}
