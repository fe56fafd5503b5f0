// Tolerations from two sources as one list, without those that another one covers.

import { equalJson } from '../api/json-equal.ts';
import type { JsonObject } from '../api/object.ts';
import { numberAt, textAt } from '../resources/value.ts';

/** In their order, the ones of `first` before those of `second`. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    // Of equal ones the first stays.
    const later = all.slice(index + 1).filter((other) => !equalJson(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether all that `narrow` tolerates is tolerated by `wide` too. */
export function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true;
  const operator = textAt(wide, 'operator');
  const [key, effect] = [textAt(wide, 'key'), textAt(wide, 'effect')];
  // Existence without a key is that of any taint, and no effect is any effect.
  if (textAt(narrow, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (effect !== '' && textAt(narrow, 'effect') !== effect) return false;
  if (effect === 'NoExecute' && !lastsAsLong(wide, narrow)) return false;
  if (operator === 'Exists') return true;
  if (operator !== 'Equal' && operator !== '') return false;
  return textAt(narrow, 'operator') === 'Equal' && textAt(narrow, 'value') === textAt(wide, 'value');
}

/** Without a number of seconds a toleration is for good. */
function lastsAsLong(wide: JsonObject, narrow: JsonObject): boolean {
  if (wide['tolerationSeconds'] === undefined) return true;
  if (narrow['tolerationSeconds'] === undefined) return false;
  return numberAt(narrow, 'tolerationSeconds') <= numberAt(wide, 'tolerationSeconds');
}
