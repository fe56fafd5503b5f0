// Validation of StorageVersionMigrations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { KindRules } from '../../definition.ts';
import { validateImmutableText } from '../../validation/field-rules.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';

function validateMigration({ spec }: StorageVersionMigration): FieldError[] {
  return (['resource', 'version'] as const)
    .filter((member) => (spec?.resource?.[member] ?? '') === '')
    .map((member) => fieldError.required(`spec.resource.${member}`, `${member} is required`));
}

export const migrationRules: KindRules<StorageVersionMigration> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'change'],
  validate: validateMigration,
  // Kubernetes reports these fields without their path.
  validateUpdate: (next, previous) =>
    (['group', 'version', 'resource'] as const).flatMap((member) =>
      validateImmutableText(next.spec?.resource?.[member], previous.spec?.resource?.[member], member),
    ),
};
