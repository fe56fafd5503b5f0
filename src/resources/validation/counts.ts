// Validation of several numbers at once: the counts in a status.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { validateNonNegative } from './field-rules.ts';

type Counts<M extends string> = { readonly [Member in M]?: number | bigint | null };

/** Fields that must not be negative; absent ones are zero. */
export function validateCounts<M extends string>(
  object: Counts<M> | undefined,
  members: readonly M[],
  field: string,
): FieldError[] {
  return members.flatMap((member) => validateNonNegative(Number(object?.[member] ?? 0), `${field}.${member}`));
}

/** Fields of a status that count a subset of `whole`. */
export function validateParts<M extends string>(
  status: Counts<M> | undefined,
  parts: readonly M[],
  { whole, field }: { whole: M; field: string },
): FieldError[] {
  const count = (member: M): number => Number(status?.[member] ?? 0);
  return parts
    .filter((part) => count(part) > count(whole))
    .map((part) => fieldError.invalid(`${field}.${part}`, count(part), `cannot be greater than ${field}.${whole}`));
}

/** A number that can only increase once it is set. */
export function validateNotDecremented<M extends string>(
  next: Counts<M> | undefined,
  previous: Counts<M> | undefined,
  { member, field }: { member: M; field: string },
): FieldError[] {
  const [now, before] = [next?.[member], previous?.[member]];
  if (before === undefined || before === null || (now !== undefined && now !== null && Number(now) >= Number(before)))
    return [];
  return [fieldError.invalid(`${field}.${member}`, now ?? 0, 'cannot be decremented')];
}
