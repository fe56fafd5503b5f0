// Defaulting of custom resources: sets missing fields with a default, and null ones that are not nullable. Absent
// objects are not created for the defaults in them. What defaults may add is limited: a list of a million empty objects
// is short, but each may get hundreds of defaults.

import { errors } from '../../api/errors.ts';
import { setMember } from '../../api/json-decoder.ts';
import { copyJson, stringifyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { limits } from '../../base/limits.ts';
import type { Steps } from '../../base/steps.ts';
import type { SchemaPart } from './schema-part.ts';

/**
 * Applies the defaults of a schema, in slices. Modifies its argument. @returns whether anything changed
 * @throws ApiError 413 if they add too much
 */
export function* fillingDefaults(value: Json, part: SchemaPart): Steps<boolean> {
  const defaults = new Defaults();
  let left: number = limits.membersInStep;
  const open: [Json, SchemaPart][] = [[value, part]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [within, place] = next;
    if (!place.hasDefaults || typeof within !== 'object' || within === null) continue;
    if (!Array.isArray(within)) {
      for (const [name, member] of place.properties) {
        if (--left < 0) {
          left = limits.membersInStep;
          yield;
        }
        if (isMissing(ownMember(within, name), member)) setMember(within, name, defaults.of(member, name));
      }
    }
    for (const name of Object.keys(within)) {
      if (--left < 0) {
        left = limits.membersInStep;
        yield;
      }
      const member = Array.isArray(within) ? place.items : place.member(name);
      if (member === undefined) continue;
      let given = ownMember(within as JsonObject, name) as Json;
      if (given === null && takesDefault(member)) {
        given = defaults.of(member, Array.isArray(within) ? '' : name);
        setMember(within as JsonObject, name, given);
      }
      if (typeof given === 'object') open.push([given, member]);
    }
  }
  return defaults.areFilled;
}

/** Whether a member has to get the default of its place. */
function isMissing(given: Json | undefined, member: SchemaPart): boolean {
  return member.default !== undefined && (given === undefined || (given === null && takesDefault(member)));
}

/** The characters of a default, by schema place: only a cache. */
const sizes = new WeakMap<SchemaPart, number>();

/** The defaults that an object gets. */
class Defaults {
  areFilled = false;
  #left: number = limits.defaultedCharacters;

  /** A copy for the member of that name. @throws ApiError 413 */
  of(part: SchemaPart, name: string): Json {
    const value = part.default as Json;
    let size = sizes.get(part);
    if (size === undefined) sizes.set(part, (size = stringifyJson(value).length));
    this.#left -= size + name.length;
    if (this.#left < 0) {
      throw errors.bodyTooLarge(`the defaults of the schema add more than ${limits.defaultedCharacters} characters`);
    }
    this.areFilled = true;
    return copyJson(value);
  }
}

/** Whether a null is replaced by the default. */
function takesDefault(part: SchemaPart): boolean {
  return !part.nullable && part.default !== undefined;
}
