// CEL variables and cost budget of one policy evaluation.

import type { Json } from '../../api/object.ts';
import { EvaluationError } from '../../cel/value/evaluation-error.ts';
import { MapValue, type Value } from '../../cel/value/value.ts';
import { attempt } from '../../expressions/attempt.ts';
import { readUntyped } from '../../expressions/untyped-value.ts';
import type { Expression } from './policy.ts';

/** What all validations of a policy may cost together, and all its match conditions. Kubernetes' own numbers. */
export const VALIDATION_BUDGET = 10_000_000;
export const CONDITION_BUDGET = 2_500_000;

/** The variables that every expression has, as JSON; and those that are not JSON. */
export interface Scope {
  readonly object: Json;
  readonly oldObject: Json;
  readonly request: Json;
  readonly namespaceObject: Json;
  readonly params: Json;
  readonly authorizer: Value;
  readonly requestResource: Value;
}

/** An expression's value, or what went wrong with it alone. */
type Outcome = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

/** Thrown where nothing more may be spent: the policy as a whole has no answer. */
export class OutOfBudget extends Error {
  override name = 'OutOfBudget';
}

/** Evaluates expressions one after the other, out of one budget. */
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

  /** What may still be spent. */
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

/** A policy's own variables, evaluated when an expression first asks for them. */
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

  /** What variables have cost since this was last asked. */
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
