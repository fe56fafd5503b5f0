// A configuration file that is checked periodically. A change is applied once it is complete; an unusable file leaves
// the old configuration in force. Both are counted.

import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { ConfigurationMetrics } from '../../lifecycle/configuration-metrics.ts';
import { contentHash } from '../content-hash.ts';
import { SettledText } from '../settled-text.ts';

interface FollowedFileOptions {
  readonly path: string;
  /** The content at startup. */
  readonly text: string;
  /** `authentication` or `authorization`, for the log. */
  readonly subject: string;
  /** Applies the current content. @throws Error if it is unusable */
  readonly apply: (text: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ConfigurationMetrics;
  readonly serverIdHash: string;
}

/** Signals that the same content may become usable: it is tried again. */
export class NotYetUsable extends Error {
  override name = 'NotYetUsable';
}

/** Stands for the content of a file that cannot be read. */
const UNREADABLE = '\0';

export class FollowedFile {
  readonly #options: FollowedFileOptions;
  readonly #settled = new SettledText();
  #seen: string;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: FollowedFileOptions) {
    this.#options = options;
    this.#seen = options.text;
    options.metrics.loaded({ serverIdHash: options.serverIdHash, hash: contentHash(options.text) });
    this.#later();
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
    const { path, apply, clock, log, metrics, serverIdHash, subject } = this.#options;
    const read = await readFile(path, 'utf8').catch((error: unknown) => error as Error);
    if (this.#stopped) return;
    // A file that is being replaced may not exist for a moment; one that stays away is a fault.
    const text = typeof read === 'string' ? read : UNREADABLE;
    const isSettled = this.#settled.isSettled(text);
    if (text === this.#seen || !isSettled) return this.#later();
    const reloaded = (status: 'success' | 'failure') => metrics.reloaded(status, serverIdHash, clock.now() / 1000);
    try {
      if (typeof read !== 'string') throw read;
      await apply(text);
      this.#seen = text;
      reloaded('success');
      metrics.loaded({ serverIdHash, hash: contentHash(text) });
      log.info(`reloaded ${subject} config`, { path });
    } catch (error) {
      if (!(error instanceof NotYetUsable)) this.#seen = text;
      reloaded('failure');
      log.error(`the ${subject} config can't be used; the one before stays in force`, { path, error });
    }
    this.#later();
  }
}
