// A KMS v2 plugin as used by kube-apiserver: its status is polled, a rotated key starts a new seed, decrypted seeds are
// cached, and a seed that the plugin has not confirmed for minutes is no longer used for writing.

import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { timestamp } from '../../api/timestamp.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Soon } from '../../base/soon.ts';
import type { KmsMetrics } from '../../lifecycle/kms-metrics.ts';
import type { KmsClient, KmsStatus } from '../../outbound/kms-client.ts';
import { AesGcmTransformer } from '../../store/encryption/aes.ts';
import {
  encodeSource,
  keyIdProblem,
  type SealedSource,
  SOURCE_SEED,
  sourceProblem,
} from '../../store/encryption/encrypted-object.ts';
import type { SourceKeeper, WriteSource } from '../../store/encryption/envelope.ts';
import { ExtendedNonceTransformer, SEED_BYTES } from '../../store/encryption/extended-nonce.ts';
import { TransformError, type ValueTransformer } from '../../store/value-transformer.ts';
import { contentHash } from '../content-hash.ts';
import { failedCall, type KmsFault, KmsHealth } from './kms-health.ts';
import { OpenedSources } from './opened-sources.ts';

interface KmsProviderOptions {
  readonly name: string;
  readonly client: KmsClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: KmsMetrics;
  /** The hash of this server's ID. */
  readonly serverIdHash: string;
}

const POLL_MS = 60_000;
const RETRY_MS = 10_000;
/** How long a seed may be used for writing without confirmation that its key is current. */
const CONFIRMED_FOR_MS = 180_000;
const AES_KEY_BYTES = [16, 24, 32];
const VERSIONS = ['v2', 'v2beta1'];

interface Confirmed extends WriteSource {
  readonly expiresAtMs: number;
}

export class KmsProvider implements SourceKeeper {
  readonly #options: KmsProviderOptions;
  readonly #opened: OpenedSources;
  readonly #hashes = new KeyHashes();
  readonly #health: KmsHealth;
  #write: Confirmed | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  private constructor(options: KmsProviderOptions) {
    this.#options = options;
    const { clock, metrics, name } = options;
    this.#health = new KmsHealth(clock, () => this.#ask());
    this.#opened = new OpenedSources({
      clock,
      open: (source) => this.#open(source),
      onSize: (size) => metrics.kept(name, size),
    });
  }

  /** Calls the plugin once; an unavailable plugin does not prevent startup. */
  static async start(options: KmsProviderOptions): Promise<KmsProvider> {
    const provider = new KmsProvider(options);
    await provider.#poll();
    return provider;
  }

  /** Why the plugin is unhealthy; undefined if healthy. A result is reused for some seconds. */
  check(): Promise<string | undefined> {
    return this.#health.check();
  }

  current(): SealedSource {
    if (this.#write === undefined) throw new TransformError('got unexpected nil transformer');
    return this.#write.source;
  }

  forWriting(): WriteSource {
    const { keyId } = this.current();
    const write = this.#write!;
    const nowMs = this.#options.clock.now();
    if (nowMs <= write.expiresAtMs) return write;
    throw new TransformError(
      `encryptedDEKSource with keyID hash ${JSON.stringify(contentHash(keyId))} expired at ${timestamp(write.expiresAtMs)} ` +
        `(current time is ${timestamp(nowMs)})`,
    );
  }

  open(source: SealedSource): Soon<ValueTransformer> {
    return this.#opened.get(source);
  }

  used(direction: 'from_storage' | 'to_storage', keyId: string): void {
    const { metrics, name: provider, serverIdHash } = this.#options;
    metrics.used({ provider, serverIdHash, keyHash: this.#hashes.of(keyId), direction });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#options.client.close();
  }

  async #poll(): Promise<void> {
    const { clock, log, name } = this.#options;
    const fault = await this.check();
    if (this.#stopped) return;
    if (fault !== undefined) log.warn('a KMS plugin is not healthy', { name, fault });
    this.#timer = clock.after(fault === undefined ? POLL_MS : RETRY_MS, () => void this.#poll());
  }

  async #ask(): Promise<KmsFault | undefined> {
    const { client, name } = this.#options;
    try {
      const fault = await this.#judge(await client.status());
      return fault === undefined ? undefined : { text: fault, again: fault };
    } catch (error) {
      return failedCall('status', name, error as Error);
    }
  }

  async #judge({ version, healthz, keyId }: KmsStatus): Promise<string | undefined> {
    const { metrics, name, serverIdHash } = this.#options;
    const faults: string[] = [];
    if (healthz !== 'ok') faults.push(`got unexpected healthz status: ${healthz}`);
    if (!VERSIONS.includes(version)) faults.push(`expected KMSv2 API version v2, got ${version}`);
    const wrong = keyIdProblem(keyId);
    if (wrong === undefined) {
      metrics.shown({ provider: name, serverIdHash, keyHash: this.#hashes.of(keyId) });
      const fault = await this.#confirm(keyId);
      if (fault !== undefined) faults.push(fault);
    } else {
      metrics.refused(name, wrong.code);
      faults.push(`got invalid KMSv2 KeyID hash ${JSON.stringify(contentHash(keyId))}: ${wrong.text}`);
    }
    if (faults.length === 0) return undefined;
    const text = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
    return `kmsv2 Provider ${name} is not healthy, error: ${text}`;
  }

  /**
   * Called with the plugin's current `keyId`: extends the seed of that key or starts a new one. Otherwise the old seed
   * is used until it expires.
   */
  async #confirm(keyId: string): Promise<string | undefined> {
    const { client, clock } = this.#options;
    const expiresAtMs = clock.now() + CONFIRMED_FOR_MS;
    if (this.#write?.source.keyId === keyId) {
      this.#write = { ...this.#write, expiresAtMs };
      return undefined;
    }
    const uid = randomUUID();
    let problem: string | undefined;
    let sealedUnder = '';
    try {
      const seed = randomBytes(SEED_BYTES);
      const source = await sealed(client, uid, seed);
      sealedUnder = source.keyId;
      problem = sourceProblem(source);
      if (problem === undefined && source.keyId === keyId) {
        const cipher = new ExtendedNonceTransformer(seed);
        this.#opened.set(source, cipher);
        this.#write = { source, encoded: encodeSource(source), cipher, expiresAtMs };
        return undefined;
      }
    } catch (error) {
      problem = `failed to encrypt DEK, error: ${(error as Error).message}`;
    }
    return this.#notTurned({ uid, keyId, sealedUnder, problem });
  }

  #notTurned(facts: { uid: string; keyId: string; sealedUnder: string; problem: string | undefined }): string {
    const { uid, keyId, sealedUnder, problem = '<nil>' } = facts;
    const write = this.#write;
    const state = write === undefined ? 'got unexpected nil transformer' : '<nil>';
    const hash = (id: string): string => JSON.stringify(contentHash(id));
    const expires = write === undefined ? '0001-01-01T00:00:00Z' : timestamp(write.expiresAtMs);
    return (
      `failed to rotate DEK uid=${JSON.stringify(uid)}, useSeed=true, errState=${state}, errGen=${problem}, ` +
      `statusKeyIDHash=${hash(keyId)}, encryptKeyIDHash=${hash(sealedUnder)}, ` +
      `stateKeyIDHash=${hash(write?.source.keyId ?? '')}, expirationTimestamp=${expires}`
    );
  }

  async #open(source: SealedSource): Promise<ValueTransformer> {
    const { client, metrics } = this.#options;
    metrics.missed();
    let opened: Uint8Array;
    try {
      opened = await client.decrypt(randomUUID(), source);
    } catch (error) {
      throw new TransformError(`failed to decrypt DEK, error: ${(error as Error).message}`);
    }
    if (source.type === SOURCE_SEED) return new ExtendedNonceTransformer(opened);
    if (!AES_KEY_BYTES.includes(opened.length))
      throw new TransformError(`crypto/aes: invalid key size ${opened.length}`);
    return new AesGcmTransformer(createSecretKey(opened));
  }
}

async function sealed(client: KmsClient, uid: string, seed: Uint8Array): Promise<SealedSource> {
  const source = await client.encrypt(uid, seed);
  const annotations = new Map([...source.annotations].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { sealed: source.sealed, keyId: source.keyId, annotations, type: SOURCE_SEED };
}

/** The hash of the most recent key ID. */
class KeyHashes {
  #keyId = '';
  #hash = '';

  of(keyId: string): string {
    if (keyId !== this.#keyId) {
      this.#keyId = keyId;
      this.#hash = contentHash(keyId);
    }
    return this.#hash;
  }
}
