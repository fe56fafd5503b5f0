// Numbers in fields, several at a time: what a status counts. Knows no kind.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { validateNonNegative } from './field-rules.ts';

type Counts<M extends string> = { readonly [Member in M]?: number | bigint | null };

/** Members that may not be negative; those that are not there are none. */
export function validateCounts<M extends string>(
  object: Counts<M> | undefined,
  members: readonly M[],
  field: string,
): FieldError[] {
  return members.flatMap((member) => validateNonNegative(Number(object?.[member] ?? 0), `${field}.${member}`));
}

/** Members of a status that count some of what `whole` counts. */
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

/** A number that only ever grows, once it is there. */
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
