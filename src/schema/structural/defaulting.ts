// Defaulting of custom resources: sets missing fields with a default, and null ones that are not nullable. Absent
// objects are not created for the defaults in them.

import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';

/** Applies the defaults of a schema. Modifies its argument. @returns whether anything changed */
export function fillDefaults(value: Json, part: SchemaPart): boolean {
  if (!part.hasDefaults || typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? fillItems(value, part.items) : fillMembers(value, part);
}

function fillItems(items: Json[], part: SchemaPart | undefined): boolean {
  if (part === undefined) return false;
  let filled = false;
  for (const [index, item] of items.entries()) {
    if (item === null && takesDefault(part)) {
      items[index] = copyJson(part.default as Json);
      filled = true;
    }
    if (fillDefaults(items[index] as Json, part)) filled = true;
  }
  return filled;
}

function fillMembers(object: JsonObject, part: SchemaPart): boolean {
  let filled = false;
  for (const [name, member] of part.properties) {
    if (member.default === undefined) continue;
    const given = object[name];
    if (given !== undefined && (given !== null || !takesDefault(member))) continue;
    object[name] = copyJson(member.default);
    filled = true;
  }
  for (const name of Object.keys(object)) {
    const member = part.member(name);
    if (member === undefined) continue;
    if (object[name] === null && takesDefault(member)) {
      object[name] = copyJson(member.default as Json);
      filled = true;
    }
    if (fillDefaults(object[name] as Json, member)) filled = true;
  }
  return filled;
}

/** Whether a null is replaced by the default. */
function takesDefault(part: SchemaPart): boolean {
  return !part.nullable && part.default !== undefined;
}
