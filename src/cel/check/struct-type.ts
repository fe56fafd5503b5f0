// The type of `name{…}`: a struct, or a value that has a protobuf message.

import type { NodeId } from '../syntax/expression.ts';
import { ERROR, type Type } from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import type { CheckIssues } from './check-issues.ts';
import type { Identifier } from './declarations.ts';

/** The type created by a name before braces; ERROR, and an issue, for other names. */
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

/** Whether `name{…}` creates one of the values with protobuf messages. */
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
