// Meter of event loop turns: their length, and what they were spent on. Work reports its start; a turn ends when the
// loop comes round. Nothing else runs during a turn, so its length is the delay of everything else.

import { limits } from './limits.ts';

/** A description of work. */
export interface TurnTask {
  /** For people: `list pods`, `controller namespace`. Only called when needed. */
  readonly taskName: string;
}

/** A long turn. */
export interface HeldTurn {
  readonly ms: number;
  /** The work that took most of it. */
  readonly task: string;
  readonly taskMs: number;
}

interface TurnMeterOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Calls `run` in the next round of the event loop. */
  readonly nextRound: (run: () => void) => void;
  /** Called with the length of each turn in which work was reported, in milliseconds. */
  readonly observe: (ms: number) => void;
  /** Called for each turn longer than `heldLoopMs`. */
  readonly held: (turn: HeldTurn) => void;
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

  /** Attributes the current turn to this task from now on. */
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
