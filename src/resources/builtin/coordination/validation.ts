// Validation of Leases and LeaseCandidates.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { qualifiedNameFaults } from '../../../api/names.ts';
import { readVersion, type SemanticVersion } from '../../../cel/library/semantic-version.ts';
import type { KindRules } from '../../definition.ts';
import {
  faultErrors,
  validateChoice,
  validateImmutableText,
  validateNonNegative,
  validateRequired,
} from '../../validation/field-rules.ts';
import { dataKeyFaults } from '../../validation/pod-references.ts';
import type { Lease } from './v1-objects.ts';
import type { LeaseCandidate } from './v1beta1-objects.ts';

const OLDEST = 'OldestEmulationVersion';

function validateLease({ spec }: Lease): FieldError[] {
  const duration = spec?.leaseDurationSeconds;
  const transitions = spec?.leaseTransitions;
  const strategy = spec?.strategy;
  const found: FieldError[] = [];
  if (typeof duration === 'number' && duration <= 0) {
    found.push(fieldError.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  if (typeof transitions === 'number') found.push(...validateNonNegative(transitions, 'spec.leaseTransitions'));
  if (strategy !== undefined) found.push(...validateStrategy(strategy));
  if ((spec?.preferredHolder ?? '') === '' || (strategy ?? '') !== '') return found;
  const why = 'may only be specified if `strategy` is defined';
  return [...found, fieldError.forbidden('spec.preferredHolder', why)];
}

/** One of Kubernetes' own names, or a qualified one. */
function validateStrategy(strategy: string): FieldError[] {
  const field = 'spec.strategy.strategy';
  if (!strategy.includes('/')) return validateChoice(strategy, [OLDEST], field);
  return faultErrors(qualifiedNameFaults(strategy), strategy, field);
}

export const leaseRules: KindRules<Lease> = { anyFinalizer: true, validate: validateLease };

function validateCandidate({ spec }: LeaseCandidate): FieldError[] {
  const { leaseName = '', strategy = '', binaryVersion = '', emulationVersion = '' } = spec ?? {};
  const found = validateRequired(leaseName, 'spec.leaseName');
  const emulated = emulationVersion === '' ? undefined : versionIn(emulationVersion, 'spec.emulationVersion', found);
  found.push(...validateRequired(binaryVersion, 'spec.binaryVersion'));
  const binary = binaryVersion === '' ? undefined : versionIn(binaryVersion, 'spec.binaryVersion', found);
  // An invalid version sorts before all others.
  if (binaryVersion !== '' && emulated !== undefined && (binary === undefined || binary.compareTo(emulated) < 0)) {
    const why = 'must be greater than or equal to `emulationVersion`';
    found.push(fieldError.invalid('spec.binaryVersion', binaryVersion, why));
  }
  if (strategy === '') return [...found, fieldError.required('spec.strategy')];
  if (strategy === OLDEST && emulated === undefined) {
    found.push(fieldError.required('spec.emulationVersion', `must be specified when \`strategy\` is '${OLDEST}'`));
  }
  return [...found, ...validateStrategy(strategy)];
}

function versionIn(text: string, field: string, found: FieldError[]): SemanticVersion | undefined {
  const version = readVersion(text);
  if (typeof version !== 'string') return version;
  found.push(fieldError.invalid(field, text, 'must be a valid semantic version'));
  return undefined;
}

export const leaseCandidateRules: KindRules<LeaseCandidate> = {
  nameRule: { faults: (name) => dataKeyFaults(name) },
  validate: validateCandidate,
  validateUpdate: (next, previous) =>
    validateImmutableText(next.spec?.leaseName, previous.spec?.leaseName, 'spec.leaseName'),
};
