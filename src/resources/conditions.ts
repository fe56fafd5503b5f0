// Conditions in the status of objects: one per type.

import { isObject } from '../api/is-object.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { objectIn } from './fill-in.ts';
import { listAt, textAt } from './value.ts';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The condition of a type; undefined if there is none. */
export function conditionOf(object: ApiObject, type: string): JsonObject | undefined {
  return conditionsOf(object).find((each) => each['type'] === type);
}

/** Whether the object has the condition, regardless of its time. */
export function hasCondition(object: ApiObject, { type, status, reason, message }: Condition): boolean {
  const found = conditionOf(object, type);
  return found?.['status'] === status && found['reason'] === reason && found['message'] === message;
}

/**
 * Sets a condition, replacing one of the same type; its transition time only changes with its status. Modifies its
 * argument.
 *
 * @param now in the format of metadata
 * @returns whether anything changed
 */
export function setCondition(object: ApiObject, condition: Condition, now: string): boolean {
  if (hasCondition(object, condition)) return false;
  const { type, status, reason, message } = condition;
  const conditions = conditionsOf(object);
  const index = conditions.findIndex((each) => each['type'] === type);
  const before = conditions[index];
  const lastTransitionTime = before?.['status'] === status ? (before['lastTransitionTime'] ?? now) : now;
  const next: JsonObject = { type, status, lastTransitionTime, reason, message };
  if (before === undefined) conditions.push(next);
  else conditions[index] = next;
  objectIn(object, 'status')['conditions'] = conditions;
  return true;
}

/** Removes a condition, if there is one. Modifies its argument. @returns whether anything changed */
export function removeCondition(object: ApiObject, type: string): boolean {
  if (conditionOf(object, type) === undefined) return false;
  objectIn(object, 'status')['conditions'] = conditionsOf(object).filter((each) => each['type'] !== type);
  return true;
}

function conditionsOf(object: ApiObject): JsonObject[] {
  return listAt(object, 'status', 'conditions').filter(isObject);
}

interface HasConditions<C> {
  readonly status?: { readonly conditions?: readonly C[] | null };
}

/** Like conditionOf, for an object of a declared type. */
export function condition<C extends { readonly type?: string }>(object: HasConditions<C>, type: string): C | undefined {
  return object.status?.conditions?.find((each) => each.type === type);
}

/** Whether the first condition of the type is true. */
export function isTrue(
  object: HasConditions<{ readonly type?: string; readonly status?: string }>,
  type: string,
): boolean {
  return condition(object, type)?.status === 'True';
}

/** Whether any condition of the type is true; some kinds may have several. */
export function isAnyTrue(object: object, type: string): boolean {
  const conditions = listAt(object as JsonObject, 'status', 'conditions');
  return conditions.some((each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True');
}
