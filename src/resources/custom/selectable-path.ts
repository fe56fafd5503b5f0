// Paths of selectable fields: field names leading to a scalar in the schema.

import { isObject } from '../../api/is-object.ts';
import type { JsonObject } from '../../api/object.ts';

const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];
const NO_FIELD = 'does not refer to a valid field';

/** Dots and brackets, quoted strings, and anything in between. */
const TOKEN = /[.[\]]|'(?:[^']*\\')*[^']*'|'[\s\S]*|[^.[\]]+/g;

/** The field names in a valid path. */
export function selectablePath(path: string): string[] {
  return path.match(TOKEN)?.filter((_, index) => index % 2 === 1) ?? [];
}

/** Why a path does not select a field of a schema; undefined if it does. */
export function selectableFault(path: string, schema: JsonObject): string | undefined {
  const tokens = path.match(TOKEN) ?? [];
  let here: JsonObject | undefined = schema;
  for (let index = 0; index < tokens.length; index += 2) {
    if (tokens[index] === '[') return invalidPath('array notation is not allowed');
    if (tokens[index] !== '.') return invalidPath(`expected [ or . but got: ${tokens[index]}`);
    const name = tokens[index + 1];
    if (name === undefined) return invalidPath('unexpected end of JSON path');
    here = memberOf(here, name);
    if (here === undefined) return invalidPath(NO_FIELD);
  }
  if (tokens[1] === 'metadata') return 'must not point to fields in metadata';
  if (SELECTABLE_TYPES.includes(here['type'] as string)) return undefined;
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}

function invalidPath(why: string): string {
  return `is an invalid path: ${why}`;
}

function memberOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.['properties'];
  if (isObject(properties) && Object.keys(properties).length > 0) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(declared) ? declared : undefined;
  }
  const additional = schema?.['additionalProperties'];
  return isObject(additional) ? additional : undefined;
}
