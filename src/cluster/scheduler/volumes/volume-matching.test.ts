import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listerOf, makeNode, sourcesWith } from '../../../../test/scheduling-objects.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { findVolume, provisioning } from './volume-matching.ts';

const node = makeNode('one');

function claim(storage: string, spec: PersistentVolumeClaim['spec'] = {}): PersistentVolumeClaim {
  const resources = { requests: { storage } };
  return {
    metadata: { namespace: 'default', name: 'data', uid: 'u' },
    spec: { storageClassName: 'local', accessModes: ['ReadWriteOnce'], resources, ...spec },
  };
}

function volume(name: string, storage: string, spec: PersistentVolume['spec'] = {}): PersistentVolume {
  return {
    metadata: { name },
    spec: { storageClassName: 'local', accessModes: ['ReadWriteOnce'], capacity: { storage }, ...spec },
    status: { phase: 'Available' },
  };
}

const find = (wanted: PersistentVolumeClaim, ...volumes: PersistentVolume[]) =>
  findVolume(wanted, volumes, { node, taken: new Set(['taken']) })?.metadata.name;

test('a claim gets the smallest free volume that is large enough', () => {
  const volumes = [volume('large', '10Gi'), volume('small', '1Gi'), volume('medium', '5Gi'), volume('taken', '2Gi')];
  assert.equal(find(claim('2Gi'), ...volumes), 'medium');
  assert.equal(find(claim('20Gi'), ...volumes), undefined);
});

test('a claim gets no volume of another class, mode or claim, or for another node', () => {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['two'] }];
  const others = [
    volume('class', '1Gi', { storageClassName: 'other' }),
    volume('block', '1Gi', { volumeMode: 'Block' }),
    volume('read', '1Gi', { accessModes: ['ReadOnlyMany'] }),
    volume('bound', '1Gi', { claimRef: { namespace: 'default', name: 'other' } }),
    volume('elsewhere', '1Gi', { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } }),
  ];
  assert.equal(find(claim('1Gi'), ...others), undefined);
});

test('a volume that was reserved for a claim comes before smaller ones', () => {
  const reserved = volume('reserved', '9Gi', { claimRef: { namespace: 'default', name: 'data' } });
  assert.equal(find(claim('1Gi'), volume('small', '1Gi'), reserved), 'reserved');
});

test('a volume can be made where its class allows it and its driver has room', () => {
  const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }];
  const classes = [
    { metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner' },
    { metadata: { name: 'zonal' }, provisioner: 'disks.example.com', allowedTopologies },
    { metadata: { name: 'full' }, provisioner: 'full.example.com' },
  ];
  const sources = sourcesWith({
    storageClasses: listerOf(classes),
    csiDrivers: listerOf([{ metadata: { name: 'full.example.com' }, spec: { storageCapacity: true } }]),
    capacities: listerOf([{ metadata: { name: 'c' }, storageClassName: 'full', capacity: '1Gi', nodeTopology: {} }]),
  });
  const of = (storageClassName: string, storage = '1Gi', where = node) =>
    provisioning(claim(storage, { storageClassName, resources: { requests: { storage } } }), where, sources);
  assert.equal(of('local'), 'impossible');
  assert.equal(of('zonal'), 'impossible');
  assert.equal(of('zonal', '1Gi', makeNode('two', { labels: { zone: 'a' } })), 'possible');
  assert.equal(of('full'), 'possible');
  assert.equal(of('full', '2Gi'), 'no space');
  assert.throws(() => of('none'), /failed to find storage class "none"/);
});
