// Members that a body gives and stored objects do not have: lists and maps without items, and fields behind a gate that
// is off. Decoding leaves them out, as Kubernetes' storage does. Defaults and validation go before that: they see an empty
// list where one was given, and no list where not. Who owns what is told even before fields are dropped.

import type { Json, JsonObject } from '../api/object.ts';
import type { EmptyMember } from '../schema/decode.ts';

/** Runs with the empty members back in their places, as far as nothing else stands there now. */
export function withEmptyMembers<Result>(
  object: JsonObject,
  members: readonly EmptyMember[],
  run: () => Result,
): Result {
  if (members.length === 0) return run();
  return withPlaced(object, members.filter(isEmpty), run);
}

/**
 * Runs with what was given back in its place, as far as it can be owned: fields behind gates, and the empty lists and maps
 * of members that are always written.
 */
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

function isEmpty({ gated }: EmptyMember): boolean {
  return gated === undefined;
}

/** Null stands where a member is written that has nothing in it. */
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
      if (holder[name] !== value || (!isGated && Object.keys(value as object).length > 0)) continue;
      if (before === undefined) delete holder[name];
      else holder[name] = before;
    }
  }
}

interface Placed {
  readonly holder: JsonObject;
  readonly name: string;
  readonly value: Json;
  /** Null for members that are always written. */
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
