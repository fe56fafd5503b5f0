// Encryption at rest of a server: its configuration, loaded at startup and optionally whenever the file changes, and
// the transformers of every resource. Loaded only if there is a configuration.

import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock, Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { EncryptionMetrics } from '../../lifecycle/encryption-metrics.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { TransformationObserver } from '../../store/encryption/prefix-transformers.ts';
import type { ValueTransformer, ValueTransformers } from '../../store/value-transformer.ts';
import { readText } from '../files.ts';
import { SettledText } from '../settled-text.ts';
import { watchFile } from '../watched-file.ts';
import { decodeEncryptionConfiguration, EncryptionConfigError } from './encryption-configuration.ts';
import { KmsPlugins } from './kms-plugins.ts';
import { type ProvidersByRule, providersOf, ruleOf, transformerOf } from './provider-transformers.ts';
import { resourceOfKey } from './resource-of-key.ts';
import { serverIdHash } from './server-id.ts';
import { encryptionProblems } from './validate-encryption.ts';

interface EncryptionAtRestOptions {
  readonly path: string;
  readonly reload: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: EncryptionMetrics;
  /** Whether the gate KMSv1 is enabled. */
  readonly isV1Allowed: boolean;
  /** The hash of this server's ID. */
  readonly serverIdHash: string;
  /** The resource of a stored key, such as `deployments.apps`; undefined if it is not an API object. */
  readonly resourceOf: (key: string) => string | undefined;
}

/** Like EncryptionAtRest.load, for the resources of a catalog on this machine. @throws EncryptionConfigError */
export function loadEncryptionAtRest(
  options: Omit<EncryptionAtRestOptions, 'resourceOf' | 'serverIdHash'> & { catalog: Catalog },
): Promise<EncryptionAtRest> {
  const resourceOf = resourceOfKey(options.catalog.definitions);
  return EncryptionAtRest.load({ ...options, resourceOf, serverIdHash: serverIdHash(hostname()) });
}

interface Loaded {
  readonly hash: string;
  readonly providers: ProvidersByRule;
  readonly plugins: KmsPlugins;
}

export class EncryptionAtRest implements ValueTransformers {
  readonly #options: EncryptionAtRestOptions;
  #loaded: Loaded;
  #transformers = new Map<string, ValueTransformer>();
  #timer: Timer | undefined;
  #retryMs = 0;
  readonly #settled = new SettledText();
  #stopped = false;
  /**
   * Called when another configuration has come into force, with whether values under a storage prefix may be read
   * differently now. Must not throw.
   */
  onReplaced: ((mayDiffer: (prefix: string) => boolean) => void) | undefined;
  #unwatch: (() => void) | undefined;
  /** Whether the next look at the file is soon. */
  #isSoon = false;
  #isPolling = false;

  private constructor(options: EncryptionAtRestOptions, loaded: Loaded) {
    this.#options = options;
    this.#loaded = loaded;
    options.metrics.loaded(this.#inUse);
    if (!options.reload) return;
    this.#pollLater(limits.encryptionConfigPollMs);
    this.#unwatch = watchFile(options.path, () => this.#pollSoon());
  }

  /** @throws EncryptionConfigError */
  static async load(options: EncryptionAtRestOptions): Promise<EncryptionAtRest> {
    return new EncryptionAtRest(options, await load(await readConfig(options.path), options));
  }

  of(key: string): ValueTransformer | undefined {
    const resource = this.#options.resourceOf(key);
    if (resource === undefined) return undefined;
    let transformer = this.#transformers.get(resource);
    if (transformer === undefined) {
      transformer = transformerOf(ruleOf(this.#loaded.providers, resource), this.#observer(resource));
      this.#transformers.set(resource, transformer);
    }
    return transformer;
  }

  /** Whether the file is reloaded when it changes. */
  get reloads(): boolean {
    return this.#options.reload;
  }

  /** Whether `check` can fail, now or after a reload. */
  get hasChecks(): boolean {
    return this.reloads || this.#loaded.plugins.count > 0;
  }

  /** A check for each KMS plugin, if they are not checked together. */
  checks(): readonly (() => Promise<string | undefined>)[] | undefined {
    return this.reloads ? undefined : this.#loaded.plugins.checks();
  }

  /** Why the KMS plugins in use are unhealthy; undefined if healthy. */
  check(): Promise<string | undefined> {
    return this.#loaded.plugins.check();
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch?.();
    this.#loaded.plugins.stop();
    this.#timer?.cancel();
  }

  get #inUse() {
    const { clock, serverIdHash } = this.#options;
    return { hash: this.#loaded.hash, serverIdHash, nowSeconds: clock.now() / 1000 };
  }

  #observer(resource: string): TransformationObserver {
    const { metrics } = this.#options;
    return {
      now: () => performance.now() / 1000,
      record: (transformation) => metrics.transformed({ resource, ...transformation }),
    };
  }

  #replace(loaded: Loaded): void {
    if (this.#stopped) {
      loaded.plugins.stop();
      return;
    }
    const all = [this.#loaded.providers, loaded.providers];
    this.#loaded.plugins.retire();
    this.#loaded = loaded;
    this.#transformers = new Map();
    this.onReplaced?.((prefix) => {
      const resource = this.#options.resourceOf(`${prefix}/`);
      return resource !== undefined && all.some((providers) => ruleOf(providers, resource) !== undefined);
    });
  }

  #pollLater(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(delayMs, () => void this.#poll());
  }

  /** A change of the file need not wait for the next regular look at it. */
  #pollSoon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    if (!this.#isPolling) this.#pollLater(limits.encryptionConfigSettleMs);
  }

  async #poll(): Promise<void> {
    this.#isSoon = false;
    this.#isPolling = true;
    const delayMs = await this.#look();
    this.#isPolling = false;
    this.#pollLater(this.#isSoon ? limits.encryptionConfigSettleMs : delayMs);
  }

  /** Looks at the file, and loads it if it has changed. @returns how long the next look can wait, in milliseconds */
  async #look(): Promise<number> {
    const { path, log, metrics } = this.#options;
    try {
      const text = await readConfig(path);
      const isSettled = this.#settled.isSettled(text);
      if (hashOf(text) !== this.#loaded.hash) {
        if (!isSettled) return limits.encryptionConfigSettleMs;
        this.#replace(await loadHealthy(text, this.#options));
        metrics.reloaded('success', this.#inUse);
        log.info('the encryption configuration has been loaded again', { path });
      }
      this.#retryMs = 0;
    } catch (error) {
      metrics.reloaded('failure', this.#inUse);
      log.error('the encryption configuration can not be loaded again; the old one stays', { path, error });
      this.#retryMs = Math.min(limits.encryptionConfigPollMs, 2 * this.#retryMs || limits.encryptionConfigRetryMs);
    }
    return this.#retryMs || limits.encryptionConfigPollMs;
  }
}

async function readConfig(path: string): Promise<string> {
  try {
    return readText(path);
  } catch (error) {
    const why = (error as Error).message;
    throw unreadable(path, `error reading encryption provider configuration file FILE: ${why}`);
  }
}

function unreadable(path: string, detail: string): EncryptionConfigError {
  const fault = detail.replace('FILE', JSON.stringify(path));
  return new EncryptionConfigError(`error while parsing file: error while loading file: ${fault}`);
}

async function load(text: string, options: EncryptionAtRestOptions): Promise<Loaded> {
  const { path, reload, isV1Allowed } = options;
  if (text === '') throw unreadable(path, 'encryption provider configuration file FILE is empty');
  const configuration = await prefixed('error while parsing file: ', async () => {
    const decoded = await decodeEncryptionConfiguration(text, path);
    const problems = encryptionProblems(decoded, reload);
    if (problems.length === 1) throw new EncryptionConfigError(problems[0]);
    if (problems.length > 1) throw new EncryptionConfigError(`[${problems.join(', ')}]`);
    return decoded;
  });
  const plugins = new KmsPlugins({ ...options, metrics: options.metrics.kms });
  try {
    const providers = await prefixed('error while building transformers: ', () =>
      providersOf(configuration, { start: (rule) => plugins.start(rule), isV1Allowed }),
    );
    return { hash: hashOf(text), providers, plugins };
  } catch (error) {
    plugins.stop();
    throw error;
  }
}

/** A configuration must work before it replaces another; the first one may not work yet. */
async function loadHealthy(text: string, options: EncryptionAtRestOptions): Promise<Loaded> {
  const loaded = await load(text, options);
  const fault = await loaded.plugins.settled();
  if (fault === undefined) return loaded;
  loaded.plugins.stop();
  throw new EncryptionConfigError(fault);
}

async function prefixed<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EncryptionConfigError) throw new EncryptionConfigError(prefix + error.message);
    throw error;
  }
}

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
