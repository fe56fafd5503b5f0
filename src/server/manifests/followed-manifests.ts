// The manifests of a plugin, checked periodically. A change is applied once it is complete; manifests that cannot be used
// leave the old ones in force. Both are counted.

import type { ManifestPlugin, Manifests } from '../../admission/manifests.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { ManifestMetrics } from '../../lifecycle/manifest-metrics.ts';
import { SettledText } from '../settled-text.ts';
import { manifestState } from './manifest-folder.ts';
import type { LoadedManifests } from './manifest-reader.ts';

interface FollowedManifestsOptions {
  readonly plugin: ManifestPlugin;
  readonly folder: string;
  /** @throws Error if they cannot be used */
  readonly read: () => Promise<LoadedManifests>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ManifestMetrics;
  readonly serverIdHash: string;
}

export class FollowedManifests implements Manifests {
  readonly #options: FollowedManifestsOptions;
  readonly #settled = new SettledText();
  #loaded: LoadedManifests;
  /** The state of the folder that was read last. */
  #seen: string;
  #timer: Timer | undefined;
  #stopped = false;

  /** @throws Error if the manifests cannot be used */
  static async load(options: FollowedManifestsOptions): Promise<FollowedManifests> {
    const state = await manifestState(options.folder);
    return new FollowedManifests(options, { state, loaded: await options.read() });
  }

  private constructor(
    options: FollowedManifestsOptions,
    { state, loaded }: { readonly state: string; readonly loaded: LoadedManifests },
  ) {
    this.#options = options;
    this.#seen = state;
    this.#loaded = loaded;
    this.#record('success');
    this.#later();
  }

  get objects(): readonly ApiObject[] {
    return this.#loaded.objects;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #later(): void {
    if (this.#stopped) return;
    this.#timer = this.#options.clock.after(limits.accessFilePollMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const state = await manifestState(this.#options.folder);
    if (this.#stopped) return;
    const isSettled = this.#settled.isSettled(state);
    if (isSettled && state !== this.#seen) {
      this.#seen = state;
      await this.#reload();
    }
    this.#later();
  }

  async #reload(): Promise<void> {
    const { plugin, folder: path, read, log } = this.#options;
    try {
      const loaded = await read();
      if (this.#stopped || loaded.hash === this.#loaded.hash) return;
      this.#loaded = loaded;
      this.#record('success');
      log.info('reloaded admission manifests', { plugin, path });
    } catch (error) {
      this.#record('failure');
      log.error("admission manifests can't be used; those before stay in force", { plugin, path, error });
    }
  }

  #record(status: 'success' | 'failure'): void {
    const { metrics, plugin, serverIdHash, clock } = this.#options;
    metrics.reloaded(status, { plugin, serverIdHash, nowSeconds: clock.now() / 1000 });
    if (status === 'success') metrics.loaded(plugin, { serverIdHash, hash: this.#loaded.hash });
  }
}
