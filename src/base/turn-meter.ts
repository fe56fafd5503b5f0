// Meter of the turns of the event loop: how long they are, and what they were spent on. Whoever begins a piece of work
// says so; the turn ends when the loop comes round. Nobody else is served during a turn, so its length is what others
// waited.

import { limits } from './limits.ts';

/** What a turn is spent on. */
export interface TurnTask {
  /** For people: `list pods`, `controller namespace`. Asked for only when somebody wants to know. */
  readonly taskName: string;
}

interface TurnMeterOptions {
  /** Milliseconds, by a clock that is never set back. */
  readonly now: () => number;
  /** Has `run` called in the next round of the event loop. */
  readonly nextRound: (run: () => void) => void;
  /** Told of each turn that somebody has begun work in, in milliseconds. */
  readonly observe: (ms: number) => void;
  /** Told of each that was longer than `heldLoopMs`, and of what took the most of it. */
  readonly held: (held: { readonly ms: number; readonly task: string; readonly taskMs: number }) => void;
}

export class TurnMeter {
  readonly #options: TurnMeterOptions;
  #startMs = 0;
  #sinceMs = 0;
  #task: TurnTask | undefined;
  #longest: TurnTask | undefined;
  #longestMs = 0;
  readonly #end = () => this.#ended();

  constructor(options: TurnMeterOptions) {
    this.#options = options;
  }

  /** Says that from now on the turn is spent on this task. */
  enter(task: TurnTask): void {
    const nowMs = this.#options.now();
    if (this.#task === undefined) {
      this.#startMs = nowMs;
      this.#options.nextRound(this.#end);
    } else this.#leave(nowMs);
    this.#task = task;
    this.#sinceMs = nowMs;
  }

  #leave(nowMs: number): void {
    const ms = nowMs - this.#sinceMs;
    if (ms <= this.#longestMs) return;
    this.#longestMs = ms;
    this.#longest = this.#task;
  }

  #ended(): void {
    const nowMs = this.#options.now();
    this.#leave(nowMs);
    const ms = nowMs - this.#startMs;
    this.#options.observe(ms);
    if (ms > limits.heldLoopMs && this.#longest !== undefined) {
      this.#options.held({ ms, task: this.#longest.taskName, taskMs: this.#longestMs });
    }
    this.#task = undefined;
    this.#longest = undefined;
    this.#longestMs = 0;
  }
}
