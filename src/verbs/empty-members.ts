// Lists and maps that a body gives as empty. Stored objects have none: decoding leaves them out, as Kubernetes' storage
// does. Defaults and validation go before that: they see an empty list where one was given, and no list where not.

import type { Json, JsonObject } from '../api/object.ts';
import type { EmptyMember } from '../schema/decode.ts';

/** Runs with the empty members back in their places, as far as nothing else stands there now. */
export function withEmptyMembers<Result>(
  object: JsonObject,
  members: readonly EmptyMember[],
  run: () => Result,
): Result {
  if (members.length === 0) return run();
  const placed = members.map((member) => place(object, member)).filter((each) => each !== undefined);
  try {
    return run();
  } finally {
    for (const { holder, name, value, before } of placed) {
      if (holder[name] !== value || Object.keys(value).length > 0) continue;
      if (before === undefined) delete holder[name];
      else holder[name] = before;
    }
  }
}

interface Placed {
  readonly holder: JsonObject;
  readonly name: string;
  readonly value: Json[] | JsonObject;
  /** Null for members that are always written. */
  readonly before: Json | undefined;
}

function place(object: JsonObject, { path, isList }: EmptyMember): Placed | undefined {
  const name = String(path.at(-1));
  let holder: Json | undefined = object;
  for (const step of path.slice(0, -1)) holder = memberOf(holder, String(step));
  if (typeof holder !== 'object' || holder === null || (memberOf(holder, name) ?? null) !== null) return undefined;
  const before = memberOf(holder, name);
  const value: Json[] | JsonObject = isList ? [] : {};
  const owner = holder as JsonObject;
  owner[name] = value;
  return { holder: owner, name, value, before };
}

function memberOf(holder: Json | undefined, name: string): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as JsonObject)[name];
}
