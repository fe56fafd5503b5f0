// Validation of conditions in the common form (meta/v1 Condition).

import { type FieldError, fieldError } from '../../api/errors.ts';
import { qualifiedNameFaults } from '../../api/names.ts';
import type { Condition } from '../builtin/meta/v1-objects.ts';
import { faultErrors, validateChoice, validateItemsWithUnique, validateMostBytes } from './field-rules.ts';

const REASON_BYTES = 1024;
const MESSAGE_BYTES = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const IS_REASON = new RegExp(`^${REASON}$`);

/** The name of the rule in errors of conditions, which are worded differently by release. */
export const CONDITION = 'condition';

/** Conditions, unique by type. */
export function validateConditions(conditions: readonly Condition[], field: string): FieldError[] {
  const found = validateItemsWithUnique(conditions, { field, member: 'type' }, validateCondition);
  return found.map((error) => ({ ...error, origin: CONDITION }));
}

function validateCondition(condition: Condition, field: string): FieldError[] {
  const [type, reason] = [condition.type ?? '', condition.reason ?? ''];
  const found = [
    ...faultErrors(qualifiedNameFaults(type), type, `${field}.type`),
    ...validateChoice(condition.status ?? '', ['False', 'True', 'Unknown'], `${field}.status`),
  ];
  const generation = Number(condition.observedGeneration ?? 0);
  if (generation < 0) {
    const why = 'must be greater than or equal to zero';
    found.push(fieldError.invalid(`${field}.observedGeneration`, generation, why));
  }
  if ((condition.lastTransitionTime ?? '') === '') {
    found.push(fieldError.required(`${field}.lastTransitionTime`));
  }
  if (reason === '') found.push(fieldError.required(`${field}.reason`));
  else found.push(...validateReason(reason, REASON_BYTES, `${field}.reason`));
  return [...found, ...validateMostBytes(condition.message ?? '', MESSAGE_BYTES, `${field}.message`)];
}

/** A reason in CamelCase, or several. */
export function validateReason(reason: string, most: number, field: string): FieldError[] {
  const found = validateMostBytes(reason, most, field);
  if (IS_REASON.test(reason)) return found;
  const why = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;
  return [fieldError.invalid(field, reason, why), ...found];
}
