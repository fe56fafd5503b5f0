// The smallest rules, which validation everywhere is made of: a value is required, one of a few, within bounds or fixed.
// Knows no kind.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import { byteLength } from '../../api/names.ts';
import type { ReadonlyJson } from '../../api/object.ts';

/** Turns the faults that a name rule found into errors of the field that holds the text. */
export function faultErrors(faults: readonly string[], value: unknown, field: string): FieldError[] {
  return faults.length === 0 ? [] : faults.map((each) => fieldError.invalid(field, value, each));
}

/** The value is one of those supported, which are listed in the order in which messages name them. */
export function validateChoice(value: string, supported: readonly string[], field: string): FieldError[] {
  return supported.includes(value) ? [] : [fieldError.notSupported(field, value, supported)];
}

export const IMMUTABLE = 'field is immutable';

/** The value may not change; absent and null are the same. */
export function validateImmutable(
  next: ReadonlyJson | undefined,
  previous: ReadonlyJson | undefined,
  field: string,
): FieldError[] {
  return equalJson(next ?? null, previous ?? null) ? [] : [fieldError.invalid(field, next ?? null, IMMUTABLE)];
}

/** Whether opaque values are written alike: Kubernetes holds them as texts, in which the order of members counts. */
export function sameText(one: ReadonlyJson | undefined, other: ReadonlyJson | undefined): boolean {
  return stringifyJson(one ?? null) === stringifyJson(other ?? null);
}

/** As validateImmutable, for texts: an absent one is quoted as an empty one. */
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

/** Both bounds are allowed. */
export function validateRange(value: number, bounds: readonly [number, number], field: string): FieldError[] {
  const [least, most] = bounds;
  if (value >= least && value <= most) return [];
  return [fieldError.invalid(field, value, `must be between ${least} and ${most}, inclusive`)];
}

/** Errors of the items of a list, each with its own path: `spec.ports[0]`. */
export function validateItems<T>(
  items: readonly T[],
  field: string,
  validate: (item: T, field: string, index: number) => FieldError[],
): FieldError[] {
  return items.flatMap((item, index) => validate(item, `${field}[${index}]`, index));
}

/** A list of more items than it may have; the message counts them. */
export function validateMostItems(items: readonly unknown[], most: number, field: string): FieldError[] {
  if (items.length <= most) return [];
  return [{ type: 'FieldValueTooMany', field, detail: `${items.length}: must have at most ${most} items` }];
}

/** A text that must be there. */
export function validateRequired(text: string, field: string): FieldError[] {
  return text === '' ? [fieldError.required(field)] : [];
}

/** Texts are limited by their bytes. */
export function validateMostBytes(text: string, most: number, field: string): FieldError[] {
  return byteLength(text) > most ? [fieldError.tooLong(field, most)] : [];
}
