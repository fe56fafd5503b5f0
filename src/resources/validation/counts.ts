// Numbers in fields, several at a time: what a status counts. Knows no kind.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json } from '../../api/object.ts';
import { at, numberAt } from '../value.ts';
import { validateNonNegative } from './field-rules.ts';

/** Members that may not be negative; those that are not there are none. */
export function validateCounts(object: Json | undefined, members: readonly string[], field: string): FieldError[] {
  return members.flatMap((member) => validateNonNegative(numberAt(object, member), `${field}.${member}`));
}

/** Members of a status that count some of what `whole` counts. */
export function validateParts(
  status: Json | undefined,
  parts: readonly string[],
  { whole, field }: { whole: string; field: string },
): FieldError[] {
  const most = numberAt(status, whole);
  return parts
    .filter((part) => numberAt(status, part) > most)
    .map((part) =>
      fieldError.invalid(`${field}.${part}`, numberAt(status, part), `cannot be greater than ${field}.${whole}`),
    );
}

/** A number that only ever grows, once it is there. */
export function validateNotDecremented(
  next: Json | undefined,
  previous: Json | undefined,
  { member, field }: { member: string; field: string },
): FieldError[] {
  const [now, before] = [at(next, member), at(previous, member)];
  if (before === undefined || (now !== undefined && Number(now) >= Number(before))) return [];
  return [fieldError.invalid(`${field}.${member}`, now ?? null, 'cannot be decremented')];
}
