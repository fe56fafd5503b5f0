// The rules of leases and of those who would like to hold one.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ApiObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { validateNonNegative, validateRequired } from '../../validation/field-rules.ts';
import { at, textAt } from '../../value.ts';

function validateLease({ spec }: ApiObject): FieldError[] {
  const duration = at(spec, 'leaseDurationSeconds');
  const transitions = at(spec, 'leaseTransitions');
  const found: FieldError[] = [];
  if (typeof duration === 'number' && duration <= 0) {
    found.push(fieldError.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  if (typeof transitions === 'number') found.push(...validateNonNegative(transitions, 'spec.leaseTransitions'));
  if (textAt(spec, 'preferredHolder') === '' || textAt(spec, 'strategy') !== '') return found;
  const why = 'may only be specified if `strategy` is defined';
  return [...found, fieldError.forbidden('spec.preferredHolder', why)];
}

export const leaseRules: Partial<Behaviour> = { anyFinalizer: true, validate: validateLease };

export const leaseCandidateRules: Partial<Behaviour> = {
  validate: ({ spec }) => [
    ...validateRequired(textAt(spec, 'leaseName'), 'spec.leaseName'),
    ...validateRequired(textAt(spec, 'binaryVersion'), 'spec.binaryVersion'),
    ...validateRequired(textAt(spec, 'strategy'), 'spec.strategy'),
  ],
};
