// Result type of an overload for the types of a call's operands.

import type { Type } from '../types/type.ts';
import { type Unifier, withParameters } from '../types/unifier.ts';
import type { DeclaredOverload } from './declarations.ts';

/** The type of the result; undefined if the overload does not match the operands. */
export function resultType(
  unifier: Unifier,
  { overload, typeParameters }: DeclaredOverload,
  operands: readonly Type<unknown>[],
): Type<unknown> | undefined {
  if (typeParameters.length === 0) {
    return unifier.areAssignable(operands, overload.parameters) ? overload.result : undefined;
  }
  const own = new Map(typeParameters.map((name) => [name, unifier.freshParameter()]));
  if (operands.length !== overload.parameters.length) return undefined;
  const instantiate = (type: Type<unknown>): Type<unknown> =>
    type.kind === 'parameter' ? own.get(type.name)! : withParameters(type, instantiate);
  return unifier.areAssignable(operands, overload.parameters.map(instantiate))
    ? unifier.resolve(instantiate(overload.result))
    : undefined;
}
