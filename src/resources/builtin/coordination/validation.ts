// The rules of leases and of those who would like to hold one.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { KindRules } from '../../definition.ts';
import { validateNonNegative, validateRequired } from '../../validation/field-rules.ts';
import type { Lease } from './v1-objects.ts';
import type { LeaseCandidate } from './v1beta1-objects.ts';

function validateLease({ spec }: Lease): FieldError[] {
  const duration = spec?.leaseDurationSeconds;
  const transitions = spec?.leaseTransitions;
  const found: FieldError[] = [];
  if (typeof duration === 'number' && duration <= 0) {
    found.push(fieldError.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  if (typeof transitions === 'number') found.push(...validateNonNegative(transitions, 'spec.leaseTransitions'));
  if ((spec?.preferredHolder ?? '') === '' || (spec?.strategy ?? '') !== '') return found;
  const why = 'may only be specified if `strategy` is defined';
  return [...found, fieldError.forbidden('spec.preferredHolder', why)];
}

export const leaseRules: KindRules<Lease> = { anyFinalizer: true, validate: validateLease };

export const leaseCandidateRules: KindRules<LeaseCandidate> = {
  validate: ({ spec }) => [
    ...validateRequired(spec?.leaseName ?? '', 'spec.leaseName'),
    ...validateRequired(spec?.binaryVersion ?? '', 'spec.binaryVersion'),
    ...validateRequired(spec?.strategy ?? '', 'spec.strategy'),
  ],
};
