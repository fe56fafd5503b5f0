// JSON merge patch (RFC 7386) as Kubernetes applies it: objects merge member by member, null takes a member away,
// everything else replaces. Knows nothing of schemas.

import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { isObject, memberOf } from './object-member.ts';
import { notAPatch, nullPatch } from './patch-errors.ts';

/**
 * Checks a body that was parsed from JSON.
 * @throws ApiError 400 for anything but an object.
 */
export function parseMergePatch(value: unknown): JsonObject {
  if (value === null) throw nullPatch();
  if (!isObject(value)) throw notAPatch(value, 'value of type map[string]interface {}');
  return value;
}

/**
 * The document with the patch applied. Neither argument is changed; the result shares what stays the same with the
 * document and what is new with the patch, and is the document itself when the patch is empty.
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const names = Object.keys(patch);
  if (names.length === 0) return document;
  const result = { ...document };
  for (const name of names) {
    const value = patch[name] as Json;
    if (value === null) delete result[name];
    else setMember(result, name, merged(memberOf(result, name), value));
  }
  return inOrder(result);
}

/** The members by name: what a patch touches is a map in Go, and a text that may not change shows its order. */
function inOrder(object: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(object).sort()) setMember(result, name, object[name] as Json);
  return result;
}

// The nulls of a new value are dropped, but not where it takes the place of an object without being one: Kubernetes
// does so, and in a custom resource it shows.
function merged(current: Json | undefined, value: Json): Json {
  if (!isObject(current)) return withoutNulls(value);
  return isObject(value) ? applyMergePatch(current, value) : value;
}

/** The value without the null members of its objects at any depth; null items of lists stay. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort()) {
    const member = value[name] as Json;
    if (member !== null) setMember(result, name, withoutNulls(member));
  }
  return result;
}
