// Checked expression: the type of every node, and the meaning of every name and call.

import type { Overload } from '../library/library.ts';
import type { NodeId, ParsedExpression } from '../syntax/expression.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../value/value.ts';

/**
 * A parsed expression that is well typed. Its tree says what the checker found names to mean: a select that was a
 * variable's qualified name is an identifier, a method call of a namespaced function has no target any more, and
 * identifiers, functions and structs go by their full names.
 */
export interface CheckedExpression extends ParsedExpression {
  /** Of every node; without type parameters. */
  readonly types: ReadonlyMap<NodeId, Type<unknown>>;
  /** Of every identifier, call and struct. */
  readonly references: ReadonlyMap<NodeId, Reference>;
  /** The type of the whole. */
  readonly type: Type<unknown>;
}

export type Reference = IdentifierReference | FunctionReference;

/** A variable, a constant or a type. */
interface IdentifierReference {
  readonly kind: 'identifier';
  /** Its full name. */
  readonly name: string;
  /** What a constant or a type's name is worth; undefined for a variable, and for a type that can only be named. */
  readonly value: Value | undefined;
}

/**
 * The overloads that the operands' types leave possible, in the order of their declaration. `operand.?field` has none:
 * it is not a declared function.
 */
interface FunctionReference {
  readonly kind: 'function';
  readonly overloads: readonly Overload[];
}
