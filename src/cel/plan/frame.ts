// The frame of an evaluation, and the form of a planned expression: closures over a frame. CEL errors are results like
// values, so that evaluation continues as in cel-go's interpreter; only interruptions are thrown.

import { comparing, FREE_PARTS } from '../value/comparing.ts';
import { EvaluationError, Interruption } from '../value/evaluation-error.ts';
import { stringSize } from '../value/size.ts';
import type { Value } from '../value/value.ts';

/** The result of evaluating a part of an expression. */
export type Result = Value | EvaluationError;

export type Step = (frame: Frame) => Result;

/** A part of an expression, ready to run. */
export interface Planned {
  /**
   * The cost of the part whatever its result; the caller of `step` adds it to the frame's cost first. The step itself
   * adds costs that depend on values.
   */
  readonly cost: number;
  readonly step: Step;
}

/** State shared by all evaluations of a program. */
export interface FrameSettings {
  /** How many slots the program uses. */
  readonly slots: number;
  /** The cost limit of an evaluation. */
  readonly limit: number;
  /** Whether to cancel the evaluation. */
  readonly interrupted: (() => boolean) | undefined;
}

export class Frame {
  cost = 0;
  /** Variables, including those of comprehensions, each at its own index; undefined until they are read. */
  readonly slots: (Result | undefined)[];
  readonly #settings: FrameSettings;
  readonly #variable: (name: string) => Value | undefined;
  #iterations = 0;
  #longText = '';
  #longTextSize = 0;

  constructor(settings: FrameSettings, variable: (name: string) => Value | undefined) {
    this.#settings = settings;
    this.#variable = variable;
    this.slots = new Array(settings.slots);
  }

  /** Reads a variable and caches it; undefined if it is missing. */
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

  /**
   * The code points of a string. Of a long one they are remembered: asking costs 1 however long it takes to count, and
   * loops ask again and again.
   */
  stringSize(text: string): number {
    if (text.length < LONG_TEXT) return stringSize(text);
    if (text !== this.#longText) {
      this.#longText = text;
      this.#longTextSize = stringSize(text);
    }
    return this.#longTextSize;
  }

  /** Adds to the cost. Throws Interruption past the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (comparing.parts > FREE_PARTS) this.cost += comparing.takeCost();
    if (this.cost > this.#settings.limit) throw limitExceeded(this.cost);
  }

  /** Adds the cost of another iteration and sometimes checks for cancellation. Throws Interruption. */
  iterate(cost: number): void {
    this.cost += cost;
    if (comparing.parts > FREE_PARTS) this.cost += comparing.takeCost();
    if (this.cost > this.#settings.limit) throw limitExceeded(this.cost);
    if (++this.#iterations % INTERRUPT_CHECK_FREQUENCY === 0 && this.#settings.interrupted?.() === true) {
      throw new Interruption('operation interrupted', this.cost);
    }
  }
}

/** From so many units on, the size of a string is remembered. */
const LONG_TEXT = 1_000;
/** Iterations between two checks for cancellation: the same as in Kubernetes. */
const INTERRUPT_CHECK_FREQUENCY = 100;

export function limitExceeded(cost: number): Interruption {
  return new Interruption('operation cancelled: actual cost limit exceeded', cost);
}

/** Returns a thrown CEL error; rethrows everything else. */
export function asResult(thrown: unknown): EvaluationError {
  if (thrown instanceof EvaluationError) return thrown;
  throw thrown;
}

export const NO_SUCH_OVERLOAD = new EvaluationError('no such overload');

/** A part with a constant value. */
export function constant(value: Value): Planned & { readonly constant: Value } {
  return { cost: 0, step: () => value, constant: value };
}
