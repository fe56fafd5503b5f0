// Formatting of types in errors: `map(string, list(int))`, `wrapper(int)`, `timestamp`.

import type { Type } from './type.ts';

/** The name of a type in cel-go's messages, if it differs from its run-time name. */
export function typeText(type: Type<unknown>): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'timestamp':
      return 'timestamp';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'wrapper':
      return `wrapper(${type.name})`;
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${listText(type.parameters)})`;
  }
}

/** The name of a type in Kubernetes' messages about results: `list(google.protobuf.Duration)`, `null_type`. */
export function declaredTypeText(type: Type<unknown>): string {
  if (type.kind === 'wrapper') return typeText(type);
  const parameters = type.parameters.map(declaredTypeText);
  return parameters.length === 0 ? type.name : `${type.name}(${parameters.join(', ')})`;
}

/** A call's operand types: `(int, string)`, of a method `string.(int)`. */
export function operandsText(operands: readonly Type<unknown>[], method: boolean): string {
  const [receiver, ...rest] = operands;
  return method && receiver !== undefined ? `${typeText(receiver)}.(${listText(rest)})` : `(${listText(operands)})`;
}

function listText(types: readonly Type<unknown>[]): string {
  return types.map(typeText).join(', ');
}
