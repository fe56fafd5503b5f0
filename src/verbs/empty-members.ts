// Fields that a body contains but stored objects do not: empty lists and maps, and fields behind a disabled gate.
// Decoding drops them, as Kubernetes' storage does. Defaulting and validation, which come before storage, distinguish
// an empty list from an absent one, and field ownership is determined even before fields are dropped. They read the
// object as it was given: a copy that has these fields, and shares with the object what does not hold one.

import type { Json, JsonObject } from '../api/object.ts';
import { part } from '../base/resumed.ts';
import type { EmptyMember } from '../schema/decode.ts';

/**
 * What `read` concludes from the object with the empty fields that it was given, where nothing else has been set since.
 * Values in the result, such as those that errors quote, are without them, as JSON is.
 */
export function withEmptyMembers<T extends JsonObject, Result>(
  object: T,
  members: readonly EmptyMember[],
  read: (given: T) => Result,
): Result {
  if (members.length === 0) return read(object);
  // A copy for each run of a computation in slices, because the last one may have come to the end of this.
  const given = new Given(object, members.filter(isEmpty));
  const result = read(given.object);
  given.dropEmpty();
  return result;
}

/** The object with all fields that can be owned: those behind gates, and empty lists and maps of required fields. */
export function withOwnedMembers<T extends JsonObject>(object: T, members: readonly EmptyMember[]): T {
  if (members.length === 0) return object;
  return part(() => {
    const owned = members.filter((member) => !isEmpty(member) || memberAt(object, member.path) === null);
    return new Given(object, owned).object;
  });
}

/**
 * The object after `fill`, which sees its empty fields and modifies what it is given; those that stay empty are not in
 * the result. Parts of the argument are reused.
 */
export function filled<T extends JsonObject>(object: T, members: readonly EmptyMember[], fill: (object: T) => void): T {
  if (members.length === 0) {
    fill(object);
    return object;
  }
  const given = part(() => new Given(object, members.filter(isEmpty)));
  fill(given.object);
  given.dropEmpty();
  return given.object;
}

/** Whether nothing else, such as a default, has been set in place of an empty field. */
export function isStillEmpty(object: JsonObject, { path }: EmptyMember): boolean {
  return (memberAt(object, path) ?? null) === null;
}

function isEmpty({ gated }: EmptyMember): boolean {
  return gated === undefined;
}

type Holder = JsonObject | Json[];

interface Placed {
  readonly holder: JsonObject;
  readonly name: string;
  readonly value: Json;
  /** Whether null stands for it in the object, because it is required. */
  readonly isRequired: boolean;
}

/** A copy of an object with some of the fields that it was given. */
class Given<T extends JsonObject> {
  readonly object: T;
  readonly #copies = new Set<Holder>();
  readonly #placed: Placed[] = [];

  constructor(object: T, members: readonly EmptyMember[]) {
    this.object = this.#own(object) as T;
    for (const member of members) this.#place(member);
  }

  /** Removes the fields that are still empty. */
  dropEmpty(): void {
    for (const { holder, name, value, isRequired } of this.#placed) {
      if (memberOf(holder, name) !== value || Object.keys(value as object).length > 0) continue;
      if (isRequired) holder[name] = null;
      else delete holder[name];
    }
  }

  #place({ path, isList, gated }: EmptyMember): void {
    const name = String(path.at(-1));
    const around = path.slice(0, -1);
    const found = memberAt(this.object, around);
    if (typeof found !== 'object' || found === null || (memberOf(found, name) ?? null) !== null) return;
    const holder = this.#ownAt(around);
    const isRequired = memberOf(holder, name) === null;
    const value: Json = gated ?? (isList ? [] : {});
    holder[name] = value;
    this.#placed.push({ holder, name, value, isRequired });
  }

  /** Copies what is on the way to a list or map that exists. */
  #ownAt(path: readonly (string | number)[]): JsonObject {
    let holder = this.object as JsonObject;
    for (const step of path) {
      const name = String(step);
      const copy = this.#own(memberOf(holder, name) as Holder) as JsonObject;
      holder[name] = copy;
      holder = copy;
    }
    return holder;
  }

  #own(holder: Holder): Holder {
    if (this.#copies.has(holder)) return holder;
    const copy = Array.isArray(holder) ? [...holder] : { ...holder };
    this.#copies.add(copy);
    return copy;
  }
}

function memberAt(object: JsonObject, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = object;
  for (const step of path) at = memberOf(at, String(step));
  return at;
}

function memberOf(holder: Json | undefined, name: string): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as JsonObject)[name];
}
