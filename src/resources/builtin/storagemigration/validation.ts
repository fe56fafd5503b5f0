// Validation of StorageVersionMigrations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { label1035Faults, subdomainFaults } from '../../../api/names.ts';
import { parseGoInteger } from '../../../base/go-integer.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { isTrue } from '../../conditions.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { validateImmutable, validateImmutableText } from '../../validation/field-rules.ts';
import type { Condition } from '../meta/v1-objects.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';

/** Release from which on a migration is of a resource in all its versions, and its conditions are like those of other kinds. */
const WITHOUT_VERSION = 35;
/** Release from which on a migration has no condition that it runs. */
const WITHOUT_RUNNING = 36;

function validateMigration(migration: StorageVersionMigration, context: StrategyContext): FieldError[] {
  const { spec } = migration;
  if (isSince(context, WITHOUT_VERSION)) return validateResource(migration);
  return (['resource', 'version'] as const)
    .filter((member) => (spec?.resource?.[member] ?? '') === '')
    .map((member) => fieldError.required(`spec.resource.${member}`, `${member} is required`));
}

/** The names are those of APIServices. */
function validateResource({ spec }: StorageVersionMigration): FieldError[] {
  const { group = '', resource = '' } = spec?.resource ?? {};
  const [groupField, field] = ['spec.resource.group', 'spec.resource.resource'];
  const found = resource === '' ? [fieldError.required(field, 'resource is required to be set')] : [];
  const faults = resource === '' ? [] : label1035Faults(resource);
  if (faults.length > 0) found.push(fieldError.invalid(field, resource, faults.join(',')));
  const groupFaults = group === '' ? [] : subdomainFaults(group);
  if (groupFaults.length > 0) found.push(fieldError.invalid(groupField, group, groupFaults.join(',')));
  return found;
}

/** A resource version is a number without leading zeros; 1.35 does not let it be empty. */
function validateComparable({ status }: StorageVersionMigration, { minor }: StrategyContext): FieldError[] {
  const version = status?.resourceVersion ?? '';
  if (/^[1-9][0-9]*$/.test(version) || (version === '' && minor !== WITHOUT_VERSION)) return [];
  return [fieldError.invalid('status.resourceVersion', version, `resource version is not well formed: ${version}`)];
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
function validateEnd(
  next: StorageVersionMigration,
  previous: StorageVersionMigration,
  hasRunning: boolean,
): FieldError[] {
  const conditions = next.status?.conditions ?? [];
  const running = hasRunning && isTrue(next, 'Running');
  const now = (type: string) => isTrue(next, type);
  const before = (type: string) => isTrue(previous, type);
  const faults = [
    now('Succeeded') && now('Failed') && 'Both success and failed conditions cannot be true at the same time',
    now('Succeeded') && running && 'Running condition cannot be true when success condition is true',
    now('Failed') && running && 'Running condition cannot be true when failed condition is true',
    before('Succeeded') && !now('Succeeded') && 'Success condition cannot be set to false once it is true',
    before('Failed') && !now('Failed') && 'Failed condition cannot be set to false once it is true',
  ];
  return faults.filter((why) => why !== false).map((why) => fieldError.invalid('status.conditions', conditions, why));
}

function validateMigrationStatus(
  next: StorageVersionMigration,
  previous: StorageVersionMigration,
  context: StrategyContext,
): FieldError[] {
  const isLater = isSince(context, WITHOUT_VERSION);
  const version = previous.status?.resourceVersion ?? '';
  return [
    ...(isLater ? validateComparable(next, context) : validateVersion(next)),
    ...validateConditions(isLater ? conditionsOf(next) : renamedConditions(next), 'status.conditions'),
    ...(version === '' ? [] : validateImmutableText(next.status?.resourceVersion, version, 'status.resourceVersion')),
    ...validateEnd(next, previous, !isSince(context, WITHOUT_RUNNING)),
  ];
}

function conditionsOf({ status }: StorageVersionMigration): Condition[] {
  return (status?.conditions ?? []) as Condition[];
}

/** Conditions of v1alpha1, whose time has another name. */
function renamedConditions({ status }: StorageVersionMigration): Condition[] {
  return (status?.conditions ?? []).map(({ lastUpdateTime, ...each }) => ({
    ...each,
    lastTransitionTime: lastUpdateTime ?? null,
  }));
}

function validateSpecChange(
  next: StorageVersionMigration,
  previous: StorageVersionMigration,
  context: StrategyContext,
): FieldError[] {
  if (isSince(context, WITHOUT_VERSION)) return validateImmutable(next['spec'], previous['spec'], 'spec');
  // Kubernetes reports these fields without their path.
  return (['group', 'version', 'resource'] as const).flatMap((member) =>
    validateImmutableText(next.spec?.resource?.[member], previous.spec?.resource?.[member], member),
  );
}

export const migrationRules: KindRules<StorageVersionMigration> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateMigration,
  validateUpdate: validateSpecChange,
  subresources: { status: { validateUpdate: validateMigrationStatus } },
};
