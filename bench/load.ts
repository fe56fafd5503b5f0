// The load generator as seen by the measuring process.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LargeOutcome, SmallOutcome } from './beside.ts';
import type { ClosedLoop, LoopOutcome } from './closed-loop.ts';
import type { FanOut, FanOutOutcome, WriteLoad } from './fan-out.ts';
import type { Flood, FloodOutcome } from './flood.ts';
import type { Answer, Target } from './http2-connection.ts';
import type { SteadyLoad, SteadyOutcome } from './steady.ts';
import type { TextRequest } from './text-request.ts';

export type LoadTask =
  | { readonly kind: 'loop'; readonly target: Target; readonly loop: ClosedLoop }
  | { readonly kind: 'request'; readonly target: Target; readonly request: TextRequest }
  | { readonly kind: 'large'; readonly target: Target; readonly requests: readonly TextRequest[] }
  | { readonly kind: 'begin gets'; readonly target: Target; readonly path: string }
  | { readonly kind: 'end gets' }
  | { readonly kind: 'flood'; readonly target: Target; readonly flood: Flood }
  | { readonly kind: 'steady'; readonly target: Target; readonly steady: SteadyLoad }
  | { readonly kind: 'open watches'; readonly target: Target; readonly fanOut: FanOut }
  | { readonly kind: 'write'; readonly write: WriteLoad }
  /** Closes all connections. */
  | { readonly kind: 'close' };

export type LoadReply = { readonly result: unknown } | { readonly error: string };

export class LoadProcess implements AsyncDisposable {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'load-process.ts'));
  readonly #target: Target;
  readonly #ended = once(this.#child, 'exit').then(() => undefined);

  constructor(target: Target) {
    this.#target = target;
  }

  loop(loop: ClosedLoop): Promise<LoopOutcome> {
    return this.#perform({ kind: 'loop', target: this.#target, loop });
  }

  request(request: TextRequest): Promise<Answer> {
    return this.#perform({ kind: 'request', target: this.#target, request });
  }

  large(requests: readonly TextRequest[]): Promise<LargeOutcome> {
    return this.#perform({ kind: 'large', target: this.#target, requests });
  }

  beginGets(path: string): Promise<void> {
    return this.#perform({ kind: 'begin gets', target: this.#target, path });
  }

  endGets(): Promise<SmallOutcome> {
    return this.#perform({ kind: 'end gets' });
  }

  flood(flood: Flood): Promise<FloodOutcome> {
    return this.#perform({ kind: 'flood', target: this.#target, flood });
  }

  steady(steady: SteadyLoad): Promise<SteadyOutcome[]> {
    return this.#perform({ kind: 'steady', target: this.#target, steady });
  }

  openWatches(fanOut: FanOut): Promise<void> {
    return this.#perform({ kind: 'open watches', target: this.#target, fanOut });
  }

  write(write: WriteLoad): Promise<FanOutOutcome> {
    return this.#perform({ kind: 'write', write });
  }

  close(): Promise<void> {
    return this.#perform({ kind: 'close' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }

  async #perform<T>(task: LoadTask): Promise<T> {
    const answered = once(this.#child, 'message') as Promise<[LoadReply]>;
    this.#child.send(task);
    const [reply] = (await Promise.race([answered, this.#ended])) ?? [{ error: 'the load generator ended' }];
    if ('error' in reply) throw new Error(reply.error);
    return reply.result as T;
  }
}
