// Lets go of etcd's history, once for all servers on it: each of them tries to be the one that does it, by the version
// of one key, and those that are not learn from that key what was let go of. The protocol is kube-apiserver's.

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
  /** Somebody has let go of everything up to this revision. */
  readonly onCompacted: (revision: number) => void;
}

/** Stands outside every prefix. */
const KEY = 'compact_rev_key';
const CALL_MS = 10_000;
/** Who does not compact looks this often at what others let go of. */
const LOOK_EVERY_MS = 60_000;

export class Compactor {
  readonly #options: CompactorOptions;
  /** The version of the key and the revision of etcd that were seen last. */
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
        .catch((error: unknown) => log.warn('etcd could not be compacted', { error: String(error) }))
        .finally(() => {
          if (this.#timer === timer) this.#again();
        });
    });
    this.#timer = timer;
  }

  /** One try to be the one that compacts, to the revision of the round before. */
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
    log.debug({ file: 'compactor', level: 1 }, 'etcd was compacted', { revision: before });
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
