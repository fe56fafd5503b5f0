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

function faults(
  next: StorageVersionMigrationStatus,
  previous: StorageVersionMigrationStatus = {},
  minor = 34,
): string[] {
  const rules = migrationRules.subresources?.['status'];
  const found = rules?.validateUpdate?.(migration(next), migration(previous), { minor } as never) ?? [];
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

test('from 1.35 on a StorageVersionMigration names a resource without a version', () => {
  const found = (resource: object, minor: number) =>
    migrationRules.validate!({ metadata: { name: 'm' }, spec: { resource } }, { minor } as never).map(
      ({ field, detail }) => `${field}: ${detail}`,
    );
  assert.deepEqual(found({ resource: 'pods' }, 34), ['spec.resource.version: version is required']);
  assert.deepEqual(found({ group: 'a.com', resource: 'pods' }, 35), []);
  assert.deepEqual(found({}, 37), ['spec.resource.resource: resource is required to be set']);
  assert.deepEqual(
    found({ group: 'a_b', resource: '1s' }, 37).map((each) => each.slice(0, 32)),
    ['spec.resource.resource: a DNS-10', 'spec.resource.group: a lowercase'],
  );
  const change = migrationRules.validateUpdate!(
    { metadata: {}, spec: { resource: { resource: 'a' } } },
    { metadata: {}, spec: { resource: { resource: 'b' } } },
    { minor: 37 } as never,
  );
  assert.deepEqual(
    change.map(({ field, detail }) => `${field}: ${detail}`),
    ['spec: field is immutable'],
  );
});

test('a StorageVersionMigration has usual conditions from 1.35 on, and Running is ignored from 1.36 on', () => {
  const ended = { type: 'Succeeded', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Done' };
  const next = { resourceVersion: '7', conditions: [{ ...ended, type: 'Running' }, ended] };
  assert.deepEqual(faults(next, {}, 35), [
    'status.conditions: Running condition cannot be true when success condition is true',
  ]);
  assert.deepEqual(faults(next, {}, 36), []);
  const unformed = 'status.resourceVersion: resource version is not well formed: ';
  assert.deepEqual(faults({ resourceVersion: '07' }, {}, 37), [`${unformed}07`]);
  assert.deepEqual(faults({}, {}, 35), [unformed]);
  assert.deepEqual(faults({}, {}, 36), []);
});
