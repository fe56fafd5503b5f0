// Pruning of custom resources: removes undeclared fields, and nulls that are neither nullable nor replaced by a
// default. Modifies its argument and returns the paths of removed fields.

import type { Json, JsonObject } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';
import { ValuePath } from './value-path.ts';

/** Fields of every object, which schemas need not declare. */
const OBJECT_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes undeclared fields.
 *
 * @param isObject whether the value is a whole object, with kind, apiVersion and metadata
 * @returns the paths of removed fields, sorted
 */
export function prune(value: Json, part: SchemaPart, isObject: boolean): string[] {
  const pruner = new Pruner();
  pruner.visitRoot(value, part, isObject);
  return pruner.unknown.sort();
}

class Pruner {
  readonly unknown: string[] = [];
  readonly #path = new ValuePath();

  visitRoot(value: Json, part: SchemaPart, isObject: boolean): void {
    if (part.preserves) this.#keep(value, part, isObject || part.embedded);
    else this.#visit(value, part, isObject || part.embedded);
  }

  #visit(value: Json, part: SchemaPart | undefined, isObject: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.#visitItems(value, part?.items);
    else this.#visitMembers(value, part, isObject);
  }

  #visitItems(items: readonly Json[], part: SchemaPart | undefined): void {
    for (const [index, item] of items.entries()) {
      if (typeof item !== 'object') continue;
      this.#path.enter(index);
      this.#below(item, part);
      this.#path.leave();
    }
  }

  #visitMembers(object: JsonObject, part: SchemaPart | undefined, isObject: boolean): void {
    for (const name of Object.keys(object)) {
      // A JSON patch may have copied metadata, whose absent members are undefined.
      if (object[name] === undefined || (isObject && OBJECT_MEMBERS.has(name))) continue;
      const member = part?.properties.get(name);
      const isKnown = member !== undefined || (part?.additional !== undefined && part.additional !== false);
      this.#path.enter(name);
      if (isKnown) {
        this.#below(object[name] as Json, member ?? part?.member(name));
      } else {
        this.unknown.push(this.#path.text());
        delete object[name];
      }
      this.#path.leave();
    }
  }

  #below(value: Json, part: SchemaPart | undefined): void {
    if (part?.preserves) this.#keep(value, part, part.embedded);
    else this.#visit(value, part, part?.embedded === true);
  }

  /** Keeps all fields, and prunes those that the schema declares. */
  #keep(value: Json, part: SchemaPart, isObject: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      if (part.items !== undefined) this.#keepItems(value, part.items);
      return;
    }
    if (!part.hasMembers) return;
    for (const name of Object.keys(value)) {
      if (isObject && OBJECT_MEMBERS.has(name)) continue;
      const member = part.member(name);
      if (member === undefined) continue;
      this.#path.enter(name);
      this.#below(value[name] as Json, member);
      this.#path.leave();
    }
  }

  #keepItems(items: readonly Json[], part: SchemaPart): void {
    for (const [index, item] of items.entries()) {
      this.#path.enter(index);
      this.#keep(item, part, part.embedded);
      this.#path.leave();
    }
  }
}

/**
 * Removes null fields that are neither nullable nor defaulted; list items are kept.
 *
 * @returns whether anything was removed
 */
export function pruneNulls(value: Json, part: SchemaPart): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let changed = false;
  if (Array.isArray(value)) {
    if (part.items === undefined) return false;
    for (const item of value) if (pruneNulls(item, part.items)) changed = true;
    return changed;
  }
  if (!part.hasMembers) return false;
  for (const name of Object.keys(value)) {
    const member = part.member(name);
    if (member === undefined) continue;
    const given = value[name] as Json;
    if (given !== null) {
      if (pruneNulls(given, member)) changed = true;
    } else if (!member.nullable && member.default === undefined) {
      delete value[name];
      changed = true;
    }
  }
  return changed;
}
