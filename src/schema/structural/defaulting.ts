// Filling in: members that a custom resource's schema has a default for are added where they are missing, and where
// they are null although null is not a value. Objects that are not there are not made for the defaults in them.

import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';

/** Fills in the defaults of a schema. Changes its argument. @returns whether there was anything to fill in */
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

/** Whether a null gives way to the default. */
function takesDefault(part: SchemaPart): boolean {
  return !part.nullable && part.default !== undefined;
}
