// Declaration of functions: name, overloads, implementation and costs in one place. The standard functions and all
// libraries have this form, and environments are composed of them.

import type { Range } from '../cost/range.ts';
import type { CallExpression, Expression, Literal } from '../syntax/expression.ts';
import type { Type, TypeProvider } from '../types/type.ts';
import type { Value } from '../value/value.ts';

export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Named types and constants of the functions. */
  readonly types?: TypeProvider;
  /**
   * The estimated cost of `==` for two operands of a type, by the type's name, if it does not depend on their sizes.
   */
  readonly equality?: ReadonlyMap<string, EqualityEstimate>;
}

export type EqualityEstimate = (left: Operand, right: Operand) => Range;

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The cost of a call whose overload is only known at run time: 1 by default. Like an overload's `cost`. */
  readonly cost?: (result: Value, ...operands: never[]) => number;
  /** Whether list and map literals among its operands may mix types although literals are validated. */
  readonly mixedLiterals?: boolean;
  /** Validates a well-typed call of the function at compile time. */
  readonly validate?: (call: CallExpression, inspection: Inspection) => void;
}

/** The context of a declaration's `validate`. */
export interface Inspection {
  readonly typeOf: (expression: Expression) => Type<unknown>;
  readonly report: (message: string, at: Expression) => void;
}

/** An overload is selected by the operands' types; a method's receiver is the first of them. */
export interface Overload {
  /** The name in cel-go or Kubernetes, which errors and costs depend on. */
  readonly id: string;
  /** Written `receiver.function(…)`. */
  readonly method: boolean;
  readonly parameters: readonly Type<unknown>[];
  readonly result: Type<unknown>;
  /** One sentence for the documentation. */
  readonly about?: string;
  /** Evaluates; operands have the declared types. Throws EvaluationError. */
  readonly evaluate: (...operands: never[]) => Value;
  /** Whether `evaluate` accepts operands of any type for `dyn`, and checks them itself. */
  readonly unguarded?: boolean;
  /** Prepares calls in which one operand is a constant. */
  readonly specialize?: Specialization;
  /** The cost of the call at run time, 1 by default; an integer, not negative. */
  readonly cost?: (result: Value, ...operands: never[]) => number;
  /** Whether `cost` is also called for operands that are errors, which count as 1; otherwise such a call costs 1. */
  readonly pricesErrors?: boolean;
  /** Whether `cost` depends only on the operands: it is then charged before the call. */
  readonly chargedAhead?: boolean;
  /** The estimated cost of the call, exactly 1 by default. */
  readonly estimate?: (...operands: Operand[]) => CallEstimate;
}

/** Preparation for a constant operand, shared by all evaluations: a regular expression is compiled once. */
export interface Specialization {
  /** The index of the constant operand. */
  readonly operand: number;
  /** The evaluation of the call, with all operands. Throws EvaluationError; then planning fails. */
  readonly prepare: (constant: Value) => (...operands: never[]) => Value;
}

/** An operand as seen by cost estimation. */
export interface Operand {
  readonly type: Type<unknown>;
  readonly expression: Expression;
  /** Variable, then field names, `@items`, `@keys`, `@values`; undefined for anything else. */
  readonly path: readonly string[] | undefined;
  /**
   * Of a string (code points), bytes, list or map: computed from the expression, otherwise from the schema, or
   * UNKNOWN_SIZE.
   */
  readonly size: Range;
  /** The size; undefined if unknown. */
  readonly computedSize: Range | undefined;
  /** The items of a list; undefined if unknown. */
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
 * @param id of the overload
 * @param signature the types of operands and result
 * @param evaluate receives values of those types
 */
export function overload<const P extends readonly Type<unknown>[], R>(
  id: string,
  signature: readonly [parameters: P, result: Type<R>],
  declaration: Costs<P, R> & { readonly evaluate: (...operands: Values<P>) => R },
): Overload {
  return { id, method: false, parameters: signature[0], result: signature[1], ...declaration } as unknown as Overload;
}

/** Declares `receiver.name(operands)`: like `overload`, with the receiver's type first. */
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
  /** The number of arguments; undefined for any. */
  readonly arguments: number | undefined;
  /** The rewritten call; undefined leaves the call unchanged. */
  readonly expand: (call: MacroCall) => Expression | undefined;
}

export interface MacroCall {
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
  /** A fresh node id at the place of the macro. */
  readonly nextId: () => number;
  /** A copy of an operand, with its own IDs. */
  readonly copy: (expression: Expression) => Expression;
  /** The name of the accumulator in standard macros, which cannot be written in expressions. */
  readonly accumulator: string;
  /** Ends the expansion with an issue at a node (by default at the macro). */
  readonly fail: (message: string, at?: Expression) => never;
}
