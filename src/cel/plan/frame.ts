// What one evaluation works on, and what a planned expression is: closures over a frame. Errors of the language are
// results like values, so that everything around them goes on as cel-go's interpreter does; only interruptions are
// thrown.

import { EvaluationError, Interruption } from '../value/evaluation-error.ts';
import type { Value } from '../value/value.ts';

/** What evaluating a part of an expression comes to. */
export type Result = Value | EvaluationError;

export type Step = (frame: Frame) => Result;

/** A part of an expression, ready to run. */
export interface Planned {
  /**
   * What running the part costs at least, whatever it finds; whoever runs `step` adds it to the frame's cost first. The
   * step itself adds what depends on values, and takes back what it did not come to because of an error.
   */
  readonly cost: number;
  readonly step: Step;
}

export class Frame {
  cost = 0;
  readonly limit: number;
  /** Variables and those of comprehensions, each at an index of its own; undefined until they are asked for. */
  readonly slots: (Result | undefined)[];
  readonly #variable: (name: string) => Value | undefined;
  readonly #interrupted: (() => boolean) | undefined;
  #iterations = 0;

  constructor(options: {
    readonly slots: number;
    readonly limit: number;
    readonly variable: (name: string) => Value | undefined;
    readonly interrupted: (() => boolean) | undefined;
  }) {
    this.limit = options.limit;
    this.slots = new Array(options.slots).fill(undefined);
    this.#variable = options.variable;
    this.#interrupted = options.interrupted;
  }

  /** Reads a variable and remembers it; undefined where it is missing. */
  load(slot: number, name: string): Result | undefined {
    if (this.slots[slot] !== undefined) return this.slots[slot];
    let value: Result | undefined;
    try {
      value = this.#variable(name);
    } catch (error) {
      value = asResult(error);
    }
    if (value !== undefined) this.slots[slot] = value;
    return value;
  }

  /** Adds to the cost. Throws Interruption past the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw limitExceeded(this.cost);
  }

  /** Adds the cost of one more iteration and looks, now and then, whether to go on. Throws Interruption. */
  iterate(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw limitExceeded(this.cost);
    if (++this.#iterations % INTERRUPT_CHECK_FREQUENCY === 0 && this.#interrupted?.() === true) {
      throw new Interruption('operation interrupted', this.cost);
    }
  }
}

/** Iterations between two looks at whether the evaluation was ended: Kubernetes' own number. */
const INTERRUPT_CHECK_FREQUENCY = 100;

export function limitExceeded(cost: number): Interruption {
  return new Interruption('operation cancelled: actual cost limit exceeded', cost);
}

/** What was thrown, where it is an error of the language; throws everything else on. */
export function asResult(thrown: unknown): EvaluationError {
  if (thrown instanceof EvaluationError) return thrown;
  throw thrown;
}

export const NO_SUCH_OVERLOAD = new EvaluationError('no such overload');

/** A part whose value is known. */
export function constant(value: Value): Planned & { readonly constant: Value } {
  return { cost: 0, step: () => value, constant: value };
}
