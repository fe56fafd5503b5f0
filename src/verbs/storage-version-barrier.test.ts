import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageVersionBarrier } from './storage-version-barrier.ts';

const anybody = { name: 'a', uid: '', groups: ['system:masters'], extra: {} };
const server = { ...anybody, name: 'system:apiserver' };
const pods = { group: '', resource: 'pods' };
const leases = { group: 'coordination.k8s.io', resource: 'leases' };

test('a write is answered with 503 until the storage version of its resource is published', () => {
  const barrier = new StorageVersionBarrier([pods, leases]);
  const write = (of: typeof pods, verb = 'create', namespace = '', user = anybody) =>
    barrier.check({ ...of, verb, namespace }, user);
  const text = 'wait for storage version registration to complete for resource: pods, last seen error: ';
  assert.throws(() => write(pods), { code: 503, message: `${text}<nil>` });
  barrier.failed([pods], 'the disk is full');
  assert.throws(() => write(pods, 'deletecollection'), { code: 503, message: `${text}the disk is full` });
  for (const verb of ['get', 'list', 'watch']) write(pods, verb);
  assert.throws(() => write(leases, 'update', 'default'), /for resource: leases.coordination.k8s.io,/);
  write(leases, 'update', 'kube-system');
  write({ group: 'example.com', resource: 'pods' });
  barrier.lift([pods]);
  write(pods);
  assert.equal(barrier.isLifted, false);
  barrier.lift([leases]);
  barrier.failed([leases], 'late');
  assert.equal(barrier.isLifted, true);
});

test('StorageVersions, and namespaces of the API server, may be written before storage versions are published', () => {
  const namespaces = { group: '', resource: 'namespaces' };
  const storageVersions = { group: 'internal.apiserver.k8s.io', resource: 'storageversions' };
  const barrier = new StorageVersionBarrier([namespaces, storageVersions]);
  barrier.check({ ...storageVersions, verb: 'create', namespace: '' }, anybody);
  barrier.check({ ...namespaces, verb: 'create', namespace: '' }, server);
  assert.throws(() => barrier.check({ ...namespaces, verb: 'update', namespace: '' }, server), { code: 503 });
  assert.throws(() => barrier.check({ ...namespaces, verb: 'create', namespace: '' }, anybody), { code: 503 });
});
