import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CLAIMS,
  CLASSES,
  claim,
  eventsAbout,
  PODS,
  podWith,
  post,
  read,
  VOLUMES,
  volume,
} from '../../../test/volume-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const NO_CLASS = { storageClassName: '' };

function start(): Promise<TestServer> {
  return startTestServer({ controllers: '*,persistentvolume-binder-controller' });
}

test('a PersistentVolumeClaim is bound to the smallest volume that is large enough, and the volume to the claim', async () => {
  await using server = await start();
  await post(server, VOLUMES, volume('large', { capacity: { storage: '10Gi' } }));
  await post(server, VOLUMES, volume('small', { capacity: { storage: '500Mi' } }));
  await post(server, VOLUMES, volume('medium', { capacity: { storage: '5Gi' } }));
  await post(server, CLAIMS, claim('data', NO_CLASS));
  const { metadata, spec, status } = await read(server, `${CLAIMS}/data`);
  assert.equal(spec.volumeName, 'medium');
  assert.deepEqual(status, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' } });
  assert.deepEqual(metadata.annotations, {
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  });
  const medium = await read(server, `${VOLUMES}/medium`);
  assert.equal(medium.spec.claimRef?.uid, metadata.uid);
  assert.equal(medium.status.phase, 'Bound');
  assert.deepEqual(medium.metadata.annotations, { 'pv.kubernetes.io/bound-by-controller': 'yes' });
  assert.equal((await read(server, `${VOLUMES}/large`)).status.phase, 'Available');
});

test('a claim waits until a volume of its class, mode and labels appears', async () => {
  await using server = await start();
  const selector = { matchLabels: { disk: 'ssd' } };
  await post(server, CLAIMS, claim('data', { ...NO_CLASS, selector }));
  await post(server, VOLUMES, volume('other-class', { storageClassName: 'x' }, { labels: { disk: 'ssd' } }));
  await post(server, VOLUMES, volume('block', { volumeMode: 'Block' }, { labels: { disk: 'ssd' } }));
  await post(server, VOLUMES, volume('unlabelled'));
  await post(server, VOLUMES, volume('shared', { accessModes: ['ReadWriteMany'] }, { labels: { disk: 'ssd' } }));
  assert.equal((await read(server, `${CLAIMS}/data`)).status.phase, 'Pending');
  assert.deepEqual(await eventsAbout(server, 'PersistentVolumeClaim', 'data'), [
    'FailedBinding: no persistent volumes available for this claim and no storage class is set',
  ]);
  await post(server, VOLUMES, volume('right', {}, { labels: { disk: 'ssd' } }));
  assert.equal((await read(server, `${CLAIMS}/data`)).spec.volumeName, 'right');
});

test('many claims share many volumes without a conflict', async () => {
  await using server = await start();
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
  await Promise.all(names.map((name) => server.request('POST', CLAIMS, claim(name, NO_CLASS))));
  await Promise.all(names.map((name) => server.request('POST', VOLUMES, volume(name))));
  await server.cluster.settled();
  const bound = new Set<string | undefined>();
  for (const name of names) {
    const { spec, status, metadata } = await read(server, `${CLAIMS}/${name}`);
    assert.equal(status.phase, 'Bound');
    assert.equal((await read(server, `${VOLUMES}/${spec.volumeName}`)).spec.claimRef?.uid, metadata.uid);
    bound.add(spec.volumeName);
  }
  assert.equal(bound.size, names.length);
});

test('a volume that is reserved for a claim by name is bound to that one only', async () => {
  await using server = await start();
  const claimRef = { namespace: 'default', name: 'mine' };
  await post(server, VOLUMES, volume('reserved', { claimRef }));
  await post(server, CLAIMS, claim('other', NO_CLASS));
  assert.equal((await read(server, `${VOLUMES}/reserved`)).status.phase, 'Available');
  await post(server, CLAIMS, claim('mine', NO_CLASS));
  assert.equal((await read(server, `${CLAIMS}/mine`)).spec.volumeName, 'reserved');
  assert.equal((await read(server, `${CLAIMS}/other`)).status.phase, 'Pending');
  assert.equal((await read(server, `${VOLUMES}/reserved`)).metadata.annotations, undefined);
});

test('a claim that names its volume waits for it, and an event says why it cannot have it', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('first', { ...NO_CLASS, volumeName: 'v' }));
  assert.equal((await read(server, `${CLAIMS}/first`)).status.phase, 'Pending');
  await post(server, VOLUMES, volume('v'));
  const first = await read(server, `${CLAIMS}/first`);
  assert.equal(first.status.phase, 'Bound');
  assert.deepEqual(first.metadata.annotations, { 'pv.kubernetes.io/bind-completed': 'yes' });
  await post(server, CLAIMS, claim('second', { ...NO_CLASS, volumeName: 'v' }));
  assert.deepEqual(await eventsAbout(server, 'PersistentVolumeClaim', 'second'), [
    'FailedBinding: volume "v" already bound to a different claim.',
  ]);
  await post(server, VOLUMES, volume('tiny', { capacity: { storage: '1Mi' } }));
  await post(server, CLAIMS, claim('third', { ...NO_CLASS, volumeName: 'tiny' }));
  assert.deepEqual(await eventsAbout(server, 'PersistentVolumeClaim', 'third'), [
    'VolumeMismatch: Cannot bind to requested volume "tiny": requested PV is too small',
  ]);
});

test('a claim of a class that waits for its first consumer is not bound without a pod', async () => {
  await using server = await start();
  const storageClass = { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };
  await post(server, CLASSES, { metadata: { name: 'local' }, ...storageClass });
  await post(server, VOLUMES, volume('v', { storageClassName: 'local' }));
  await post(server, CLAIMS, claim('data', { storageClassName: 'local' }));
  assert.equal((await read(server, `${CLAIMS}/data`)).status.phase, 'Pending');
  await post(server, PODS, podWith('user', { persistentVolumeClaim: { claimName: 'data' } }));
  await server.clock!.advance('15s');
  await server.cluster.settled();
  assert.deepEqual(await eventsAbout(server, 'PersistentVolumeClaim', 'data'), [
    'WaitForFirstConsumer: waiting for first consumer to be created before binding',
    'WaitForPodScheduled: waiting for pod user to be scheduled',
  ]);
});

test('a claim asks the provisioner of its class for a volume', async () => {
  await using server = await start();
  await post(server, CLASSES, { metadata: { name: 'fast' }, provisioner: 'disks.example.com' });
  await post(server, CLASSES, { metadata: { name: 'none' }, provisioner: 'kubernetes.io/no-provisioner' });
  await post(server, CLASSES, { metadata: { name: 'aws' }, provisioner: 'kubernetes.io/aws-ebs' });
  for (const name of ['fast', 'none', 'aws', 'lost'])
    await post(server, CLAIMS, claim(name, { storageClassName: name }));
  assert.deepEqual((await read(server, `${CLAIMS}/fast`)).metadata.annotations, {
    'volume.beta.kubernetes.io/storage-provisioner': 'disks.example.com',
    'volume.kubernetes.io/storage-provisioner': 'disks.example.com',
  });
  assert.equal(
    (await read(server, `${CLAIMS}/aws`)).metadata.annotations?.['volume.kubernetes.io/storage-provisioner'],
    'ebs.csi.aws.com',
  );
  const events = async (name: string) => (await eventsAbout(server, 'PersistentVolumeClaim', name))[0];
  assert.match((await events('fast')) ?? '', /^ExternalProvisioning: .*external provisioner 'disks\.example\.com'/);
  assert.equal(await events('none'), 'ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner');
  assert.equal(await events('lost'), 'ProvisioningFailed: storageclass.storage.k8s.io "lost" not found');
});

test('a claim without a class gets the default class once there is one', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  await post(server, CLAIMS, claim('classless', NO_CLASS));
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await post(server, CLASSES, { metadata: { name: 'std', annotations }, provisioner: 'disks.example.com' });
  assert.equal((await read(server, `${CLAIMS}/data`)).spec['storageClassName'], 'std');
  assert.equal((await read(server, `${CLAIMS}/classless`)).spec['storageClassName'], '');
});

test('the volume of a deleted claim is retained, deleted or refused by its reclaim policy', async () => {
  await using server = await start();
  const policies = { keep: 'Retain', drop: 'Delete', stuck: 'Delete' };
  for (const [name, persistentVolumeReclaimPolicy] of Object.entries(policies)) {
    const path = name === 'stuck' ? '/data' : `/tmp/${name}`;
    await post(server, VOLUMES, volume(name, { persistentVolumeReclaimPolicy, hostPath: { path } }));
    await post(server, CLAIMS, claim(name, { ...NO_CLASS, volumeName: name }));
    await server.patch(`${CLAIMS}/${name}`, { metadata: { finalizers: null } });
    await server.request('DELETE', `${CLAIMS}/${name}`);
    await server.cluster.settled();
  }
  assert.deepEqual((await read(server, `${VOLUMES}/keep`)).status.phase, 'Released');
  const drop = await server.request('GET', `${VOLUMES}/drop`);
  assert.ok(
    drop.status === 404 || (drop.body as { metadata: { deletionTimestamp?: string } }).metadata.deletionTimestamp,
  );
  const stuck = await read(server, `${VOLUMES}/stuck`);
  assert.equal(stuck.status.phase, 'Failed');
  assert.equal(stuck.status['message'], 'host_path deleter only supports /tmp/.+ but received provided /data');
});

/** A volume with the policy Recycle whose claim is gone. */
async function released(server: TestServer, spec: object): Promise<void> {
  await post(server, VOLUMES, volume('used', { persistentVolumeReclaimPolicy: 'Recycle', ...spec }));
  await post(server, CLAIMS, claim('data', { ...NO_CLASS, volumeName: 'used' }));
  await server.patch(`${CLAIMS}/data`, { metadata: { finalizers: null } });
  await server.request('DELETE', `${CLAIMS}/data`);
  await server.cluster.settled();
}

test('a volume with the reclaim policy Recycle is available again once a pod has cleaned it', async () => {
  await using server = await startTestServer({ nodes: 1 });
  await released(server, { hostPath: { path: '/tmp/used' }, capacity: { storage: '5Gi' } });
  const { spec, status } = await read(server, `${VOLUMES}/used`);
  assert.deepEqual([status.phase, spec.claimRef], ['Available', undefined]);
  assert.deepEqual(await eventsAbout(server, 'PersistentVolume', 'used'), ['VolumeRecycled: Volume recycled']);
  const cleaner = await eventsAbout(server, 'Pod', 'recycler-for-used');
  assert.ok(cleaner.includes('Started: Started container pv-recycler'), cleaner.join());
  assert.equal((await server.request('GET', `${PODS}/recycler-for-used`)).status, 404);
});

test('a volume that cannot be recycled fails: its pod fails, or nothing recycles volumes of its kind', async () => {
  await using server = await start();
  await released(server, { nfs: { server: 'nfs', path: '/data' }, hostPath: null });
  const pod = `${PODS}/recycler-for-used`;
  assert.equal((await read(server, pod)).spec['activeDeadlineSeconds'], 300);
  await server.patch(`${pod}/status`, { status: { phase: 'Failed', message: 'no room' } });
  await server.cluster.settled();
  const { status } = await read(server, `${VOLUMES}/used`);
  const message = 'Recycle failed: failed to recycle volume: no room';
  assert.deepEqual([status.phase, status['message']], ['Failed', message]);
  assert.deepEqual(await eventsAbout(server, 'PersistentVolume', 'used'), [`VolumeFailedRecycle: ${message}`]);
  await using other = await start();
  await released(other, { csi: { driver: 'disks.example.com', volumeHandle: 'h' }, hostPath: null });
  assert.deepEqual(await eventsAbout(other, 'PersistentVolume', 'used'), [
    'VolumeFailedRecycle: No recycler plugin found for the volume!',
  ]);
});

test('a bound claim is lost when its volume is gone', async () => {
  await using server = await start();
  await post(server, VOLUMES, volume('v'));
  await post(server, CLAIMS, claim('data', NO_CLASS));
  await server.patch(`${VOLUMES}/v`, { metadata: { finalizers: null } });
  await server.request('DELETE', `${VOLUMES}/v`);
  await server.cluster.settled();
  assert.deepEqual((await read(server, `${CLAIMS}/data`)).status, { phase: 'Lost' });
  assert.deepEqual(await eventsAbout(server, 'PersistentVolumeClaim', 'data'), [
    'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  ]);
});
