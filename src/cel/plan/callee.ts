// The callee of a call: a single overload if the checker resolved it, otherwise the one that matches the operands at
// run time.

import type { DeclaredFunction } from '../check/declarations.ts';
import type { Overload } from '../library/library.ts';
import type { TypeKind } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { isOfType, runtimeType } from '../value/runtime-type.ts';
import type { Value } from '../value/value.ts';
import { asResult, type Frame, type Result } from './frame.ts';
import { isImplementedOnce, noSuchFunction, noSuchOverload } from './no-such-overload.ts';

type Evaluate = (...operands: readonly Value[]) => Value;
type Price = (result: Result, ...operands: readonly Result[]) => number;

export class Callee {
  readonly name: string;
  /** The overload's id, if known. */
  readonly id: string | undefined;
  /** The cost of the call whatever its operands; 0 if `finish` charges it. */
  readonly cost: number;
  /** Whether the first operand that is an error ends the call, even with fewer than three operands. */
  readonly endsEarly: boolean;
  /** The kind of all results that are not errors, if known. */
  readonly resultKind: TypeKind | undefined;
  readonly #evaluate: Evaluate;
  readonly #price: Price | undefined;
  readonly #pricesErrors: boolean;
  readonly #chargedAhead: boolean;

  constructor(parts: {
    readonly name: string;
    readonly overload?: Overload;
    readonly evaluate: Evaluate;
    readonly price?: Price | undefined;
    readonly endsEarly?: boolean;
  }) {
    this.name = parts.name;
    this.id = parts.overload?.id;
    this.#evaluate = parts.evaluate;
    this.#price = parts.price;
    this.#pricesErrors = parts.overload?.pricesErrors === true;
    this.#chargedAhead = parts.overload?.chargedAhead === true;
    this.endsEarly = parts.endsEarly === true;
    this.cost = parts.price === undefined ? 1 : 0;
    const kind = parts.overload?.result.kind;
    this.resultKind = kind === 'dyn' || kind === 'parameter' || kind === 'any' ? undefined : kind;
  }

  /**
   * Returns the result for operands that may be errors, the first of which is then the result; adds the cost of the
   * call.
   */
  finish(frame: Frame, operands: readonly Result[]): Result {
    if (this.#price === undefined) return this.#resultOf(operands);
    if (this.#chargedAhead) {
      frame.charge(this.#priceOf(null, operands));
      return this.#resultOf(operands);
    }
    const result = this.#resultOf(operands);
    frame.charge(this.#priceOf(result, operands));
    return result;
  }

  /** If the cost depends on the result, an error costs 1. */
  #priceOf(result: Result, operands: readonly Result[]): number {
    if (!this.#pricesErrors && operands.some((operand) => operand instanceof EvaluationError)) return 1;
    const price = this.#price!(result, ...operands);
    return Number.isNaN(price) ? 1 : price;
  }

  #resultOf(operands: readonly Result[]): Result {
    for (const operand of operands) {
      if (operand instanceof EvaluationError) return operand;
    }
    try {
      return this.#evaluate(...(operands as readonly Value[]));
    } catch (error) {
      return asResult(error);
    }
  }
}

/** A single overload. Operands of unknown kind are checked when the call runs. */
export function calleeOf(
  name: string,
  overload: Overload,
  operands: readonly { readonly kind: TypeKind | undefined; readonly constant?: Value | undefined }[],
): Callee {
  const prepared = preparedEvaluation(overload, operands);
  const evaluate = (prepared ?? overload.evaluate) as Evaluate;
  const price = overload.cost as Price | undefined;
  // As in cel-go, where a call with a prepared operand is planned like one with many operands.
  const endsEarly = prepared !== undefined;
  const doubtful = overload.parameters.flatMap((type, index) => {
    const isGeneral = type.kind === 'parameter' || type.kind === 'dyn' || type.kind === 'any';
    return overload.unguarded || isGeneral || operands[index]?.kind === type.kind ? [] : [{ type, index }];
  });
  if (doubtful.length === 0) return new Callee({ name, overload, evaluate, price, endsEarly });
  const guarded: Evaluate = (...values) => {
    for (const { type, index } of doubtful) {
      if (!isOfType(values[index]!, type)) throw noSuchOverload(name, values);
    }
    return evaluate(...values);
  };
  return new Callee({ name, overload, evaluate: guarded, price, endsEarly });
}

/** The evaluation that a constant operand makes possible. */
function preparedEvaluation(
  { specialize, parameters }: Overload,
  operands: readonly { readonly constant?: Value | undefined }[],
): Overload['evaluate'] | undefined {
  if (specialize === undefined) return undefined;
  const constant = operands[specialize.operand]?.constant;
  const isUsable = constant !== undefined && isOfType(constant, parameters[specialize.operand]!);
  return isUsable ? specialize.prepare(constant) : undefined;
}

/**
 * Selects the matching overload at run time. Costs of overloads apply to statically known ones; these calls have the
 * function's cost.
 */
export function dispatchingCallee(name: string, declared: DeclaredFunction | undefined): Callee {
  if (declared === undefined) {
    const fail = (): never => {
      throw noSuchFunction(name);
    };
    return new Callee({ name, evaluate: fail });
  }
  const overloads = new RuntimeOverloads(declared);
  const evaluate: Evaluate = (...operands) => {
    const fitting = overloads.find(operands);
    if (fitting === undefined) throw noSuchOverload(name, operands);
    return (fitting.evaluate as Evaluate)(...operands);
  };
  const price = declared.cost as Price | undefined;
  return new Callee({ name, evaluate, price, endsEarly: overloads.count > 1 && !isImplementedOnce(name) });
}

/** The overloads of a function by the operands' types, each looked for once. */
class RuntimeOverloads {
  readonly #overloads: readonly Overload[];
  readonly #known = new Map<string, Overload | undefined>();

  constructor({ functions, methods }: DeclaredFunction) {
    this.#overloads = [...functions, ...methods].map(({ overload }) => overload);
  }

  get count(): number {
    return this.#overloads.length;
  }

  find(operands: readonly Value[]): Overload | undefined {
    let types = '';
    for (const operand of operands) types += `${runtimeType(operand).name},`;
    if (!this.#known.has(types)) this.#known.set(types, this.#search(operands));
    return this.#known.get(types);
  }

  #search(operands: readonly Value[]): Overload | undefined {
    return this.#overloads.find(
      ({ parameters }) =>
        parameters.length === operands.length && parameters.every((type, index) => isOfType(operands[index]!, type)),
    );
  }
}
