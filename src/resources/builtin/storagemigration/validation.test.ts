import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageVersionMigration, StorageVersionMigrationStatus } from './v1alpha1-objects.ts';
import { migrationRules } from './validation.ts';

function migration(status: StorageVersionMigrationStatus): StorageVersionMigration {
  return { metadata: { name: 'm' }, status };
}

function conditions(...types: string[]): StorageVersionMigrationStatus {
  const lastUpdateTime = '2026-01-01T00:00:00Z';
  return { conditions: types.map((type) => ({ type, status: 'True', lastUpdateTime, reason: 'Done' })) };
}

function faults(next: StorageVersionMigrationStatus, previous: StorageVersionMigrationStatus = {}): string[] {
  const rules = migrationRules.subresources?.['status'];
  const found = rules?.validateUpdate?.(migration(next), migration(previous), {} as never) ?? [];
  return found.map(({ field, detail }) => `${field}: ${detail}`);
}

test('the resourceVersion of a StorageVersionMigration is a number that is set once', () => {
  const field = 'status.resourceVersion';
  assert.deepEqual(faults({ resourceVersion: '7' }), []);
  assert.deepEqual(faults({ resourceVersion: '-7' }), [`${field}: must be greater than or equal to 0`]);
  assert.deepEqual(faults({ resourceVersion: 'x' }), [
    `${field}: failed to parse resource version "x": strconv.ParseInt: parsing "x": invalid syntax`,
  ]);
  assert.deepEqual(faults({ resourceVersion: '8' }, { resourceVersion: '7' }), [`${field}: field is immutable`]);
});

test('a StorageVersionMigration ends once, and does not run afterwards', () => {
  const field = 'status.conditions';
  assert.deepEqual(faults(conditions('Running')), []);
  assert.deepEqual(faults(conditions('Running', 'Succeeded')), [
    `${field}: Running condition cannot be true when success condition is true`,
  ]);
  assert.deepEqual(faults(conditions('Failed', 'Succeeded')), [
    `${field}: Both success and failed conditions cannot be true at the same time`,
  ]);
  assert.deepEqual(faults({}, conditions('Failed')), [
    `${field}: Failed condition cannot be set to false once it is true`,
  ]);
});

test('lastUpdateTime of a condition is required, and reported as lastTransitionTime', () => {
  const [condition] = conditions('Running').conditions!;
  assert.deepEqual(faults({ conditions: [{ ...condition, lastUpdateTime: null }] }), [
    'status.conditions[0].lastTransitionTime: ',
  ]);
});
