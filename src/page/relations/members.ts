// Members of objects as the cluster sent them. Nothing is assumed of their form: kinds differ between versions, and custom
// resources may have anything in the same places.

import { isObject } from '../../api/is-object.ts';

/** Returns what is at a path of names, `at(pod, 'spec', 'nodeName')`; undefined if a step is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Returns the text at a path, also that of a number or a boolean; '' if there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : '';
}

/** Returns the number at a path; 0 if there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** Returns the items at a path; none if there is no list. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the texts in the list at a path. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

/** Returns the names and values at a path; none if there is no object. */
export function entriesAt(value: unknown, ...path: readonly string[]): readonly (readonly [string, unknown])[] {
  const found = at(value, ...path);
  return isObject(found) ? Object.entries(found) : [];
}
