// Pruning of custom resources: removes undeclared fields, and nulls that are neither nullable nor replaced by a
// default. Modifies its argument and returns the paths of removed fields. With an explicit stack, so that long objects are
// pruned in slices and deep ones at all.

import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { limits } from '../../base/limits.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import type { SchemaPart } from './schema-part.ts';
import { ValuePath } from './value-path.ts';

/** Fields of every object, which schemas need not declare. */
const OBJECT_MEMBERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A list or an object that is pruned. */
interface Place {
  readonly value: Json[] | JsonObject;
  readonly part: SchemaPart | undefined;
  /** Whether all fields are kept, and only those within declared ones pruned. */
  readonly keeps: boolean;
  /** Whether it is a whole object, with kind, apiVersion and metadata. */
  readonly isObject: boolean;
  readonly within: Place | undefined;
  /** The name or index within the place around it. */
  readonly step: string | number;
}

/**
 * Removes undeclared fields.
 *
 * @param isObject whether the value is a whole object, with kind, apiVersion and metadata
 * @returns the paths of removed fields, sorted
 */
export function prune(value: Json, part: SchemaPart, isObject: boolean): string[] {
  return atOnce(pruning(value, part, isObject));
}

/** Like prune, in slices. */
export function* pruning(value: Json, part: SchemaPart, isObject: boolean): Steps<string[]> {
  if (typeof value !== 'object' || value === null) return [];
  const unknown: string[] = [];
  const root = { value, part, keeps: part.preserves, isObject: isObject || part.embedded, within: undefined, step: '' };
  const open: Place[] = [root];
  let left: number = limits.membersInStep;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const steps: readonly (string | number)[] = Array.isArray(place.value) ? [...place.value.keys()] : stepsOf(place);
    if (steps.length > limits.membersInStep) yield;
    for (const step of steps) {
      if (--left < 0) {
        left = limits.membersInStep;
        yield;
      }
      const member = memberAt(place, step);
      if (member === 'unknown') {
        unknown.push(pathTo(place, step));
        delete (place.value as JsonObject)[step];
      } else if (member !== undefined) open.push(member);
    }
  }
  return unknown.sort();
}

/** The names of the members that may have to be removed or pruned. */
function stepsOf({ value, part, keeps }: Place): string[] {
  return keeps && part?.hasMembers !== true ? [] : Object.keys(value);
}

/** What is within a place, if it is to be pruned. */
function memberAt(place: Place, step: string | number): Place | 'unknown' | undefined {
  const { part, keeps, isObject } = place;
  const value = (place.value as JsonObject)[step] as Json | undefined;
  if (typeof step === 'number') {
    if (!isOpen(value) || (keeps && part?.items === undefined)) return undefined;
    // What is in a list that keeps its fields is kept, too.
    const items = part?.items;
    const preserves = keeps || items?.preserves === true;
    return { value, part: items, keeps: preserves, isObject: items?.embedded === true, within: place, step };
  }
  // A JSON patch may have copied metadata, whose absent members are undefined.
  if (value === undefined || (isObject && OBJECT_MEMBERS.has(step))) return undefined;
  const member = part?.member(step);
  if (keeps && member === undefined) return undefined;
  if (member === undefined && (part?.additional ?? false) === false) return 'unknown';
  if (!isOpen(value)) return undefined;
  const preserves = member?.preserves === true;
  return { value, part: member, keeps: preserves, isObject: member?.embedded === true, within: place, step };
}

function isOpen(value: Json | undefined): value is Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

function pathTo(place: Place, step: string | number): string {
  const steps = [step];
  for (let each: Place = place; each.within !== undefined; each = each.within) steps.push(each.step);
  const path = new ValuePath();
  for (const each of steps.reverse()) path.enter(each);
  return path.text();
}

/**
 * Removes null fields that are neither nullable nor defaulted; list items are kept.
 *
 * @returns whether anything was removed
 */
export function* pruningNulls(value: Json, part: SchemaPart): Steps<boolean> {
  let changed = false;
  let left: number = limits.membersInStep;
  const open: [Json, SchemaPart][] = [[value, part]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [within, place] = next;
    if (!isOpen(within) || (Array.isArray(within) ? place.items === undefined : !place.hasMembers)) continue;
    const names = Object.keys(within);
    if (names.length > limits.membersInStep) yield;
    for (const name of names) {
      if (--left < 0) {
        left = limits.membersInStep;
        yield;
      }
      const member = Array.isArray(within) ? place.items : place.member(name);
      if (member === undefined) continue;
      const given = ownMember(within as JsonObject, name) as Json;
      if (isOpen(given)) open.push([given, member]);
      else if (given === null && !Array.isArray(within) && !member.nullable && member.default === undefined) {
        delete within[name];
        changed = true;
      }
    }
  }
  return changed;
}
