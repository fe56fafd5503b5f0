// Fields that a body contains but stored objects do not: empty lists and maps, and fields behind a disabled gate.
// Decoding drops them, as Kubernetes' storage does. Defaulting and validation, which come before storage, distinguish
// an empty list from an absent one, and field ownership is determined even before fields are dropped.

import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import type { EmptyMember } from '../schema/decode.ts';

/** Runs with the empty fields restored where nothing else has been set since. */
export function withEmptyMembers<Result>(
  object: JsonObject,
  members: readonly EmptyMember[],
  run: () => Result,
): Result {
  if (members.length === 0) return run();
  return withPlaced(object, members.filter(isEmpty), run);
}

/** Runs with all fields restored that can be owned: those behind gates, and empty lists and maps of required fields. */
export function withOwnedMembers<Result>(
  object: JsonObject,
  members: readonly EmptyMember[],
  run: () => Result,
): Result {
  if (members.length === 0) return run();
  return withPlaced(
    object,
    members.filter((member) => !isEmpty(member) || isAlwaysWritten(object, member)),
    run,
  );
}

/** Whether nothing else, such as a default, has been set in place of an empty field. */
export function isStillEmpty(object: JsonObject, { path }: EmptyMember): boolean {
  let at: Json | undefined = object;
  for (const step of path) at = memberOf(at, String(step));
  return (at ?? null) === null;
}

function isEmpty({ gated }: EmptyMember): boolean {
  return gated === undefined;
}

/** Null marks a required field that is empty. */
function isAlwaysWritten(object: JsonObject, { path }: EmptyMember): boolean {
  let at: Json | undefined = object;
  for (const step of path) at = memberOf(at, String(step));
  return at === null;
}

function withPlaced<Result>(object: JsonObject, members: readonly EmptyMember[], run: () => Result): Result {
  const placed = members.map((member) => place(object, member)).filter((each) => each !== undefined);
  try {
    return run();
  } finally {
    for (const { holder, name, value, before, isGated } of placed) {
      if (ownMember(holder, name) !== value || (!isGated && Object.keys(value as object).length > 0)) continue;
      if (before === undefined) delete holder[name];
      else holder[name] = before;
    }
  }
}

interface Placed {
  readonly holder: JsonObject;
  readonly name: string;
  readonly value: Json;
  /** Null for required fields. */
  readonly before: Json | undefined;
  readonly isGated: boolean;
}

function place(object: JsonObject, { path, isList, gated }: EmptyMember): Placed | undefined {
  const name = String(path.at(-1));
  let holder: Json | undefined = object;
  for (const step of path.slice(0, -1)) holder = memberOf(holder, String(step));
  if (typeof holder !== 'object' || holder === null || (memberOf(holder, name) ?? null) !== null) return undefined;
  const before = memberOf(holder, name);
  const value: Json = gated ?? (isList ? [] : {});
  const owner = holder as JsonObject;
  owner[name] = value;
  return { holder: owner, name, value, before, isGated: gated !== undefined };
}

function memberOf(holder: Json | undefined, name: string): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as JsonObject)[name];
}
