// Elementary validation rules: required, one of several values, within bounds, immutable.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { IMMUTABLE } from '../../api/metadata-validation.ts';
import { byteLength } from '../../api/names.ts';
import type { ReadonlyJson } from '../../api/object.ts';
import { overItems, remembering } from '../../base/resumed.ts';

/** Converts the errors of a name rule to errors of the field. */
export function faultErrors(faults: readonly string[], value: unknown, field: string): FieldError[] {
  return faults.length === 0 ? [] : faults.map((each) => fieldError.invalid(field, value, each));
}

/** The value must be one of the supported ones, which messages list in the given order. */
export function validateChoice(value: string, supported: readonly string[], field: string): FieldError[] {
  return supported.includes(value) ? [] : [fieldError.notSupported(field, value, supported)];
}

/** The value is immutable; absent and null are equal. */
export function validateImmutable(
  next: ReadonlyJson | undefined,
  previous: ReadonlyJson | undefined,
  field: string,
): FieldError[] {
  return equalJson(next ?? null, previous ?? null) ? [] : [fieldError.invalid(field, next ?? null, IMMUTABLE)];
}

/** Like validateImmutable, for strings: an absent one is quoted as empty. */
export function validateImmutableText(
  next: ReadonlyJson | undefined,
  previous: ReadonlyJson | undefined,
  field: string,
): FieldError[] {
  return validateImmutable(next ?? '', previous ?? '', field);
}

export function validateNonNegative(value: number, field: string): FieldError[] {
  return value >= 0 ? [] : [fieldError.invalid(field, value, 'must be greater than or equal to 0')];
}

/** Inclusive bounds. */
export function validateRange(value: number, bounds: readonly [number, number], field: string): FieldError[] {
  const [least, most] = bounds;
  if (value >= least && value <= most) return [];
  return [fieldError.invalid(field, value, `must be between ${least} and ${most}, inclusive`)];
}

/**
 * Errors of list items, each with its path: `spec.ports[0]`.
 * @param validate must not remember anything from one item to the next, except within `remembering`
 */
export function validateItems<T>(
  items: readonly T[],
  field: string,
  validate: (item: T, field: string, index: number) => readonly FieldError[],
): FieldError[] {
  return overItems(items, (item, index) => validate(item, `${field}[${index}]`, index));
}

/**
 * The same for items of which no two may have the same value of a member. Its error is the first of its item.
 * @param member a string; absent is the same as empty
 */
export function validateItemsWithUnique<
  Member extends string,
  T extends { readonly [Name in Member]?: string | undefined },
>(
  items: readonly T[],
  { field, member }: { readonly field: string; readonly member: Member },
  validate: (item: T, field: string) => readonly FieldError[],
): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(items, field, (item, here) => {
        const value = item[member] ?? '';
        const repeated = seen.has(value) ? [fieldError.duplicate(`${here}.${member}`, value)] : [];
        seen.add(value);
        return [...repeated, ...validate(item, here)];
      }),
  );
}

/** The same without a pause: an item may be judged by those before it. */
export function validateItemsInOneTurn<T>(
  items: readonly T[],
  field: string,
  validate: (item: T, field: string, index: number) => readonly FieldError[],
): FieldError[] {
  return items.flatMap((item, index) => validate(item, `${field}[${index}]`, index));
}

/** A list with too many items; the message contains their number. */
export function validateMostItems(items: readonly unknown[], most: number, field: string): FieldError[] {
  if (items.length <= most) return [];
  return [fieldError.tooMany(field, items.length, most)];
}

/** A required string. */
export function validateRequired(text: string, field: string): FieldError[] {
  return text === '' ? [fieldError.required(field)] : [];
}

/** Strings are limited in bytes. */
export function validateMostBytes(text: string, most: number, field: string): FieldError[] {
  return byteLength(text) > most ? [fieldError.tooLong(field, most)] : [];
}
