// The type that `name{…}` makes: a struct, or a value that protobuf has a message for.

import type { NodeId } from '../syntax/expression.ts';
import { ERROR, type Type } from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import type { CheckIssues } from './check-issues.ts';
import type { Identifier } from './declarations.ts';

/** The type of what the name before the braces makes; ERROR, and an issue, for a name that makes nothing. */
export function structType(at: NodeId, { name, type: named }: Identifier, issues: CheckIssues): Type<unknown> {
  if (named.kind === 'error') return ERROR;
  if (named.kind !== 'type') {
    issues.add(at, `'${declaredName(named)}' is not a type`);
    return ERROR;
  }
  const type = named.parameters[0] ?? ERROR;
  if (type.kind === 'struct' || isWellKnown(type, name)) return type;
  issues.add(at, `'${declaredName(type)}' is not a message type`);
  return ERROR;
}

/** Whether `name{…}` makes one of the values that protobuf has messages for. */
function isWellKnown(type: Type<unknown>, name: string): boolean {
  switch (type.kind) {
    case 'any':
    case 'timestamp':
    case 'duration':
    case 'dyn':
    case 'null':
    case 'wrapper':
      return true;
    case 'list':
    case 'map':
      // The messages, not the types by their own names.
      return name !== type.name;
    default:
      return false;
  }
}

function declaredName(type: Type<unknown>): string {
  return type.kind === 'wrapper' ? typeText(type) : type.name;
}
