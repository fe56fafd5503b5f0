import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathSet } from './field-set.ts';
import type { Manager } from './managers.ts';
import { managersAfterScale, REPLICAS, SCALE_VERSION, scaleManagers } from './scale-entries.ts';

const scaled = { apiVersion: 'apps/v1', replicas: REPLICAS };
const TIME = '2026-01-01T00:00:00Z';

function manager(name: string, facts: Partial<Manager> = {}): Manager {
  return { name, operation: 'Apply', apiVersion: 'apps/v1', subresource: '', time: TIME, fields: undefined, ...facts };
}

const owner = manager('owner', { fields: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } });
const other = manager('other', { fields: { 'f:metadata': { 'f:labels': { 'f:a': {} } } } });
const ofScale = { apiVersion: SCALE_VERSION, fields: pathSet(REPLICAS) };

describe('managedFields of a Scale', () => {
  test('the managedFields of a Scale are the entries that own the replicas', () => {
    assert.deepEqual(scaleManagers([owner, other], scaled), [{ ...owner, ...ofScale }]);
  });

  test('an update of a Scale that takes no replicas keeps the entries of the object', () => {
    assert.deepEqual(managersAfterScale([owner, other], scaleManagers([owner, other], scaled), scaled), [owner, other]);
  });

  test('a manager that scales gets an entry without a time, and the owner before keeps its other fields', () => {
    const scaler = manager('scaler', { operation: 'Update', subresource: 'scale', ...ofScale });
    assert.deepEqual(managersAfterScale([owner, other], [scaler], scaled), [
      { ...owner, fields: { 'f:spec': { 'f:paused': {} } } },
      other,
      { ...scaler, apiVersion: 'apps/v1', time: undefined },
    ]);
  });

  test('any write to a Scale moves the replicas of an updater to a separate entry of the same name', () => {
    const updater = manager('updater', {
      operation: 'Update',
      fields: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } },
    });
    assert.deepEqual(managersAfterScale([updater], scaleManagers([updater], scaled), scaled), [
      { ...updater, fields: { 'f:spec': { 'f:paused': {} } } },
      { ...updater, time: undefined, fields: pathSet(REPLICAS) },
    ]);
  });

  test('a manager that owned only the replicas has no entry after another one scales', () => {
    const only = manager('only', { fields: pathSet(REPLICAS) });
    assert.deepEqual(managersAfterScale([only, other], [], scaled), [other]);
  });
});
