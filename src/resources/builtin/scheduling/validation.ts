// Validation of PriorityClasses.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { lookup } from '../../../base/lookup.ts';
import type { KindRules } from '../../definition.ts';
import { validateChoice, validateImmutable } from '../../validation/field-rules.ts';
import type { PriorityClass } from './v1-objects.ts';

const SYSTEM_PREFIX = 'system-';
/** Kubernetes' own classes and their values. */
const SYSTEM_CLASSES: Readonly<Record<string, number>> = lookup({
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
});
const MAX_VALUE = 1_000_000_000;

/** Errors in a class with a system name. */
function systemFault(priorityClass: PriorityClass, name: string): string | undefined {
  const value = Object.hasOwn(SYSTEM_CLASSES, name) ? SYSTEM_CLASSES[name] : undefined;
  if (value === undefined) return `${name} is not a known system priority class`;
  if ((priorityClass.value ?? 0) !== value) return `value of ${name} PriorityClass must be ${value}`;
  return priorityClass.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validateNewClass(priorityClass: PriorityClass): FieldError[] {
  const { name = '' } = priorityClass.metadata;
  const policy = priorityClass.preemptionPolicy;
  const found: FieldError[] = [];
  if (name.startsWith(SYSTEM_PREFIX)) {
    const fault = systemFault(priorityClass, name);
    if (fault !== undefined) {
      const why = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${fault}`;
      found.push(fieldError.forbidden('metadata.name', why));
    }
  } else if ((priorityClass.value ?? 0) > MAX_VALUE) {
    const why = `maximum allowed value of a user defined priority is ${MAX_VALUE}`;
    found.push(fieldError.forbidden('value', why));
  }
  if (policy === '') return [...found, fieldError.required('preemptionPolicy')];
  if (typeof policy !== 'string') return found;
  return [...found, ...validateChoice(policy, ['PreemptLowerPriority', 'Never'], 'preemptionPolicy')];
}

export const priorityClassRules: KindRules<PriorityClass> = {
  validateCreate: validateNewClass,
  validateUpdate: (next, previous) => [
    ...((next.value ?? 0) === (previous.value ?? 0)
      ? []
      : [fieldError.forbidden('value', 'may not be changed in an update.')]),
    ...validateImmutable(next['preemptionPolicy'], previous['preemptionPolicy'], 'preemptionPolicy'),
  ],
};
