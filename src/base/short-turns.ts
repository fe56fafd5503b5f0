// Long work in short turns: whoever has much to do asks between two items whether its turn is over, and then waits for
// the next. All of a server's long work shares one line, in which one at a time goes on for each round of the event loop:
// many lists at once let others come between them as often as one does.

import type { Clock } from './clock.ts';
import { limits } from './limits.ts';
import type { Soon } from './soon.ts';
import type { TurnMeter, TurnTask } from './turn-meter.ts';

/** Has `run` called in the next round of the event loop, after what has come in from outside. */
type NextRound = (run: () => void) => void;

/** One piece of long work. */
export interface Turn {
  /**
   * Undefined as long as the turn goes on; else a promise of the next one, to be waited for before the next item. Time in
   * which the work rested counts: many that go on at once, because their readers do, take their places in the line.
   */
  over(): Soon<void>;
}

export class ShortTurns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #nextRound: NextRound;
  readonly #meter: Pick<TurnMeter, 'enter'> | undefined;
  readonly #waiting: (() => void)[] = [];
  #next = 0;

  /** @param meter is told what turns are spent on */
  constructor(clock: Pick<Clock, 'now'>, nextRound: NextRound, meter?: Pick<TurnMeter, 'enter'>) {
    this.#clock = clock;
    this.#nextRound = nextRound;
    this.#meter = meter;
  }

  /** Says that from now on the turn of the event loop is spent on this task. */
  enter(task: TurnTask): void {
    this.#meter?.enter(task);
  }

  /** Begins a piece of long work. */
  begin(task: TurnTask): Turn {
    this.enter(task);
    let start = this.#clock.now();
    return {
      over: () => {
        const taken = this.#clock.now() - start;
        // A clock that was set back says nothing of how long the turn has been.
        if (taken >= 0 && taken < limits.turnMs) return undefined;
        return this.#wait().then(() => {
          this.enter(task);
          start = this.#clock.now();
        });
      },
    };
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length - this.#next === 1) this.#nextRound(() => this.#goOn());
    });
  }

  #goOn(): void {
    const next = this.#waiting[this.#next++]!;
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#next = 0;
    } else {
      this.#nextRound(() => this.#goOn());
    }
    next();
  }
}
