// Faults that an update may keep: rules that Kubernetes made stricter, or relaxes behind a gate, do not apply to an object
// that broke them before, or nobody could change its labels any more. A rule marks its errors; when an object is
// updated, marked errors are dropped if the stored object has such an error too.

import type { FieldError, FieldErrors } from '../../api/errors.ts';

/**
 * Marks errors as ones that an update may keep.
 * @param rule `sysctls`; or with a value after a colon, `variables:A-B`: the stored object must have the error for one
 *   of the values of the new one
 */
export function keepable(rule: string, found: FieldErrors): FieldError[] {
  return found.map((error) => ({ ...error, keepable: rule }));
}

/** Values of label selectors, which were not always validated. */
const SELECTOR_VALUE = /\.matchExpressions\[\d+\]\.values\[\d+\]$/;

/** Like `keepable`, for the values in a selector's expressions only. */
export function keepableValues(rule: string, found: FieldErrors): FieldError[] {
  return found.map((error) => (SELECTOR_VALUE.test(error.field) ? { ...error, keepable: rule } : error));
}

/**
 * The errors without those that may be kept.
 * @param before the errors of the stored object, by the same rules
 */
export function withoutKept(found: FieldErrors, before: () => FieldErrors): FieldErrors {
  if (found.length === 0) return found;
  const marks = new Set(found.flatMap(({ keepable: mark }) => mark ?? []));
  if (marks.size === 0) return found;
  const kept = new Set(
    before().flatMap(({ keepable: mark }) => (mark !== undefined && marks.has(mark) ? ruleOf(mark) : [])),
  );
  return found.filter(({ keepable: mark }) => mark === undefined || !kept.has(ruleOf(mark)));
}

function ruleOf(mark: string): string {
  const colon = mark.indexOf(':');
  return colon < 0 ? mark : mark.slice(0, colon);
}
