// CEL variables and cost budget of one policy evaluation.

import type { Json } from '../../api/object.ts';
import { EvaluationError } from '../../cel/value/evaluation-error.ts';
import { MapValue, type Value } from '../../cel/value/value.ts';
import { attempt } from '../../expressions/attempt.ts';
import { readUntyped } from '../../expressions/untyped-value.ts';
import type { Expression } from './policy.ts';

/** Cost limits of all validations of a policy, and of all its match conditions, as in Kubernetes. */
export const VALIDATION_BUDGET = 10_000_000;
export const CONDITION_BUDGET = 2_500_000;

/** Variables common to all expressions, as JSON, and those that are not JSON. */
export interface Scope {
  readonly object: Json;
  readonly oldObject: Json;
  readonly request: Json;
  readonly namespaceObject: Json;
  readonly params: Json;
  readonly authorizer: Value;
  readonly requestResource: Value;
}

/** The value of an expression, or its error. */
type Outcome = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

/** Thrown when the budget is used up: the policy as a whole fails. */
export class OutOfBudget extends Error {
  override name = 'OutOfBudget';
}

/** Evaluates expressions in order, with a common budget. */
export class Evaluator {
  readonly #values: ReadonlyMap<string, Value>;
  readonly #variables: PolicyVariables;
  #budget: number;

  constructor(scope: Scope, variables: ReadonlyMap<string, Expression>, budget: number) {
    const { authorizer, requestResource, ...json } = scope;
    const values = new Map(Object.entries(json).map(([name, value]) => [name, readUntyped(value)]));
    values.set('authorizer', authorizer);
    values.set('authorizer.requestResource', requestResource);
    this.#variables = new PolicyVariables(variables, (name) => this.#valueOf(name));
    values.set('variables', this.#variables);
    this.#values = values;
    this.#budget = budget;
  }

  /** The remaining budget. */
  get budget(): number {
    return this.#budget;
  }

  /** @throws OutOfBudget */
  evaluate({ text, compiled }: Expression): Outcome {
    if (compiled.fault !== undefined) return { error: `compilation error: ${compiled.fault}` };
    const { cost, ...outcome } = attempt(compiled.program, (name) => this.#valueOf(name));
    const spent = cost + this.#variables.takeCost();
    if (spent > this.#budget) {
      throw new OutOfBudget(
        'validation failed due to running out of cost budget, no further validation rules will be run',
      );
    }
    this.#budget -= spent;
    if (outcome.fault === undefined) return outcome;
    return { error: `expression '${text}' resulted in error: ${outcome.fault.message}` };
  }

  #valueOf(name: string): Value | undefined {
    return this.#values.get(name);
  }
}

/** The policy's variables, evaluated on first use. */
class PolicyVariables extends MapValue {
  readonly #variables: ReadonlyMap<string, Expression>;
  readonly #resolve: (name: string) => Value | undefined;
  readonly #known = new Map<string, Outcome>();
  #cost = 0;

  constructor(variables: ReadonlyMap<string, Expression>, resolve: (name: string) => Value | undefined) {
    super();
    this.#variables = variables;
    this.#resolve = resolve;
  }

  get size(): number {
    return this.#variables.size;
  }

  keys(): readonly Value[] {
    return [...this.#variables.keys()];
  }

  get(key: Value): Value | undefined {
    const name = String(key);
    const variable = this.#variables.get(name);
    if (variable === undefined) return undefined;
    let outcome = this.#known.get(name);
    if (outcome === undefined) {
      outcome = this.#evaluate(name, variable);
      this.#known.set(name, outcome);
    }
    if (outcome.error !== undefined) throw new EvaluationError(outcome.error);
    return outcome.value;
  }

  /** Cost of variables since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, { compiled }: Expression): Outcome {
    const quoted = JSON.stringify(name);
    if (compiled.fault !== undefined) {
      return { error: `composited variable ${quoted} fails to compile: ${compiled.fault}` };
    }
    const { cost, ...outcome } = attempt(compiled.program, this.#resolve);
    this.#cost += cost;
    if (outcome.fault === undefined) return outcome;
    return { error: `composited variable ${quoted} fails to evaluate: ${outcome.fault.message}` };
  }
}
