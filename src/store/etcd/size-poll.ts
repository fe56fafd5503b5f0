// Periodic query of etcd's database size.

import { Buffer } from 'node:buffer';
import type { Clock, Timer } from '../../base/clock.ts';
import { decodeStatus } from './messages.ts';
import type { Rpc } from './rpc.ts';

interface SizePollOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  /** 0 for never. */
  readonly intervalMs: number;
}

export class SizePoll {
  readonly #options: SizePollOptions;
  #bytes: number | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: SizePollOptions) {
    this.#options = options;
    if (options.intervalMs > 0) void this.#ask();
  }

  /** The last result; undefined before the first. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #ask(): Promise<void> {
    const { rpc, clock, intervalMs } = this.#options;
    try {
      this.#bytes = decodeStatus(
        await rpc.call('Maintenance/Status', Buffer.alloc(0), { timeoutMs: intervalMs }),
      ).dbBytes;
    } catch {
      // The last result remains; health checks report that etcd is unavailable.
    }
    if (!this.#stopped) this.#timer = clock.after(intervalMs, () => void this.#ask());
  }
}
