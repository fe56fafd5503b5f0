// The paths of selectable fields: members one after the other, down to one plain value of the schema.

import type { JsonObject } from '../../api/object.ts';
import { isObject } from '../value.ts';

const MEMBER = /^\.([A-Za-z_][A-Za-z0-9_-]*)/;
const QUOTED = /^\['((?:[^'\\]|\\.)*)'\]/;
const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];

/** The members that a path names. @throws Error that says what is wrong with it */
export function selectablePath(path: string): string[] {
  const members: string[] = [];
  let rest = path;
  while (rest !== '') {
    const found = MEMBER.exec(rest) ?? QUOTED.exec(rest);
    if (found === null) {
      if (/^\[\d/.test(rest)) throw new Error('array notation is not allowed');
      const token = /^[^.[\]]+/.exec(rest)?.[0] ?? rest;
      throw new Error(`expected [ or . but got: ${token}`);
    }
    members.push(found[1] as string);
    rest = rest.slice(found[0].length);
  }
  return members;
}

/** Why a path selects nothing of a schema; undefined where it does select. */
export function selectableFault(path: string, schema: JsonObject): string | undefined {
  let members: string[];
  try {
    members = selectablePath(path);
  } catch (error) {
    return `is an invalid path: ${error instanceof Error ? error.message : String(error)}`;
  }
  let here: JsonObject | undefined = schema;
  for (const name of members) here = memberOf(here, name);
  if (here === undefined) return 'is an invalid path: does not refer to a valid field';
  if (members[0] === 'metadata') return 'must not point to fields in metadata';
  if (SELECTABLE_TYPES.includes(here['type'] as string)) return undefined;
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}

function memberOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.['properties'];
  const declared = isObject(properties) ? properties[name] : undefined;
  if (isObject(declared)) return declared;
  const additional = schema?.['additionalProperties'];
  return isObject(additional) ? additional : undefined;
}
