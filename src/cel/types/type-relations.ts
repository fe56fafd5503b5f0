// Relations between types without type parameters. Types share parts, and a type that is small in memory can be endless
// when it is walked (`[1].map(x, {x: x}).map(x, {x: x})…`): hence the limit on steps.

import type { Type } from './type.ts';

/** Called for each part of a type that is visited; throws when there are too many. */
export type Step = () => void;

/** Whether both are the same type; a type and its wrapper are, because only null distinguishes them. */
export function isSameType(one: Type<unknown>, other: Type<unknown>, step: Step): boolean {
  if (one === other) return true;
  step();
  const left = withoutNull(one);
  const right = withoutNull(other);
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((inner, index) => isSameType(inner, right.parameters[index]!, step))
  );
}

/** Of two types that agree the one that says less. */
export function mostGeneral(one: Type<unknown>, other: Type<unknown>, step: Step): Type<unknown> {
  return isAtMostAsSpecific(one, other, step) ? one : other;
}

function isAtMostAsSpecific(one: Type<unknown>, other: Type<unknown>, step: Step): boolean {
  step();
  if (isDyn(one) || one.kind === 'parameter') return true;
  if (isDyn(other) || other.kind === 'parameter') return false;
  const left = withoutNull(one);
  const right = withoutNull(other);
  if (left.kind !== right.kind) return false;
  if (left.kind === 'type') return true;
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((inner, index) => isAtMostAsSpecific(inner, right.parameters[index]!, step))
  );
}

export function isDyn(type: Type<unknown>): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type<unknown>): boolean {
  return type.kind === 'error' || isDyn(type);
}

/** Returns the element type of an optional; undefined for any other type. */
export function optionalContent(type: Type<unknown>): Type<unknown> | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

/** Null is a value of wrappers, and represents absent messages and opaque values. */
export function isNullable(type: Type<unknown>): boolean {
  switch (type.kind) {
    case 'null':
    case 'wrapper':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return false;
  }
}

/** Returns the wrapped type of a wrapper; any other type unchanged. */
export function withoutNull(type: Type<unknown>): Type<unknown> {
  return type.kind === 'wrapper' ? type.parameters[0]! : type;
}
