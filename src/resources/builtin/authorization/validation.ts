// Validation of access reviews: exactly one kind of attributes, and a user or group.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import type { Draft } from '../../../api/object.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateItems } from '../../validation/field-rules.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../meta/v1-objects.ts';
import type { LocalSubjectAccessReview, SelfSubjectAccessReview, SubjectAccessReview } from './v1-objects.ts';

/**
 * As formatted in messages: Kubernetes prints its internal type, whose fields have no JSON names and are never omitted.
 */
function shown({ path, verb }: { readonly path?: string | undefined; readonly verb?: string | undefined }) {
  return { Path: path ?? '', Verb: verb ?? '' };
}

function validateSubject({ spec }: SubjectAccessReview): FieldError[] {
  const resource = spec?.resourceAttributes;
  const other = spec?.nonResourceAttributes;
  if (resource !== undefined && other !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [fieldError.invalid('spec.nonResourceAttributes', shown(other), why)];
  }
  if (resource !== undefined || other !== undefined) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [fieldError.invalid('spec.resourceAttributes', null, why)];
}

function validateWho({ spec }: SubjectAccessReview): FieldError[] {
  if ((spec?.user ?? '') !== '' || (spec?.groups ?? []).length > 0) return [];
  return [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function validateSelectors({ spec }: SubjectAccessReview | SelfSubjectAccessReview): FieldError[] {
  const attributes = spec?.resourceAttributes;
  const field = 'spec.resourceAttributes';
  return [
    ...validateSelector(attributes?.fieldSelector, `${field}.fieldSelector`, validateFieldRequirement),
    ...validateSelector(attributes?.labelSelector, `${field}.labelSelector`, validateLabelRequirement),
  ];
}

/** A selector in attributes: requirements, or a raw string instead. */
interface Selector<R> {
  readonly rawSelector?: string;
  readonly requirements?: readonly R[];
}

function validateSelector<R>(
  selector: Selector<R> | undefined,
  field: string,
  validate: (requirement: R, field: string) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector: raw = '', requirements = [] } = selector;
  const found: FieldError[] = [];
  if (raw !== '' && requirements.length > 0) {
    const why = 'may not specified at the same time as requirements';
    found.push(fieldError.invalid(`${field}.rawSelector`, raw, why));
  }
  if (raw === '' && requirements.length === 0) {
    const why = `when ${field} is specified, requirements or rawSelector is required`;
    return [fieldError.required(`${field}.requirements`, why)];
  }
  found.push(...validateItems(requirements, `${field}.requirements`, validate));
  return found;
}

/**
 * A label requirement by the rules of label selectors, with other field names. Unknown operators are allowed: the
 * review reports that it ignored them.
 */
function validateLabelRequirement(requirement: LabelSelectorRequirement, field: string): FieldError[] {
  const found = validateLabelSelector({ matchExpressions: [requirement] }, '');
  return found
    .filter((error) => !error.field.endsWith('.operator'))
    .map((error) => ({ ...error, field: error.field.replace('.matchExpressions[0]', field) }));
}

function validateFieldRequirement(requirement: FieldSelectorRequirement, field: string): FieldError[] {
  const operator = requirement.operator ?? '';
  const count = (requirement.values ?? []).length;
  const found: FieldError[] = [];
  if ((requirement.key ?? '') === '') found.push(fieldError.required(`${field}.key`, 'must be specified'));
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
  return found;
}

/** Reviews have no metadata of their own. */
function validateNoMetadata(
  { metadata }: SubjectAccessReview | SelfSubjectAccessReview,
  why: string,
  kept: readonly string[] = [],
): FieldError[] {
  const own = Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => (value ?? null) !== null && !kept.includes(name)),
  );
  if (equalJson(own, {})) return [];
  // In the order of Kubernetes' declaration: names before everything else.
  const { name, generateName, namespace, ...rest } = metadata;
  const names = { ...(name && { name }), ...(generateName && { generateName }), ...(namespace && { namespace }) };
  return [fieldError.invalid('metadata', { ...names, ...rest }, why)];
}

/** Set by the server before validation. */
const SERVER_METADATA = ['uid', 'creationTimestamp', 'managedFields'];

function validateSubjectAccessReview(review: SubjectAccessReview): FieldError[] {
  return [
    ...validateSubject(review),
    ...validateWho(review),
    ...validateSelectors(review),
    ...validateNoMetadata(review, 'must be empty', SERVER_METADATA),
  ];
}

function validateSelfSubjectAccessReview(review: SelfSubjectAccessReview): FieldError[] {
  return [
    ...validateSubject(review),
    ...validateSelectors(review),
    ...validateNoMetadata(review, 'must be empty', SERVER_METADATA),
  ];
}

function validateLocalSubjectAccessReview(review: LocalSubjectAccessReview): FieldError[] {
  const found = [...validateSubject(review), ...validateWho(review), ...validateSelectors(review)];
  found.push(...validateNoMetadata(review, 'must be empty except for namespace', [...SERVER_METADATA, 'namespace']));
  const namespace = review.spec?.resourceAttributes?.namespace ?? '';
  const other = review.spec?.nonResourceAttributes;
  if (review.spec?.resourceAttributes !== undefined && namespace !== (review.metadata.namespace ?? '')) {
    found.push(fieldError.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (other === undefined) return found;
  return [
    ...found,
    fieldError.invalid('spec.nonResourceAttributes', shown(other), 'disallowed on this kind of request'),
  ];
}

/** Selectors count only with their gate. */
function dropSelectors({ spec }: Draft<SubjectAccessReview | SelfSubjectAccessReview>, context: StrategyContext): void {
  const attributes = spec?.resourceAttributes;
  if (attributes === undefined || context.gateEnabled('AuthorizeWithSelectors')) return;
  delete attributes.fieldSelector;
  delete attributes.labelSelector;
}

export const subjectAccessReviewRules: KindRules<SubjectAccessReview> = {
  dropGated: dropSelectors,
  validate: validateSubjectAccessReview,
};
export const selfSubjectAccessReviewRules: KindRules<SelfSubjectAccessReview> = {
  dropGated: dropSelectors,
  validate: validateSelfSubjectAccessReview,
};
export const localSubjectAccessReviewRules: KindRules<LocalSubjectAccessReview> = {
  dropGated: dropSelectors,
  validate: validateLocalSubjectAccessReview,
};
