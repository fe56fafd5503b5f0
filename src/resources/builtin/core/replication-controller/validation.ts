// Validation of ReplicationControllers and PodTemplates.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { coveredByDeclaration } from '../../../validation/declarative-validation.ts';
import { validateChoice, validateNonNegative } from '../../../validation/field-rules.ts';
import { TEMPLATE_MISMATCH } from '../../../validation/label-selector.ts';
import type { PodTemplate, PodTemplateSpec } from '../pod/objects.ts';
import type { PodRules } from '../pod/pod-rules.ts';
import { validatePodTemplate } from '../pod/validation.ts';
import type { ReplicationController, ReplicationControllerSpec } from './objects.ts';

export function validateReplicationController({ spec }: ReplicationController, rules?: PodRules): FieldError[] {
  const template = spec?.template;
  const selector = spec?.selector;
  const found = [
    ...validateCount(spec, 'minReadySeconds'),
    ...(selector !== undefined && Object.keys(selector).length > 0 ? [] : [fieldError.required('spec.selector')]),
    ...validateCount(spec, 'replicas'),
  ];
  if (template === undefined) return [...found, fieldError.required('spec.template')];
  return [...found, ...validateMatch(selector, template), ...validateTemplate(template, rules)];
}

function validateCount(
  spec: ReplicationControllerSpec | undefined,
  name: 'replicas' | 'minReadySeconds',
): FieldError[] {
  const found = validateNonNegative(spec?.[name] ?? 0, `spec.${name}`);
  return found.map((error) => coveredByDeclaration(error, 'minimum'));
}

function validateMatch(
  selector: Readonly<Record<string, string>> | undefined,
  template: PodTemplateSpec,
): FieldError[] {
  if (selector === undefined) return [];
  const labels = template.metadata?.labels;
  if (Object.entries(selector).every(([label, value]) => ownMember(labels, label) === value)) return [];
  return [fieldError.invalid('spec.template.metadata.labels', labels ?? null, TEMPLATE_MISMATCH)];
}

function validateTemplate(template: PodTemplateSpec, rules?: PodRules): FieldError[] {
  const field = 'spec.template';
  const found = [
    ...validatePodTemplate(template, field, rules),
    ...validateChoice(template.spec?.restartPolicy ?? '', ['Always'], `${field}.spec.restartPolicy`),
  ];
  if (template.spec?.activeDeadlineSeconds === undefined) return found;
  const why = 'activeDeadlineSeconds in ReplicationController is not Supported';
  return [...found, fieldError.forbidden(`${field}.spec.activeDeadlineSeconds`, why)];
}

export function validatePodTemplateObject({ template }: PodTemplate, rules?: PodRules): FieldError[] {
  return validatePodTemplate(template, 'template', rules);
}
