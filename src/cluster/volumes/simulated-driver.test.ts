import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import {
  CLAIMS,
  CLASSES,
  claim,
  eventsAbout,
  PODS,
  podWith,
  post,
  read,
  type StoredItem,
  VOLUMES,
} from '../../../test/volume-objects.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments';
const DATA = { persistentVolumeClaim: { claimName: 'data' } };

interface Status {
  volumesInUse?: string[];
  volumesAttached?: { name: string }[];
}

async function start(): Promise<TestServer> {
  const server = await startTestServer({ nodes: 2 });
  await server.cluster.settled();
  return server;
}

async function remove(server: TestServer, path: string): Promise<void> {
  await server.request('DELETE', path);
  await server.cluster.settled();
  // A pod has its time to end.
  await server.clock!.advance('31s');
  await server.cluster.settled();
}

test('a cluster that lives has a default class, of the simulated driver', async () => {
  await using server = await start();
  const standard = (await read(server, `${CLASSES}/standard`)) as unknown as Record<string, unknown>;
  assert.equal(standard['provisioner'], 'simulated.keelson.dev');
  assert.equal(standard['volumeBindingMode'], 'WaitForFirstConsumer');
  assert.equal(standard['allowVolumeExpansion'], true);
  await post(server, CLAIMS, claim('data'));
  assert.equal((await read(server, `${CLAIMS}/data`)).spec['storageClassName'], 'standard');
});

test('a claim of the default class gets a volume when a pod uses it, and the volume is deleted with the claim', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  assert.equal((await read(server, `${CLAIMS}/data`)).status.phase, 'Pending');
  await post(server, PODS, podWith('user', DATA));
  assert.equal((await read(server, `${PODS}/user`)).status.phase, 'Running');
  const { metadata, spec, status } = await read(server, `${CLAIMS}/data`);
  const name = `pvc-${metadata.uid}`;
  assert.equal(status.phase, 'Bound');
  assert.equal(spec.volumeName, name);
  const volume = await read(server, `${VOLUMES}/${name}`);
  assert.equal(volume.status.phase, 'Bound');
  assert.equal(volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'], 'simulated.keelson.dev');
  const events = await eventsAbout(server, 'PersistentVolumeClaim', 'data');
  assert.ok(events.includes('Provisioning: External provisioner is provisioning volume for claim "default/data"'));
  assert.ok(events.includes(`ProvisioningSucceeded: Successfully provisioned volume ${name}`));
  await remove(server, `${PODS}/user`);
  await remove(server, `${CLAIMS}/data`);
  assert.equal((await server.request('GET', `${CLAIMS}/data`)).status, 404);
  assert.equal((await server.request('GET', `${VOLUMES}/${name}`)).status, 404);
  assert.deepEqual(await items(server, ATTACHMENTS), []);
});

test('the pods of a StatefulSet get a volume each from its claim templates', async () => {
  await using server = await start();
  const labels = { app: 'db' };
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db', volumeMounts }] } };
  await post(server, '/apis/apps/v1/namespaces/default/statefulsets', {
    metadata: { name: 'db' },
    spec: {
      ...{ replicas: 3, serviceName: 'db', selector: { matchLabels: labels }, template },
      volumeClaimTemplates: [claim('data')],
    },
  });
  const pods = await items<StoredItem>(server, PODS);
  assert.deepEqual(
    pods.map(({ metadata, status }) => [metadata.name, status.phase]),
    ['db-0', 'db-1', 'db-2'].map((name) => [name, 'Running']),
  );
  const claims = await items<StoredItem>(server, CLAIMS);
  assert.deepEqual(
    claims.map(({ metadata, status }) => [metadata.name, status.phase]),
    ['data-db-0', 'data-db-1', 'data-db-2'].map((name) => [name, 'Bound']),
  );
});

test('a volume grows with its claim, and its file system on the node of its pod', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  await post(server, PODS, podWith('user', DATA));
  const { spec } = await read(server, `${CLAIMS}/data`);
  const resources = { requests: { storage: '5Gi' } };
  assert.equal((await server.patch(`${CLAIMS}/data`, { spec: { resources } })).status, 200);
  await server.cluster.settled();
  const { status } = await read(server, `${CLAIMS}/data`);
  const storage = '5Gi';
  assert.deepEqual(status, {
    ...{ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage } },
    allocatedResources: { storage },
  });
  assert.deepEqual((await read(server, `${VOLUMES}/${spec.volumeName}`)).spec['capacity'], { storage });
  const reasons = (await eventsAbout(server, 'PersistentVolumeClaim', 'data')).map((text) => text.split(':')[0]);
  const expected = ['ExternalExpanding', 'Resizing', 'FileSystemResizeRequired', 'FileSystemResizeSuccessful'];
  for (const reason of expected) assert.ok(reasons.includes(reason), reason);
});

test('a file system waits for a pod to grow', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  await post(server, PODS, podWith('user', DATA));
  await remove(server, `${PODS}/user`);
  await server.patch(`${CLAIMS}/data`, { spec: { resources: { requests: { storage: '5Gi' } } } });
  await server.cluster.settled();
  const pending = (await read(server, `${CLAIMS}/data`)).status as unknown as {
    capacity: object;
    allocatedResourceStatuses: object;
    conditions: { type: string }[];
  };
  assert.deepEqual(pending.capacity, { storage: '1Gi' });
  assert.deepEqual(pending.allocatedResourceStatuses, { storage: 'NodeResizePending' });
  assert.deepEqual(
    pending.conditions.map(({ type }) => type),
    ['FileSystemResizePending'],
  );
  await post(server, PODS, podWith('next', DATA));
  assert.deepEqual((await read(server, `${CLAIMS}/data`)).status['capacity'], { storage: '5Gi' });
});

test('a volume is attached to the node of its pod while the pod uses it', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  await post(server, PODS, podWith('user', DATA));
  const { spec: pod } = await read(server, `${PODS}/user`);
  const { spec } = await read(server, `${CLAIMS}/data`);
  const [attachment] = await items<StoredItem>(server, ATTACHMENTS);
  assert.deepEqual(attachment?.spec, {
    attacher: 'simulated.keelson.dev',
    nodeName: pod['nodeName'],
    source: { persistentVolumeName: spec.volumeName },
  });
  assert.deepEqual(attachment?.status as object, { attached: true });
  const node = `/api/v1/nodes/${pod['nodeName']}`;
  const name = `kubernetes.io/csi/simulated.keelson.dev^${spec.volumeName}`;
  const status = (await read(server, node)).status as Status;
  assert.deepEqual(status.volumesInUse, [name]);
  assert.deepEqual(status.volumesAttached, [{ name, devicePath: '' }]);
  const events = await eventsAbout(server, 'Pod', 'user');
  assert.ok(events.includes(`SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "${spec.volumeName}" `));
  await remove(server, `${PODS}/user`);
  const after = (await read(server, node)).status as Status;
  assert.deepEqual([after.volumesInUse, after.volumesAttached], [undefined, undefined]);
  assert.deepEqual(await items(server, ATTACHMENTS), []);
});

test('a volume that one node has is attached to another only once the first has let go of it', async () => {
  await using server = await start();
  await post(server, CLAIMS, claim('data'));
  await post(server, PODS, podWith('first', DATA, { nodeName: 'node-1' }));
  await server.patch(`${CLAIMS}/data`, {
    metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node-1' } },
  });
  await server.cluster.settled();
  const { spec } = await read(server, `${CLAIMS}/data`);
  await post(server, PODS, podWith('second', DATA, { nodeName: 'node-2' }));
  const message = `Multi-Attach error for volume "${spec.volumeName}" Volume is already used by pod(s) first`;
  assert.ok((await eventsAbout(server, 'Pod', 'second')).includes(`FailedAttachVolume: ${message}`));
  await remove(server, `${PODS}/first`);
  const attachments = await items<StoredItem>(server, ATTACHMENTS);
  assert.deepEqual(
    attachments.map((each) => each.spec['nodeName']),
    ['node-2'],
  );
});

test('a VolumeAttachment that a client made for another driver stays as it is, though no pod uses its volume', async () => {
  await using server = await start();
  const source = { persistentVolumeName: 'none' };
  await post(server, ATTACHMENTS, {
    metadata: { name: 'made-by-hand' },
    spec: { attacher: 'driver.example.com', nodeName: 'node-1', source },
  });
  await server.clock!.advance('1h');
  await server.cluster.settled();
  const left = await items<StoredItem>(server, ATTACHMENTS);
  assert.deepEqual(
    left.map(({ metadata, status }) => [metadata.name, status]),
    [['made-by-hand', { attached: false }]],
  );
});
