// Validation of StorageVersionMigrations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { parseGoInteger } from '../../../base/go-integer.ts';
import { isTrue } from '../../conditions.ts';
import type { KindRules } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { validateImmutableText } from '../../validation/field-rules.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';

function validateMigration({ spec }: StorageVersionMigration): FieldError[] {
  return (['resource', 'version'] as const)
    .filter((member) => (spec?.resource?.[member] ?? '') === '')
    .map((member) => fieldError.required(`spec.resource.${member}`, `${member} is required`));
}

function validateVersion({ status }: StorageVersionMigration): FieldError[] {
  const field = 'status.resourceVersion';
  const version = status?.resourceVersion ?? '';
  const found: FieldError[] = [];
  try {
    if (version !== '' && parseGoInteger(version, { base: 10 }) < 0) {
      found.push(fieldError.invalid(field, Number(version), 'must be greater than or equal to 0'));
    }
  } catch (error) {
    const why = `failed to parse resource version ${JSON.stringify(version)}: ${(error as Error).message}`;
    found.push(fieldError.invalid(field, version, why));
  }
  return found;
}

/** A migration ends once, and does not run any more then. */
function validateEnd(next: StorageVersionMigration, previous: StorageVersionMigration): FieldError[] {
  const conditions = next.status?.conditions ?? [];
  const now = (type: string) => isTrue(next, type);
  const before = (type: string) => isTrue(previous, type);
  const faults = [
    now('Succeeded') && now('Failed') && 'Both success and failed conditions cannot be true at the same time',
    now('Succeeded') && now('Running') && 'Running condition cannot be true when success condition is true',
    now('Failed') && now('Running') && 'Running condition cannot be true when failed condition is true',
    before('Succeeded') && !now('Succeeded') && 'Success condition cannot be set to false once it is true',
    before('Failed') && !now('Failed') && 'Failed condition cannot be set to false once it is true',
  ];
  return faults.filter((why) => why !== false).map((why) => fieldError.invalid('status.conditions', conditions, why));
}

function validateMigrationStatus(next: StorageVersionMigration, previous: StorageVersionMigration): FieldError[] {
  const conditions = (next.status?.conditions ?? []).map(({ lastUpdateTime, ...each }) => ({
    ...each,
    lastTransitionTime: lastUpdateTime ?? null,
  }));
  const version = previous.status?.resourceVersion ?? '';
  return [
    ...validateVersion(next),
    ...validateConditions(conditions, 'status.conditions'),
    ...(version === '' ? [] : validateImmutableText(next.status?.resourceVersion, version, 'status.resourceVersion')),
    ...validateEnd(next, previous),
  ];
}

export const migrationRules: KindRules<StorageVersionMigration> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateMigration,
  // Kubernetes reports these fields without their path.
  validateUpdate: (next, previous) =>
    (['group', 'version', 'resource'] as const).flatMap((member) =>
      validateImmutableText(next.spec?.resource?.[member], previous.spec?.resource?.[member], member),
    ),
  subresources: { status: { validateUpdate: validateMigrationStatus } },
};
