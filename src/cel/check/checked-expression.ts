// Checked expression: the type of every node, and the meaning of every name and call.

import type { Overload } from '../library/library.ts';
import type { NodeId, ParsedExpression } from '../syntax/expression.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../value/value.ts';

/**
 * A well-typed expression. Its tree shows the resolution of names: a select that is a variable's qualified name is an
 * identifier, a call of a namespaced function has no target, and identifiers, functions and structs have their full
 * names.
 */
export interface CheckedExpression extends ParsedExpression {
  /** Of every node; without type parameters. */
  readonly types: ReadonlyMap<NodeId, Type<unknown>>;
  /** Of every identifier, call and struct. */
  readonly references: ReadonlyMap<NodeId, Reference>;
  /** The type of the whole expression. */
  readonly type: Type<unknown>;
}

export type Reference = IdentifierReference | FunctionReference;

/** A variable, a constant or a type. */
interface IdentifierReference {
  readonly kind: 'identifier';
  /** Its full name. */
  readonly name: string;
  /** The value of a constant or type name; undefined for a variable, and for a type that can only be named. */
  readonly value: Value | undefined;
}

/**
 * The overloads that match the operands' types, in declaration order. `operand.?field` has none, because it is not a
 * declared function.
 */
interface FunctionReference {
  readonly kind: 'function';
  readonly overloads: readonly Overload[];
}
