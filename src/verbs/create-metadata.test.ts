import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

const DELETED = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 30, finalizers: ['a.com/b'] };

for (const [release, kept] of [
  ['1.34', '2020-01-01T00:00:00Z'],
  ['1.37', undefined],
] as const) {
  test(`an update that creates an object ${kept === undefined ? 'wipes' : 'keeps'} a deletionTimestamp in ${release}`, async () => {
    await using server = await startTestServer({ kubernetesVersion: release, seed: 1 });
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a', ...DELETED },
      spec: {},
    };
    const { status, body } = await server.request('PUT', path, lease);
    const { metadata } = body as { metadata: { deletionTimestamp?: string } };
    assert.deepEqual([status, metadata.deletionTimestamp], [201, kept]);
  });
}
