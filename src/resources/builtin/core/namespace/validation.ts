// Validation of Namespaces.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { finalizerDomainFaults, qualifiedNameFaults } from '../../../../api/names.ts';
import type { KindRules } from '../../../definition.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import type { Namespace } from './objects.ts';

function validateFinalizer(name: string, field: string): FieldError[] {
  return faultErrors([...qualifiedNameFaults(name), ...finalizerDomainFaults(name)], name, field);
}

/** Validation of a write to /finalize; unlike for a create, errors name the finalizer. */
export function validateFinalize(namespace: Namespace): FieldError[] {
  return (namespace.spec?.finalizers ?? []).flatMap((name, index) =>
    validateFinalizer(String(name), `spec.finalizers[${index}]`),
  );
}

/** The phase must agree with whether the namespace is being deleted. */
function validatePhase(namespace: Namespace): FieldError[] {
  const phase = namespace.status?.phase ?? '';
  const deleting = namespace.metadata.deletionTimestamp !== undefined;
  if (phase === (deleting ? 'Terminating' : 'Active')) return [];
  const why = deleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [fieldError.invalid('status.Phase', phase, why)];
}

export const namespaceRules: KindRules<Namespace> = {
  checks: { update: ['metadata', 'content', 'metadataChange'] },
  validate: (namespace) =>
    (namespace.spec?.finalizers ?? []).flatMap((name) => validateFinalizer(String(name), 'spec.finalizers')),
  subresources: { status: { validateUpdate: validatePhase } },
};
