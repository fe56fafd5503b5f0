import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StrategyContext } from '../../definition.ts';
import { validateAdminRequests, validateAdminResults } from './admin-access.ts';
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimStatus } from './v1-objects.ts';

const context = {
  namespaceLabels: (name: string) => (name === 'admin' ? { 'resource.kubernetes.io/admin-access': 'true' } : {}),
} as unknown as StrategyContext;

const claim = (namespace: string, status: ResourceClaimStatus = {}): ResourceClaim => ({
  metadata: { name: 'c', namespace },
  status,
});

test('a ResourceClaim may request admin access in labelled namespaces only', () => {
  const spec = { devices: { requests: [{ name: 'a' }, { name: 'b', exactly: { adminAccess: true } }] } };
  const fields = (namespace: string, asked: ResourceClaimSpec) =>
    validateAdminRequests(claim(namespace), asked, context).map(({ field }) => field);
  assert.deepEqual(fields('n', spec), ['spec.devices.requests[1].adminAccess']);
  assert.deepEqual(fields('admin', spec), []);
  assert.deepEqual(fields('n', { devices: { requests: [{ name: 'a', exactly: { adminAccess: false } }] } }), []);
});

test('a ResourceClaim may be allocated admin access in labelled namespaces only, and keeps it', () => {
  const status = { allocation: { devices: { results: [{ adminAccess: true }] } } };
  const fields = (namespace: string, before?: ResourceClaimStatus) =>
    validateAdminResults(claim(namespace, status), claim(namespace, before), context).map(({ field }) => field);
  assert.deepEqual(fields('n'), ['status.allocation.devices.results[0].adminAccess']);
  assert.deepEqual(fields('n', status), []);
  assert.deepEqual(fields('admin'), []);
});
