// Evaluation errors. Thrown, but not JavaScript Errors: `||`, `&&` and comprehensions absorb them regularly, and a
// stack trace would cost more than the evaluation.

/** An error of the language; `||` and `&&` may absorb it. */
export class EvaluationError {
  /** As cel-go words it: `no such key: name`, `division by zero`. */
  readonly message: string;
  /** The cost of the evaluation until it failed. */
  readonly cost: number;
  constructor(message: string, cost = 0) {
    this.message = message;
    this.cost = cost;
  }
}

/** The evaluation was ended from outside: its budget is spent or it was cancelled. Nothing absorbs it. */
export class Interruption {
  readonly message: string;
  /** The cost of the evaluation until then. */
  readonly cost: number;
  constructor(message: string, cost: number) {
    this.message = message;
    this.cost = cost;
  }
}
