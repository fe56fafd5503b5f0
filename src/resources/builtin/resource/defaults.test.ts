import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '../../../api/object.ts';
import { resourceClaimDefaults } from './defaults.ts';
import type { ResourceClaim } from './v1beta2-objects.ts';

test('tolerations of a ResourceClaim have the default operator Equal, in requests and in allocation results', () => {
  const toleration = { key: 'a', value: 'b' };
  const result = { request: 'r', driver: 'd', pool: 'p', device: 'x', tolerations: [{ ...toleration }] };
  const claim = {
    metadata: { name: 'c' },
    spec: {
      devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'k', tolerations: [{ ...toleration }] } }] },
    },
    status: { allocation: { devices: { results: [result] } } },
  } as unknown as Draft<ResourceClaim>;
  resourceClaimDefaults(claim);
  const expected = [{ ...toleration, operator: 'Equal' }];
  assert.deepEqual(claim.spec?.devices?.requests?.[0]?.exactly?.tolerations, expected);
  assert.deepEqual(claim.status?.allocation?.devices?.results?.[0]?.tolerations, expected);
});
