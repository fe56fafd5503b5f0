// Validation of numbers or percentages, such as the maximum number of unavailable pods.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { patternMessage } from '../../api/names.ts';
import { validateNonNegative } from './field-rules.ts';

const PERCENT_MESSAGE = patternMessage(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

function isPercent(text: string): boolean {
  return /^[0-9]+%$/.test(text);
}

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(amount: number | string | undefined, field: string): FieldError[] {
  if (typeof amount !== 'string') return validateNonNegative(Number(amount ?? 0), field);
  return isPercent(amount) ? [] : [fieldError.invalid(field, amount, PERCENT_MESSAGE)];
}

export function validateAtMostAll(amount: number | string | undefined, field: string): FieldError[] {
  if (typeof amount !== 'string' || !isPercent(amount) || Number.parseInt(amount, 10) <= 100) return [];
  return [fieldError.invalid(field, amount, 'must not be greater than 100%')];
}

/** Zero, zero percent, absent, or invalid. */
export function isZeroAmount(amount: number | string | undefined): boolean {
  if (typeof amount !== 'string') return Number(amount ?? 0) === 0;
  return (
    !/^[-+]?[0-9]+%?$/.test(amount) || (!isPercent(amount) && amount.endsWith('%')) || Number.parseInt(amount, 10) === 0
  );
}
