// Validation of a rule's strings before they are compiled as CEL.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import { ruleFieldPath } from './rule-field-path.ts';
import { SchemaPart, type ValidationRule } from './schema-part.ts';
import { isConvertible } from './schema-source.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;
const NO_LINE_BREAKS = 'must not contain line breaks';

/** Errors in the rules directly in a schema. */
export function ruleTextErrors(schema: JsonObject, field: string): FieldError[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as unknown as readonly ValidationRule[];
  let part: SchemaPart | undefined;
  return rules.flatMap((rule, index) => {
    const place = `${field}.x-kubernetes-validations[${index}]`;
    const found = [...textErrors(rule, place), ...reasonErrors(rule, place), ...pathTextErrors(rule, place)];
    const path = rule.fieldPath ?? '';
    if (path === '') return found;
    part ??= new SchemaPart(schema);
    if (ruleFieldPath(path, part) !== undefined || !isConvertible(schema)) return found;
    return [...found, fieldError.invalid(`${place}.fieldPath`, path, 'must be a valid path')];
  });
}

function textErrors({ rule = '', message = '', messageExpression = '' }: ValidationRule, place: string): FieldError[] {
  const found: FieldError[] = [];
  if (rule.trim() === '') {
    found.push(fieldError.required(`${place}.rule`, 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    found.push(fieldError.invalid(`${place}.message`, message, 'must be non-empty if specified'));
  } else if (LINE_BREAK.test(message.trim())) {
    found.push(fieldError.invalid(`${place}.message`, message, NO_LINE_BREAKS));
  } else if (LINE_BREAK.test(rule.trim()) && message.trim() === '') {
    found.push(fieldError.required(`${place}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    found.push(fieldError.required(`${place}.messageExpression`, detail));
  }
  return found;
}

function reasonErrors({ reason }: ValidationRule, place: string): FieldError[] {
  if (reason === undefined || reason === null || REASONS.includes(reason)) return [];
  return [fieldError.notSupported(`${place}.reason`, reason, REASONS)];
}

function pathTextErrors({ fieldPath = '' }: ValidationRule, place: string): FieldError[] {
  const found: FieldError[] = [];
  if (fieldPath !== '' && fieldPath.trim() === '') {
    found.push(fieldError.invalid(`${place}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (LINE_BREAK.test(fieldPath)) found.push(fieldError.invalid(`${place}.fieldPath`, fieldPath, NO_LINE_BREAKS));
  return found;
}
