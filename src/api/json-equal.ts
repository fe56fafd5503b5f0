// Equality of JSON values: regardless of member order; absent and undefined are equal.

import { allPass, hasParts, part } from '../base/resumed.ts';
import { ownMember } from './own-member.ts';

/** Values nested deeper are compared later, so that no value overflows the stack. */
const RECURSION_DEPTH = 500;

/** Whether two JSON values are equal. Within a computation in parts, the comparison of long ones is, too. */
export function equalJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return hasParts() ? equalInParts(one, other) : equalAtOnce(one, other);
}

function equalInParts(one: object, other: object): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return allPass(one, (item, index) => equalJson(item, other[index]));
  }
  const left = one as Record<string, unknown>;
  const right = other as Record<string, unknown>;
  const names = part(() => Object.keys(left));
  const others = part(() => Object.keys(right).length);
  if (!allPass(names, (name) => equalJson(ownMember(left, name), ownMember(right, name)))) return false;
  return part(() => {
    const defined = names.filter((name) => ownMember(left, name) !== undefined).length;
    return (defined === names.length && defined === others) || definedMembers(right) === defined;
  });
}

function equalAtOnce(one: object, other: object): boolean {
  const comparison = new Comparison();
  if (!comparison.equal(one, other)) return false;
  for (let next = comparison.deferred?.pop(); next !== undefined; next = comparison.deferred?.pop()) {
    if (!comparison.equal(next.one, next.other)) return false;
  }
  return true;
}

class Comparison {
  #depth = 0;
  /** Deeper values, still to be compared. */
  deferred: { readonly one: object; readonly other: object }[] | undefined;

  equal(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (this.#depth > RECURSION_DEPTH) {
      this.deferred ??= [];
      this.deferred.push({ one, other });
      return true;
    }
    this.#depth++;
    const isEqual =
      Array.isArray(one) || Array.isArray(other) ? this.#equalLists(one, other) : this.#equalObjects(one, other);
    this.#depth--;
    return isEqual;
  }

  #equalLists(one: unknown, other: unknown): boolean {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (!this.equal(one[index], other[index])) return false;
    return true;
  }

  #equalObjects(one: object, other: object): boolean {
    const left = one as Record<string, unknown>;
    const right = other as Record<string, unknown>;
    let members = 0;
    for (const key in left) {
      const value = left[key];
      if (value === undefined) continue;
      members++;
      const against = right[key];
      if (value === against) continue;
      // The only inherited property that could be mistaken for JSON.
      if (key === '__proto__' && !Object.hasOwn(right, key)) return false;
      if (!this.equal(value, against)) return false;
    }
    let others = 0;
    for (const _ in right) others++;
    return others === members || definedMembers(right) === members;
  }
}

function definedMembers(object: Readonly<Record<string, unknown>>): number {
  let members = 0;
  for (const key in object) if (object[key] !== undefined) members++;
  return members;
}
