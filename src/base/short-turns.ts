// Cooperative scheduling of long work: between two items, work asks whether its turn is over, and if so waits for the
// next. All long work of a server shares one queue, of which one task runs per round of the event loop, so that many
// concurrent lists delay other requests no more than one does. The task that began first goes first, for several turns:
// equal tasks end one after another, instead of all together after a time in which none has ended and freed its seats.

import type { Clock } from './clock.ts';
import { limits } from './limits.ts';
import type { Soon } from './soon.ts';
import type { TurnMeter, TurnTask } from './turn-meter.ts';

/** Calls `run` in the next round of the event loop, after pending I/O. */
type NextRound = (run: () => void) => void;

/** A task that waits for its next turn. */
interface Waiting {
  /** Tasks with lower numbers go first. */
  readonly number: number;
  readonly run: () => void;
}

/** One long task. */
export interface Turn {
  /**
   * Undefined while the turn continues; otherwise a promise of the next one, to be awaited before the next item. Idle
   * time counts: tasks resumed at the same time by their readers queue up.
   */
  over(): Soon<void>;
}

export class ShortTurns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #nextRound: NextRound;
  readonly #meter: Pick<TurnMeter, 'enter'> | undefined;
  /** In the order of their numbers. */
  readonly #waiting: Waiting[] = [];
  #numbers = 0;

  /** @param meter receives descriptions of turns */
  constructor(clock: Pick<Clock, 'now'>, nextRound: NextRound, meter?: Pick<TurnMeter, 'enter'>) {
    this.#clock = clock;
    this.#nextRound = nextRound;
    this.#meter = meter;
  }

  /** Attributes the current turn of the event loop to this task from now on. */
  enter(task: TurnTask): void {
    this.#meter?.enter(task);
  }

  /** Begins a long task. */
  begin(task: TurnTask): Turn {
    this.enter(task);
    let number = ++this.#numbers;
    let start = this.#clock.now();
    let usedMs = 0;
    return {
      over: () => {
        const taken = this.#clock.now() - start;
        // After the clock was set back, the length of the turn is unknown.
        if (taken >= 0 && taken < limits.turnMs) return undefined;
        usedMs += limits.turnMs;
        if (usedMs >= limits.consecutiveTurnsMs) {
          number = ++this.#numbers;
          usedMs = 0;
        }
        return this.#wait(number).then(() => {
          this.enter(task);
          start = this.#clock.now();
        });
      },
    };
  }

  /** Runs part of a long task when its turn comes. */
  later(task: TurnTask, run: () => void): void {
    void this.#wait(++this.#numbers).then(() => {
      this.enter(task);
      run();
    });
  }

  #wait(number: number): Promise<void> {
    return new Promise((run) => {
      const waiting = this.#waiting;
      let at = waiting.length;
      while (at > 0 && waiting[at - 1]!.number > number) at--;
      waiting.splice(at, 0, { number, run });
      if (waiting.length === 1) this.#nextRound(() => this.#goOn());
    });
  }

  #goOn(): void {
    const { run } = this.#waiting.shift()!;
    if (this.#waiting.length > 0) this.#nextRound(() => this.#goOn());
    run();
  }
}
