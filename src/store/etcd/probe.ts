// Health probe of etcd: limited in frequency; the last result is used in between.

import type { Clock } from '../../base/clock.ts';
import { encodeRange } from './messages.ts';
import { type Rpc, RpcError } from './rpc.ts';

interface ProbeOptions {
  readonly rpc: Rpc;
  readonly clock: Clock;
  readonly key: string;
  /** 0 for two seconds, as in kube-apiserver. */
  readonly timeoutMs: number;
}

const USUAL_TIMEOUT_MS = 2_000;

export class Probe {
  readonly #options: ProbeOptions;
  readonly #timeoutMs: number;
  #fault: string | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<string | undefined> | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs || USUAL_TIMEOUT_MS;
  }

  /** The error; undefined if etcd responds. */
  ask(): Promise<string | undefined> | string | undefined {
    const { clock } = this.#options;
    if (this.#asking !== undefined) return this.#asking;
    if (clock.now() - this.#askedAtMs < this.#timeoutMs / 2) return this.#fault;
    this.#askedAtMs = clock.now();
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<string | undefined> {
    const { rpc, key } = this.#options;
    try {
      await rpc.call('KV/Range', encodeRange({ key }), { timeoutMs: this.#timeoutMs });
      this.#fault = undefined;
    } catch (error) {
      this.#fault = `error getting data from etcd: ${reasonOf(error as Error)}`;
    }
    return this.#fault;
  }
}

/** The error of kube-apiserver, which tries other members until its time is up and then reports only that. */
function reasonOf(error: Error): string {
  return error instanceof RpcError && error.failure === 'timeout' ? 'context deadline exceeded' : error.message;
}
