// JSON merge patch (RFC 7386) as in Kubernetes: objects are merged member by member, null removes a member, everything
// else replaces. Independent of schemas.

import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { isObject, memberOf } from './object-member.ts';
import { notAPatch, nullPatch } from './patch-errors.ts';

/**
 * Checks a body parsed from JSON.
 * @throws ApiError 400 for anything but an object.
 */
export function parseMergePatch(value: unknown): JsonObject {
  if (value === null) throw nullPatch();
  if (!isObject(value)) throw notAPatch(value, 'value of type map[string]interface {}');
  return value;
}

/**
 * The document with the patch applied. Neither argument is modified; the result shares parts with both, and is the
 * document itself if the patch is empty.
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

/** Sorted members: what a patch touches is a Go map, and immutable opaque values expose its order. */
function inOrder(object: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(object).sort()) setMember(result, name, object[name] as Json);
  return result;
}

// The nulls of a new value are dropped, except if it replaces an object without being one: Kubernetes does so, and in a
// custom resource it is visible.
function merged(current: Json | undefined, value: Json): Json {
  if (!isObject(current)) return withoutNulls(value);
  return isObject(value) ? applyMergePatch(current, value) : value;
}

/** The value without null members of objects at any depth; null items of lists are kept. */
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
