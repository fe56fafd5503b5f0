// Filling in: members that a custom resource's schema has a default for are added where they are missing, and where
// they are null although null is no value. Objects that are not there are not made for the defaults in them.

import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';

/** Fills in the defaults of a schema. Changes its argument. */
export function fillDefaults(value: Json, part: SchemaPart): void {
  if (!part.hasDefaults || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) fillItems(value, part.items);
  else fillMembers(value, part);
}

function fillItems(items: Json[], part: SchemaPart | undefined): void {
  if (part === undefined) return;
  for (const [index, item] of items.entries()) {
    if (item === null && takesDefault(part)) items[index] = copyJson(part.default as Json);
    fillDefaults(items[index] as Json, part);
  }
}

function fillMembers(object: JsonObject, part: SchemaPart): void {
  for (const [name, member] of part.properties) {
    if (member.default === undefined) continue;
    const given = object[name];
    if (given === undefined || (given === null && takesDefault(member))) object[name] = copyJson(member.default);
  }
  for (const name of Object.keys(object)) {
    const member = part.member(name);
    if (member === undefined) continue;
    if (object[name] === null && takesDefault(member)) object[name] = copyJson(member.default as Json);
    fillDefaults(object[name] as Json, member);
  }
}

/** Whether a null gives way to the default. */
function takesDefault(part: SchemaPart): boolean {
  return !part.nullable && part.default !== undefined;
}
