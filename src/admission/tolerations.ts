// Merging of tolerations from two sources, without redundant ones.

import { equalJson } from '../api/json-equal.ts';
import type { JsonObject } from '../api/object.ts';
import { numberAt, textAt } from '../resources/value.ts';

/** In order, those of `first` before those of `second`. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    // Of equal ones the first is kept.
    const later = all.slice(index + 1).filter((other) => !equalJson(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether `wide` tolerates everything that `narrow` does. */
export function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true;
  const operator = textAt(wide, 'operator');
  const [key, effect] = [textAt(wide, 'key'), textAt(wide, 'effect')];
  // Exists without a key matches any taint, and no effect matches any effect.
  if (textAt(narrow, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (effect !== '' && textAt(narrow, 'effect') !== effect) return false;
  if (effect === 'NoExecute' && !lastsAsLong(wide, narrow)) return false;
  if (operator === 'Exists') return true;
  if (operator !== 'Equal' && operator !== '') return false;
  return textAt(narrow, 'operator') === 'Equal' && textAt(narrow, 'value') === textAt(wide, 'value');
}

/** Without a number of seconds a toleration is permanent. */
function lastsAsLong(wide: JsonObject, narrow: JsonObject): boolean {
  if (wide['tolerationSeconds'] === undefined) return true;
  if (narrow['tolerationSeconds'] === undefined) return false;
  return numberAt(narrow, 'tolerationSeconds') <= numberAt(wide, 'tolerationSeconds');
}
