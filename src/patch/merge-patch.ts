// JSON merge patch (RFC 7386) as in Kubernetes: objects are merged member by member, null removes a member, everything
// else replaces. Independent of schemas.

import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { sortingTexts } from '../base/sorting.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { notAMergePatch, notAPatch } from './patch-errors.ts';

/**
 * Checks a body parsed from JSON. A list that is not checked replaces the whole object.
 * @throws ApiError 400 for anything but an object, or a list that is not checked
 */
export function parseMergePatch(value: Json, { isChecked }: { readonly isChecked: boolean }): JsonObject | Json[] {
  if (value === null) throw notAMergePatch();
  if (isObject(value)) return value;
  if (isChecked) throw notAPatch(value, 'value of type map[string]interface {}');
  if (!Array.isArray(value)) throw notAMergePatch();
  return value.map((item) => atOnce(withoutNulls(item)));
}

/** An object being patched. */
interface Merge {
  readonly patch: JsonObject;
  readonly names: readonly string[];
  at: number;
  readonly result: JsonObject;
  /** Its name in the object around it. */
  readonly name: string;
}

/**
 * The document with the patch applied, in slices. Neither argument is modified; the result shares parts with both, and is
 * the document itself if the patch is empty. Iterative, because patches may be deeply nested.
 */
export function* applyingMergePatch(document: JsonObject, patch: JsonObject): Steps<JsonObject> {
  const names = Object.keys(patch);
  if (names.length === 0) return document;
  const merges: Merge[] = [{ patch, names, at: 0, result: { ...document }, name: '' }];
  let left: number = limits.membersInStep;
  for (;;) {
    const merge = merges.at(-1) as Merge;
    const { result } = merge;
    if (--left < 0) {
      left = limits.membersInStep;
      yield;
    }
    if (merge.at === merge.names.length) {
      merges.pop();
      const ordered = yield* inOrder(result);
      const around = merges.at(-1);
      if (around === undefined) return ordered;
      setMember(around.result, merge.name, ordered);
      continue;
    }
    const name = merge.names[merge.at++] as string;
    const value = ownMember(merge.patch, name) as Json;
    if (value === null) delete result[name];
    else if (typeof value !== 'object') setMember(result, name, value);
    else {
      const current = ownMember(result, name);
      // The nulls of a new value are dropped, but not where it takes the place of an object without being one:
      // Kubernetes does so, and in a custom resource it shows.
      if (!isObject(current)) setMember(result, name, yield* withoutNulls(value));
      else if (!isObject(value)) setMember(result, name, value);
      else {
        const inner = Object.keys(value);
        if (inner.length > 0) merges.push({ patch: value, names: inner, at: 0, result: { ...current }, name });
      }
    }
  }
}

/** Sorted members: what a patch touches is a Go map, and immutable opaque values expose its order. */
function* inOrder(object: JsonObject): Steps<JsonObject> {
  const result: JsonObject = {};
  const names = yield* sortingTexts(Object.keys(object));
  for (let at = 0; at < names.length; at++) {
    if (at % limits.membersInStep === limits.membersInStep - 1) yield;
    setMember(result, names[at] as string, ownMember(object, names[at] as string) as Json);
  }
  return result;
}

/** A list or object being copied, and its copy. */
interface Frame {
  readonly from: Json[] | JsonObject;
  readonly to: Json[] | JsonObject;
  readonly names: readonly string[] | undefined;
  at: number;
}

/**
 * The value without null fields of its objects at any depth; null items of lists stay. Iterative, because patches may be
 * deeply nested.
 */
function* withoutNulls(root: Json): Steps<Json> {
  if (typeof root !== 'object' || root === null) return root;
  const frames = [yield* frameOf(root)];
  let left: number = limits.membersInStep;
  for (;;) {
    const frame = frames.at(-1) as Frame;
    const { from, to, names } = frame;
    if (--left < 0) {
      left = limits.membersInStep;
      yield;
    }
    if (frame.at === (names ?? (from as Json[])).length) {
      frames.pop();
      if (frames.length === 0) return to;
      continue;
    }
    const at = frame.at++;
    const member = (
      names === undefined ? (from as Json[])[at] : ownMember(from as JsonObject, names[at] as string)
    ) as Json;
    if (member === null && names !== undefined) continue;
    let made = member;
    if (typeof member === 'object' && member !== null) {
      frames.push(yield* frameOf(member));
      made = (frames.at(-1) as Frame).to;
    }
    if (names === undefined) (to as Json[]).push(made);
    else setMember(to as JsonObject, names[at] as string, made);
  }
}

function* frameOf(from: Json[] | JsonObject): Steps<Frame> {
  if (Array.isArray(from)) return { from, to: [], names: undefined, at: 0 };
  return { from, to: {}, names: yield* sortingTexts(Object.keys(from)), at: 0 };
}
