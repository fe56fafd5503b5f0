// Validation of ResourceClaims in releases after the one that is served by default.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { strategyContext } from '../../../../test/contract/defaults.ts';
import type { ResourceClaim } from './v1beta2-objects.ts';
import { resourceClaimRules } from './validation-claim.ts';

it('the tolerations of allocated devices are validated from 1.37 on', () => {
  const tolerations = [{ key: 'a', operator: 'Exists', value: 'b' }];
  const result = { request: 'a', driver: 'a.b', pool: 'p', device: 'd', tolerations };
  const claim: ResourceClaim = {
    metadata: { name: 'c' },
    spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'a', allocationMode: 'All' } }] } },
  };
  const next: ResourceClaim = { ...claim, status: { allocation: { devices: { results: [result] } } } };
  const validate = resourceClaimRules.subresources?.['status']?.validateUpdate;
  const faults = (minor: number) =>
    [...(validate?.(next, claim, { ...strategyContext(), minor }) ?? [])].map(
      ({ field, detail }) => `${field}: ${detail}`,
    );
  assert.deepEqual(faults(36), []);
  assert.deepEqual(faults(37), [
    'status.allocation.devices.results[0].tolerations[0].value: must be empty for operator `Exists`',
  ]);
});
