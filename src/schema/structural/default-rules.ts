// Validation of defaults by their own schema: pruned, of the right types, within the limits.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import { withSortedMembers } from '../../api/member-order.ts';
import type { Json } from '../../api/object.ts';
import type { StructNode } from '../node.ts';
import { EmbeddedObjectError, readEmbedded, validateEmbedded } from './embedded-objects.ts';
import { prune } from './pruning.ts';
import type { SchemaPart } from './schema-part.ts';
import { validateValue } from './validation.ts';

interface DefaultChecks {
  /** The type of metadata. */
  readonly objectMeta: StructNode;
  /** Errors of the validation rules for a default. */
  readonly ruleErrors: (value: Json, part: SchemaPart, field: string) => readonly FieldError[];
}

/** Errors in all defaults of a structural schema. A default of the root is an embedded object with a kind. */
export function defaultErrors(root: SchemaPart, field: string, checks: DefaultChecks): FieldError[] {
  return defaultErrorsBelow(root.default === undefined ? root : root.asEmbedded(), field, checks);
}

function defaultErrorsBelow(part: SchemaPart, field: string, checks: DefaultChecks): FieldError[] {
  const found: FieldError[] = [];
  if (!part.hasDefaults) return found;
  if (part.default !== undefined) found.push(...ownDefaultErrors(part, `${field}.default`, checks));
  if (part.items !== undefined) found.push(...defaultErrorsBelow(part.items, `${field}.items`, checks));
  for (const [name, member] of part.properties) {
    found.push(...defaultErrorsBelow(member, `${field}.properties[${name}]`, checks));
  }
  return found;
}

function ownDefaultErrors(part: SchemaPart, field: string, { objectMeta, ruleErrors }: DefaultChecks): FieldError[] {
  const found: FieldError[] = [];
  const value = part.default as Json;
  const copy = copyJson(value);
  prune(copy, part, part.embedded);
  if (!equalJson(copy, value)) {
    found.push(fieldError.invalid(field, withSortedMembers(value), 'must not have unknown fields'));
  }
  try {
    readEmbedded(copy, part, objectMeta);
  } catch (error) {
    if (!(error instanceof EmbeddedObjectError)) throw error;
    return [...found, within(field, error.fault)];
  }
  const inside = validateEmbedded(copy, part);
  if (inside.length > 0) return [...found, ...inside.map((each) => within(field, each))];
  const faults = validateValue(value, part, { field });
  return [...found, ...(faults.length > 0 || !part.hasRules ? faults : ruleErrors(value, part, field))];
}

/** An error of the value at a field. */
function within(field: string, fault: FieldError): FieldError {
  return { ...fault, field: `${field}${/^[.[]/.test(fault.field) ? '' : '.'}${fault.field}` };
}
