import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../../api/errors.ts';
import type { StrategyContext } from '../../definition.ts';
import type { StorageVersionStatus } from './v1alpha1-objects.ts';
import { storageVersionRules } from './validation.ts';

const context = {} as StrategyContext;

function faults(status: StorageVersionStatus): string[] {
  const version = { metadata: { name: 'apps.deployments' }, status };
  const found = storageVersionRules.subresources?.['status']?.validateUpdate?.(version, version, context) ?? [];
  return found.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

const server = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'], servedVersions: ['v1'] };

describe('validation of StorageVersions', () => {
  it('validation of StorageVersions requires a name made of a group and a resource', () => {
    const { nameRule } = storageVersionRules;
    assert.ok(typeof nameRule === 'object');
    const faultsOf = (name: string) =>
      nameRule.faults(name, false, { object: { metadata: { name } }, gateEnabled: () => false });
    assert.deepEqual(faultsOf('apps.deployments'), []);
    assert.deepEqual(faultsOf('deployments'), ['name must be in the form of <group>.<resource>']);
    assert.match(String(faultsOf('Apps.1')), /^the group segment .*,the resource segment /);
  });

  it('validation of StorageVersions requires the common encoding version to be what all servers encode', () => {
    assert.deepEqual(faults({ commonEncodingVersion: 'v1', storageVersions: [server] }), []);
    assert.deepEqual(faults({ storageVersions: [server] }), [
      'status.commonEncodingVersion: Invalid value: null: the common encoding version is v1',
    ]);
    assert.deepEqual(faults({ commonEncodingVersion: 'v2', storageVersions: [server] }), [
      'status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1',
    ]);
  });

  it('validation of StorageVersions requires the encoding version to be decodable and served versions to be decodable', () => {
    const other = { ...server, decodableVersions: ['v2'] };
    assert.deepEqual(faults({ commonEncodingVersion: 'v1', storageVersions: [other] }), [
      'status.storageVersions[0].decodableVersions: Invalid value: ["v2"]: decodableVersions must include encodingVersion v1',
      'status.storageVersions[0].servedVersions[0]: Invalid value: "v1": individual served version : v1 must be included in decodableVersions : [v2]',
    ]);
  });

  it('validation of StorageVersions requires conditions to have a reason and a message, and each type once', () => {
    const condition = { type: 'A', status: 'True', reason: 'R', message: 'm' };
    assert.deepEqual(faults({ conditions: [condition, { ...condition, reason: '', message: '' }] }), [
      'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
      'status[1].reason: Required value',
      'status[1].message: Required value',
    ]);
  });
});
