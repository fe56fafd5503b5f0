// Defaulting of custom resources: sets missing fields with a default, and null ones that are not nullable. Absent
// objects are not created for the defaults in them. What defaults may add is limited: a list of a million empty objects
// is short, but each may get hundreds of defaults.

import { errors } from '../../api/errors.ts';
import { setMember } from '../../api/json-decoder.ts';
import { copyJson, stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { limits } from '../../base/limits.ts';
import type { SchemaPart } from './schema-part.ts';

/**
 * Applies the defaults of a schema. Modifies its argument. @returns whether anything changed
 * @throws ApiError 413 if they add too much
 */
export function fillDefaults(value: Json, part: SchemaPart): boolean {
  return new Filling().fill(value, part);
}

/** The characters of a default, by schema place: only a cache. */
const sizes = new WeakMap<SchemaPart, number>();

class Filling {
  #left: number = limits.defaultedCharacters;

  fill(value: Json, part: SchemaPart): boolean {
    if (!part.hasDefaults || typeof value !== 'object' || value === null) return false;
    return Array.isArray(value) ? this.#fillItems(value, part.items) : this.#fillMembers(value, part);
  }

  #fillItems(items: Json[], part: SchemaPart | undefined): boolean {
    if (part === undefined) return false;
    let filled = false;
    for (const [index, item] of items.entries()) {
      if (item === null && takesDefault(part)) {
        items[index] = this.#defaultOf(part, '');
        filled = true;
      }
      if (this.fill(items[index] as Json, part)) filled = true;
    }
    return filled;
  }

  #fillMembers(object: JsonObject, part: SchemaPart): boolean {
    let filled = false;
    for (const [name, member] of part.properties) {
      if (member.default === undefined) continue;
      const given = ownMember(object, name);
      if (given !== undefined && (given !== null || !takesDefault(member))) continue;
      setMember(object, name, this.#defaultOf(member, name));
      filled = true;
    }
    for (const name of Object.keys(object)) {
      const member = part.member(name);
      if (member === undefined) continue;
      if (object[name] === null && takesDefault(member)) {
        object[name] = this.#defaultOf(member, name);
        filled = true;
      }
      if (this.fill(object[name] as Json, member)) filled = true;
    }
    return filled;
  }

  /** A copy for the member of that name. */
  #defaultOf(part: SchemaPart, name: string): Json {
    const value = part.default as Json;
    let size = sizes.get(part);
    if (size === undefined) sizes.set(part, (size = stringifyJson(value).length));
    this.#left -= size + name.length;
    if (this.#left < 0) {
      throw errors.bodyTooLarge(`the defaults of the schema add more than ${limits.defaultedCharacters} characters`);
    }
    return copyJson(value);
  }
}

/** Whether a null is replaced by the default. */
function takesDefault(part: SchemaPart): boolean {
  return !part.nullable && part.default !== undefined;
}
