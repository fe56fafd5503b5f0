// Compaction of etcd's history, once for all servers on it: each tries to compact by a compare-and-swap on the version
// of one key, and the others learn from that key what was compacted. The protocol is kube-apiserver's.

import { Buffer } from 'node:buffer';
import type { Clock, Timer } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { decodeRange, decodeWrite, encodeRange, encodeWrite } from './messages.ts';
import type { Rpc } from './rpc.ts';

interface CompactorOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  readonly log: Log;
  readonly intervalMs: number;
  readonly compact: (revision: number) => Promise<void>;
  /** Another server has compacted up to this revision. */
  readonly onCompacted: (revision: number) => void;
}

/** Outside every prefix. */
const KEY = 'compact_rev_key';
const CALL_MS = 10_000;
/** How often a server that does not compact checks what others have compacted. */
const LOOK_EVERY_MS = 60_000;

export class Compactor {
  readonly #options: CompactorOptions;
  /** The latest known version of the key, and revision of etcd. */
  #version = 0;
  #revision = 0;
  #timer: Timer | undefined;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#again();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #again(): void {
    const { clock, intervalMs, log } = this.#options;
    const timer = clock.after(intervalMs === 0 ? LOOK_EVERY_MS : intervalMs, () => {
      const round = intervalMs === 0 ? this.#look() : this.round();
      round
        .catch((error: unknown) => log.warn('failed to compact etcd', { error: String(error) }))
        .finally(() => {
          if (this.#timer === timer) this.#again();
        });
    });
    this.#timer = timer;
  }

  /** Tries to be the one that compacts, up to the revision of the previous round. */
  async round(): Promise<void> {
    const { rpc, compact, log } = this.#options;
    const before = this.#revision;
    const request = encodeWrite({ key: KEY, value: Buffer.from(String(before)), version: this.#version });
    const { succeeded, revision, current } = decodeWrite(await rpc.call('KV/Txn', request, { timeoutMs: CALL_MS }));
    this.#revision = revision;
    if (!succeeded) {
      this.#version = current?.version ?? 0;
      this.#tell(current?.value);
      return;
    }
    this.#version += 1;
    if (before === 0) return;
    await compact(before);
    log.debug({ file: 'compactor', level: 1 }, 'compacted etcd', { revision: before });
  }

  async #look(): Promise<void> {
    const answer = await this.#options.rpc.call('KV/Range', encodeRange({ key: KEY }), { timeoutMs: CALL_MS });
    this.#tell(decodeRange(answer).entries[0]?.value);
  }

  #tell(value: Buffer | undefined): void {
    const revision = Number(value?.toString('latin1') ?? '');
    if (Number.isSafeInteger(revision) && revision > 0) this.#options.onCompacted(revision);
  }
}
