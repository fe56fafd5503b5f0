// Validation of defaults by their own schema: pruned, of the right types, within the limits.

import { type FieldError, fieldError, fieldErrorBody } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import { withSortedMembers } from '../../api/member-order.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { StructNode } from '../node.ts';
import { EmbeddedObjectError, readEmbedded, validateEmbedded } from './embedded-objects.ts';
import type { CompiledPatterns } from './pattern.ts';
import { prune } from './pruning.ts';
import type { SchemaPart } from './schema-part.ts';
import { validateValue } from './validation.ts';

interface DefaultChecks {
  /** The type of metadata. */
  readonly objectMeta: StructNode;
  /** Those of the server. */
  readonly patterns: CompiledPatterns | undefined;
  /** Errors of the validation rules for a default. */
  readonly ruleErrors: (value: Json, part: SchemaPart, field: string) => readonly FieldError[];
}

/** Where a part stands. */
interface Place {
  readonly field: string;
  /** What a value there is part of: within the nearest object, the whole of it. */
  readonly around: (value: Json) => JsonObject;
  readonly root: SchemaPart;
  /** Whether that is its metadata, version or kind: they are judged with the whole object. */
  readonly isOfObject: boolean;
}

const OBJECT_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Errors in all defaults of a structural schema. A default of the root is an embedded object with a kind. */
export function defaultErrors(root: SchemaPart, field: string, checks: DefaultChecks): FieldError[] {
  const object = root.asEmbedded();
  return defaultErrorsBelow(object, objectPlace(object, field), checks);
}

/** The place of an object: what is missing of its type is made up. */
function objectPlace(root: SchemaPart, field: string): Place {
  const around = (value: Json) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject) });
  return { field, around, root, isOfObject: false };
}

function defaultErrorsBelow(part: SchemaPart, given: Place, checks: DefaultChecks): FieldError[] {
  const found: FieldError[] = [];
  if (!part.hasDefaults) return found;
  const { field } = given;
  const place = part.embedded ? objectPlace(part, field) : given;
  if (part.default !== undefined) {
    const own = place.isOfObject ? objectDefaultErrors : ownDefaultErrors;
    found.push(...own(part, { ...place, field: `${field}.default` }, checks));
  }
  const { items } = part;
  if (items !== undefined) {
    const around = (value: Json) => place.around([value]);
    found.push(...defaultErrorsBelow(items, { ...place, field: `${field}.items`, around }, checks));
  }
  for (const [name, member] of part.properties) {
    const isOfObject = place.isOfObject || (part.embedded && OBJECT_MEMBERS.has(name));
    const around = (value: Json) => place.around({ [name]: value });
    const below = { ...place, field: `${field}.properties[${name}]`, around, isOfObject };
    found.push(...defaultErrorsBelow(member, below, checks));
  }
  return found;
}

/** The faults of a default in what every object has, which make an object of that kind a bad one. */
function objectDefaultErrors(part: SchemaPart, { field, around, root }: Place, checks: DefaultChecks): FieldError[] {
  const value = part.default as Json;
  const refuse = (why: string) => [
    fieldError.invalid(field, withSortedMembers(value), `must result in valid metadata: ${why}`),
  ];
  const object = around(copyJson(value));
  try {
    readEmbedded(object, root, checks);
  } catch (error) {
    if (!(error instanceof EmbeddedObjectError)) throw error;
    return refuse(textOf(error.fault));
  }
  const faults = validateEmbedded(object, root, checks.objectMeta).map(textOf);
  if (faults.length > 0) return refuse(faults.length === 1 ? faults[0]! : `[${faults.join(', ')}]`);
  return [...valueErrors(part, field, checks)];
}

function textOf(fault: FieldError): string {
  return `${fault.field.replace(/^\./, '')}: ${fieldErrorBody(fault)}`;
}

function ownDefaultErrors(part: SchemaPart, { field }: Place, checks: DefaultChecks): FieldError[] {
  const found: FieldError[] = [];
  const value = part.default as Json;
  const copy = copyJson(value);
  prune(copy, part, part.embedded);
  if (!equalJson(copy, value)) {
    found.push(fieldError.invalid(field, withSortedMembers(value), 'must not have unknown fields'));
  }
  try {
    readEmbedded(copy, part, checks);
  } catch (error) {
    if (!(error instanceof EmbeddedObjectError)) throw error;
    return [...found, within(field, error.fault)];
  }
  const inside = validateEmbedded(copy, part, checks.objectMeta);
  if (inside.length > 0) return [...found, ...inside.map((each) => within(field, each))];
  return [...found, ...valueErrors(part, field, checks)];
}

function valueErrors(part: SchemaPart, field: string, { patterns, ruleErrors }: DefaultChecks): readonly FieldError[] {
  const value = part.default as Json;
  const faults = validateValue(value, part, { field, isDefault: true, patterns });
  return faults.length > 0 || !part.hasRules ? faults : ruleErrors(value, part, field);
}

/** An error of the value at a field. */
function within(field: string, fault: FieldError): FieldError {
  return { ...fault, field: `${field}${/^[.[]/.test(fault.field) ? '' : '.'}${fault.field}` };
}
