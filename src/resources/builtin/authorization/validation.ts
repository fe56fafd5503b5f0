// The rules of access reviews: exactly one thing is asked about, and of somebody.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { validateItems } from '../../validation/field-rules.ts';
import { type SelectorExpression, validateLabelSelector } from '../../validation/label-selector.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';

function validateSubject({ spec }: ApiObject): FieldError[] {
  const resource = at(spec, 'resourceAttributes');
  const other = at(spec, 'nonResourceAttributes');
  if (isObject(resource) && isObject(other)) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [fieldError.invalid('spec.nonResourceAttributes', other, why)];
  }
  if (isObject(resource) || isObject(other)) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [fieldError.invalid('spec.resourceAttributes', null, why)];
}

function validateWho({ spec }: ApiObject): FieldError[] {
  if (textAt(spec, 'user') !== '' || listAt(spec, 'groups').length > 0) return [];
  return [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function validateSelectors({ spec }: ApiObject): FieldError[] {
  const attributes = at(spec, 'resourceAttributes');
  const field = 'spec.resourceAttributes';
  return ['fieldSelector', 'labelSelector'].flatMap((member) => {
    const selector = at(attributes, member);
    return isObject(selector) ? validateSelector(selector, `${field}.${member}`, member === 'labelSelector') : [];
  });
}

function validateSelector(selector: Json, field: string, ofLabels: boolean): FieldError[] {
  const raw = textAt(selector, 'rawSelector');
  const requirements = listAt(selector, 'requirements');
  if (raw !== '' && requirements.length > 0) {
    const why = 'may not specified at the same time as requirements';
    return [fieldError.invalid(`${field}.rawSelector`, raw, why)];
  }
  if (raw === '' && requirements.length === 0) {
    const why = `when ${field} is specified, requirements or rawSelector is required`;
    return [fieldError.required(`${field}.requirements`, why)];
  }
  return validateItems(requirements, `${field}.requirements`, (requirement, here) =>
    ofLabels ? validateLabelRequirement(requirement, here) : validateFieldRequirement(requirement, here),
  );
}

/**
 * A label requirement by the rules of label selectors, which lists them under another name. Operators that nobody knows
 * are let pass: the review says that it could not take them into account.
 */
function validateLabelRequirement(requirement: Json, field: string): FieldError[] {
  const found = validateLabelSelector({ matchExpressions: [requirement as SelectorExpression] }, '');
  return found
    .filter((error) => !error.field.endsWith('.operator'))
    .map((error) => ({ ...error, field: error.field.replace('.matchExpressions[0]', field) }));
}

function validateFieldRequirement(requirement: Json, field: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const count = listAt(requirement, 'values').length;
  const found: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) {
      found.push(fieldError.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      found.push(fieldError.forbidden(`${field}.values`, why));
    }
  }
  if (textAt(requirement, 'key') === '') found.push(fieldError.required(`${field}.key`, 'must be specified'));
  return found;
}

/** A review is no object: it has no metadata of its own. */
function validateNoMetadata({ metadata }: ApiObject, why: string, kept: readonly string[] = []): FieldError[] {
  const own = Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => (value ?? null) !== null && !kept.includes(name)),
  );
  return equalJson(own, {}) ? [] : [fieldError.invalid('metadata', metadata, why)];
}

/** The server fills these in before the rules are asked. */
const SERVER_METADATA = ['uid', 'creationTimestamp', 'managedFields'];

export function validateSubjectAccessReview(review: ApiObject): FieldError[] {
  return [
    ...validateSubject(review),
    ...validateWho(review),
    ...validateSelectors(review),
    ...validateNoMetadata(review, 'must be empty', SERVER_METADATA),
  ];
}

export function validateSelfSubjectAccessReview(review: ApiObject): FieldError[] {
  return [
    ...validateSubject(review),
    ...validateSelectors(review),
    ...validateNoMetadata(review, 'must be empty', SERVER_METADATA),
  ];
}

export function validateLocalSubjectAccessReview(review: ApiObject): FieldError[] {
  const found = [...validateSubject(review), ...validateWho(review), ...validateSelectors(review)];
  found.push(...validateNoMetadata(review, 'must be empty except for namespace', [...SERVER_METADATA, 'namespace']));
  const namespace = textAt(review, 'spec', 'resourceAttributes', 'namespace');
  const other = at(review, 'spec', 'nonResourceAttributes');
  if (isObject(at(review, 'spec', 'resourceAttributes')) && namespace !== (review.metadata.namespace ?? '')) {
    found.push(fieldError.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (!isObject(other)) return found;
  return [...found, fieldError.invalid('spec.nonResourceAttributes', other, 'disallowed on this kind of request')];
}

export const subjectAccessReviewRules: Partial<Behaviour> = { validate: validateSubjectAccessReview };
export const selfSubjectAccessReviewRules: Partial<Behaviour> = { validate: validateSelfSubjectAccessReview };
export const localSubjectAccessReviewRules: Partial<Behaviour> = { validate: validateLocalSubjectAccessReview };
