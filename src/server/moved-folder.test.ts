// A data folder that moves between releases of Kubernetes: what one of them has written, others read, and keep what they
// do not know for as long as they do not write it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const PODS = '/api/v1/namespaces/default/pods';
const POLICIES = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const OLD_POLICIES = '/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies';
const GROUPS = '/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups';
const NEW_GATES = { VolumeBindMountOptions: true, GenericWorkload: true };
const BETAS = { 'api/beta': 'true' };

/** Starts servers of several releases, one after the other, on one folder. */
function moving(context: TestContext): (version: string, more?: object) => Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keelson-moved-'));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return (kubernetesVersion, more = {}) =>
    startTestServer({ store: 'embedded', dataDir, kubernetesVersion, controllers: '', ...more });
}

async function created(server: TestServer, path: string, object: object): Promise<Body> {
  const { status, body } = await server.request('POST', path, object);
  assert.equal(status, 201, JSON.stringify(body));
  return body as Body;
}

async function read(server: TestServer, path: string): Promise<Body> {
  const { status, body } = await server.request('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Body;
}

const pod = (name: string) => {
  const volumeMounts = [{ name: 'v', mountPath: '/v', bindMountOptions: ['noexec'] }];
  const containers = [{ name: 'a', image: 'b', volumeMounts }];
  return { metadata: { name }, spec: { containers, volumes: [{ name: 'v', emptyDir: {} }] } };
};

const options = ({ spec }: Body): unknown => spec.containers[0].volumeMounts[0].bindMountOptions;

test('an older release keeps the fields of a newer one until it updates the object', async (context) => {
  const start = moving(context);
  {
    await using server = await start('1.37', { featureGates: NEW_GATES });
    await created(server, '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    for (const name of ['kept', 'written'])
      assert.deepEqual(options(await created(server, PODS, pod(name))), ['noexec']);
  }
  {
    await using server = await start('1.34');
    const found = await read(server, `${PODS}/written`);
    assert.equal(options(found), undefined);
    const labelled = { ...found, metadata: { ...found['metadata'], labels: { moved: 'yes' } } };
    assert.equal((await server.request('PUT', `${PODS}/written`, labelled)).status, 200);
  }
  await using server = await start('1.37', { featureGates: NEW_GATES });
  assert.deepEqual(options(await read(server, `${PODS}/kept`)), ['noexec']);
  const written = await read(server, `${PODS}/written`);
  assert.equal(options(written), undefined);
  assert.deepEqual(written['metadata'].labels, { moved: 'yes' });
});

test('an older release drops the fields of a newer one by any write, and they keep their owners', async (context) => {
  const start = moving(context);
  const drivers = '/apis/storage.k8s.io/v1/csidrivers';
  const labels = { moved: 'yes' };
  const writes: Readonly<Record<string, (server: TestServer, path: string) => Promise<{ status: number }>>> = {
    read: (server, path) => server.request('GET', path),
    same: async (server, path) => server.request('PUT', path, await read(server, path)),
    nothing: (server, path) => server.patch(path, {}),
    merged: (server, path) => server.patch(path, { metadata: { labels } }),
    applied: (server, path) => {
      const driver = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'applied', labels } };
      return server.patch(`${path}?fieldManager=m`, driver, 'application/apply-patch+yaml');
    },
  };
  {
    await using server = await start('1.37');
    const spec = { preventPodSchedulingIfMissing: true };
    for (const name of Object.keys(writes)) await created(server, drivers, { metadata: { name }, spec });
  }
  {
    await using server = await start('1.34');
    for (const [name, write] of Object.entries(writes))
      assert.equal((await write(server, `${drivers}/${name}`)).status, 200, name);
  }
  await using server = await start('1.37');
  const kept: string[] = [];
  for (const name of Object.keys(writes)) {
    const { metadata, spec } = await read(server, `${drivers}/${name}`);
    if (spec.preventPodSchedulingIfMissing) kept.push(name);
    const owners = metadata.managedFields.filter(({ fieldsV1 }: Body) => fieldsV1['f:spec'] !== undefined);
    assert.ok('f:preventPodSchedulingIfMissing' in owners[0].fieldsV1['f:spec'], name);
  }
  assert.deepEqual(kept, ['read']);
});

test('an older release keeps objects of kinds that it does not have', async (context) => {
  const start = moving(context);
  {
    await using server = await start('1.37', { featureGates: NEW_GATES, runtimeConfig: BETAS });
    const schedulingPolicy = { basic: {} };
    await created(server, GROUPS, { metadata: { name: 'g' }, spec: { schedulingPolicy } });
  }
  {
    await using server = await start('1.34', { runtimeConfig: BETAS });
    assert.equal((await server.request('GET', `${GROUPS}/g`)).status, 404);
  }
  await using server = await start('1.37', { featureGates: NEW_GATES, runtimeConfig: BETAS });
  assert.equal((await read(server, `${GROUPS}/g`))['metadata'].name, 'g');
});

test('an object stored in a version that an older release lacks is served in one that it has', async (context) => {
  const start = moving(context);
  const matchConstraints = {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  };
  const expression = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  {
    await using server = await start('1.37');
    await created(server, POLICIES, {
      metadata: { name: 'p' },
      spec: { matchConstraints, mutations, reinvocationPolicy: 'Never' },
    });
  }
  {
    await using server = await start('1.34', { runtimeConfig: BETAS, featureGates: { MutatingAdmissionPolicy: true } });
    const found = await read(server, `${OLD_POLICIES}/p`);
    assert.equal(found['apiVersion'], 'admissionregistration.k8s.io/v1beta1');
    assert.equal(found['spec'].reinvocationPolicy, 'Never');
  }
  await using server = await start('1.37');
  assert.equal((await read(server, `${POLICIES}/p`))['spec'].mutations.length, 1);
});

test('a newer release applies its defaults to objects that an older one stored', async (context) => {
  const start = moving(context);
  const drivers = '/apis/storage.k8s.io/v1/csidrivers';
  {
    await using server = await start('1.34');
    await created(server, drivers, { metadata: { name: 'd' }, spec: {} });
  }
  const asked = async (): Promise<unknown> => {
    await using server = await start('1.37');
    return (await read(server, `${drivers}/d`))['spec'].preventPodSchedulingIfMissing;
  };
  assert.equal(await asked(), false);
  assert.equal(await asked(), false, 'after another start');
});
