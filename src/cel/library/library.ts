// The form in which functions are declared: name, overloads, implementation and costs in one place. The standard
// functions and every library are values of it, and an environment is made of them.

import type { Range } from '../cost/range.ts';
import type { CallExpression, Expression, Literal } from '../syntax/expression.ts';
import type { Type, TypeProvider } from '../types/type.ts';
import type { Value } from '../value/value.ts';

export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Named types and constants that the functions bring. */
  readonly types?: TypeProvider;
  /** What `==` of two operands of a type is estimated to cost, by the type's name, where their sizes do not tell. */
  readonly equality?: ReadonlyMap<string, EqualityEstimate>;
}

export type EqualityEstimate = (left: Operand, right: Operand) => Range;

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** What a call costs whose overload is only known when it runs: 1 where it is not told. As an overload's `cost`. */
  readonly cost?: (result: Value, ...operands: never[]) => number;
  /** Whether list and map literals among its operands may mix types although literals are validated. */
  readonly mixedLiterals?: boolean;
  /** Looks at a well typed call of the function when it is compiled, for what could never be evaluated. */
  readonly validate?: (call: CallExpression, inspection: Inspection) => void;
}

/** What a declaration's `validate` may ask and say. */
export interface Inspection {
  readonly typeOf: (expression: Expression) => Type<unknown>;
  readonly report: (message: string, at: Expression) => void;
}

/** A function is given by the operands' types; a method's receiver is the first of them. */
export interface Overload {
  /** As cel-go or Kubernetes names it; errors and costs go by it. */
  readonly id: string;
  /** Written `receiver.function(…)`. */
  readonly method: boolean;
  readonly parameters: readonly Type<unknown>[];
  readonly result: Type<unknown>;
  /** One sentence for the page of functions. */
  readonly about?: string;
  /** Evaluates; operands are of the declared types. Throws EvaluationError. */
  readonly evaluate: (...operands: never[]) => Value;
  /** Whether `evaluate` takes operands of any type, where `dyn` leaves it open, and refuses them itself. */
  readonly unguarded?: boolean;
  /** Makes the evaluation of calls in which one operand is a constant. */
  readonly specialize?: Specialization;
  /** What the call costs at run time, 1 where it is not told; whole and not negative. */
  readonly cost?: (result: Value, ...operands: never[]) => number;
  /** Whether `cost` is asked about operands that are errors too, which count 1; else such a call costs 1. */
  readonly pricesErrors?: boolean;
  /** Whether `cost` goes by the operands alone: it is charged before the call is begun, which the budget must cover. */
  readonly chargedAhead?: boolean;
  /** What the call is estimated to cost, exactly 1 where it is not told. */
  readonly estimate?: (...operands: Operand[]) => CallEstimate;
}

/** Work on a constant operand that all evaluations share: a regular expression is compiled once. */
export interface Specialization {
  /** Which operand has to be a constant. */
  readonly operand: number;
  /** The evaluation of the call, still with all operands. Throws EvaluationError; then there is no program. */
  readonly prepare: (constant: Value) => (...operands: never[]) => Value;
}

/** An operand as the estimate sees it. */
export interface Operand {
  readonly type: Type<unknown>;
  readonly expression: Expression;
  /** Variable, then field names, `@items`, `@keys`, `@values`; undefined for what is not part of a variable. */
  readonly path: readonly string[] | undefined;
  /**
   * Of a string (code points), bytes, list or map: computed from the expression, or else told by the schema, or
   * UNKNOWN_SIZE.
   */
  readonly size: Range;
  /** The size; undefined where neither the expression nor the schema tells it. */
  readonly computedSize: Range | undefined;
  /** The items of a list; undefined for what is not known to have any. */
  readonly items: Operand | undefined;
  readonly literal: Literal | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  /** Of a string, bytes, list or map that the call makes. */
  readonly resultSize?: Range;
}

type Values<P extends readonly Type<unknown>[]> = { [I in keyof P]: P[I] extends Type<infer V> ? V : never };

interface Costs<P extends readonly Type<unknown>[], R> {
  readonly about?: string;
  readonly unguarded?: boolean;
  readonly specialize?: Specialization;
  readonly pricesErrors?: boolean;
  readonly chargedAhead?: boolean;
  readonly cost?: (result: R, ...operands: Values<P>) => number;
  readonly estimate?: (...operands: Operand[]) => CallEstimate;
}

/**
 * Declares `name(operands)`.
 * @param id the overload's id
 * @param signature the operands' types and the result's
 * @param evaluate gets values of those types
 */
export function overload<const P extends readonly Type<unknown>[], R>(
  id: string,
  signature: readonly [parameters: P, result: Type<R>],
  declaration: Costs<P, R> & { readonly evaluate: (...operands: Values<P>) => R },
): Overload {
  return { id, method: false, parameters: signature[0], result: signature[1], ...declaration } as unknown as Overload;
}

/** Declares `receiver.name(operands)`: as `overload`, the receiver's type first. */
export function method<const P extends readonly Type<unknown>[], R>(
  id: string,
  signature: readonly [parameters: P, result: Type<R>],
  declaration: Costs<P, R> & { readonly evaluate: (...operands: Values<P>) => R },
): Overload {
  return { ...overload(id, signature, declaration), method: true };
}

/** A call that the parser rewrites. */
export interface Macro {
  readonly name: string;
  /** Written `receiver.name(…)`. */
  readonly method: boolean;
  /** How many arguments it takes; undefined any number. */
  readonly arguments: number | undefined;
  /** The rewritten call; undefined leaves the call as it is. */
  readonly expand: (call: MacroCall) => Expression | undefined;
}

export interface MacroCall {
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
  /** A fresh node id at the place of the macro. */
  readonly nextId: () => number;
  /** An operand once more, with ids of its own. */
  readonly copy: (expression: Expression) => Expression;
  /** The name of the accumulator that the standard macros use, which no expression can write. */
  readonly accumulator: string;
  /** Ends the expansion with an issue at a node (the macro's own place where none is given). */
  readonly fail: (message: string, at?: Expression) => never;
}
