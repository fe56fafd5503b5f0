// The rules of replication controllers and of pod templates as objects of their own.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import type { Json, JsonObject } from '../../../../api/object.ts';
import { coveredByDeclaration } from '../../../validation/declarative-validation.ts';
import { validateChoice, validateNonNegative } from '../../../validation/field-rules.ts';
import { TEMPLATE_MISMATCH } from '../../../validation/label-selector.ts';
import { at, isObject, numberAt, textAt } from '../../../value.ts';
import { type PodRules, validatePodTemplate } from '../pod/validation.ts';

export function validateReplicationController({ spec }: JsonObject, rules?: PodRules): FieldError[] {
  const template = at(spec, 'template');
  const selector = at(spec, 'selector');
  const found = [
    ...validateCount(spec, 'minReadySeconds'),
    ...(isObject(selector) && Object.keys(selector).length > 0 ? [] : [fieldError.required('spec.selector')]),
    ...validateCount(spec, 'replicas'),
  ];
  if (!isObject(template)) return [...found, fieldError.required('spec.template')];
  return [...found, ...validateMatch(selector, template), ...validateTemplate(template, rules)];
}

function validateCount(spec: Json | undefined, name: string): FieldError[] {
  const found = validateNonNegative(numberAt(spec, name), `spec.${name}`);
  return found.map((error) => coveredByDeclaration(error, 'minimum'));
}

function validateMatch(selector: Json | undefined, template: Json): FieldError[] {
  if (!isObject(selector)) return [];
  const labels = at(template, 'metadata', 'labels');
  if (Object.entries(selector).every(([label, value]) => at(labels, label) === value)) return [];
  return [fieldError.invalid('spec.template.metadata.labels', labels ?? null, TEMPLATE_MISMATCH)];
}

function validateTemplate(template: Json, rules?: PodRules): FieldError[] {
  const field = 'spec.template';
  const found = [
    ...validatePodTemplate(template, field, rules),
    ...validateChoice(textAt(template, 'spec', 'restartPolicy'), ['Always'], `${field}.spec.restartPolicy`),
  ];
  if (at(template, 'spec', 'activeDeadlineSeconds') === undefined) return found;
  const why = 'activeDeadlineSeconds in ReplicationController is not Supported';
  return [...found, fieldError.forbidden(`${field}.spec.activeDeadlineSeconds`, why)];
}

export function validatePodTemplateObject({ template }: JsonObject, rules?: PodRules): FieldError[] {
  return validatePodTemplate(template, 'template', rules);
}
