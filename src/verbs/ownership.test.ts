import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { limits } from '../base/limits.ts';
import { startTestServer, type TestServer } from '../testing.ts';

async function ownedBy(server: TestServer, path: string, body: unknown): Promise<unknown> {
  const { body: made } = await server.request('POST', path, body);
  const { metadata } = made as { metadata: { managedFields?: { fieldsV1: unknown }[] } };
  return metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1);
}

describe('the managed fields of a create', () => {
  test('a creator owns an empty list only if the list is always serialized', async () => {
    await using server = await startTestServer();
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
    assert.deepEqual(await ownedBy(server, roles, { metadata: { name: 'a' }, rules: [] }), [{ 'f:rules': {} }]);
    assert.deepEqual(await ownedBy(server, roles, { metadata: { name: 'b', finalizers: [] } }), undefined);
  });

  test('a creator owns fields that are dropped because their feature gate is off', async () => {
    await using server = await startTestServer();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = { metadata: { name: 'a' }, spec: { leaseTransitions: 1, strategy: 'OldestEmulationVersion' } };
    assert.deepEqual(await ownedBy(server, leases, lease), [
      { 'f:spec': { 'f:leaseTransitions': {}, 'f:strategy': {} } },
    ]);
    const { body } = await server.request('GET', `${leases}/a`);
    assert.deepEqual((body as { spec: unknown }).spec, { leaseTransitions: 1 });
  });

  test('a Job with empty labels gets those of its pods, and one of pods with empty labels those that select them', async () => {
    await using server = await startTestServer();
    const made = async (name: string, labels: object | undefined, ofPods: object) => {
      const pods = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] };
      const spec = { template: { metadata: { labels: ofPods }, spec: pods } };
      const { body } = await server.request('POST', '/apis/batch/v1/namespaces/default/jobs', {
        metadata: { name, labels },
        spec,
      });
      type Made = { metadata: { labels: object; managedFields: { fieldsV1: { 'f:metadata'?: object } }[] } };
      const { metadata } = body as Made;
      return { labels: Object.keys(metadata.labels), owned: metadata.managedFields[0]?.fieldsV1['f:metadata'] };
    };
    const own = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];
    for (const labels of [undefined, {}]) {
      const name = labels === undefined ? 'none' : 'empty';
      assert.deepEqual(await made(name, labels, { a: 'b' }), {
        labels: ['a', ...own],
        owned: { 'f:labels': { '.': {}, 'f:a': {} } },
      });
      assert.deepEqual(await made(`${name}-of-pods`, labels, {}), { labels: own, owned: undefined });
    }
  });

  test('a creator owns the annotation for the template generation of a DaemonSet', async () => {
    await using server = await startTestServer();
    const sets = '/apis/apps/v1/namespaces/default/daemonsets';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    const set = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const [fields] = (await ownedBy(server, sets, set)) as { 'f:metadata': unknown }[];
    assert.deepEqual(fields?.['f:metadata'], {
      'f:annotations': { '.': {}, 'f:deprecated.daemonset.template.generation': {} },
    });
    const { body } = await server.request('GET', `${sets}/a`);
    const { annotations } = (body as { metadata: { annotations: unknown } }).metadata;
    assert.deepEqual(annotations, { 'deprecated.daemonset.template.generation': '1' });
  });

  test('a creator owns every member of a large map, sorted by name', async () => {
    await using server = await startTestServer();
    const names = Array.from({ length: 2 * limits.membersInStep }, (_, index) => `k${(index * 7) % 10_007}`);
    const maps = '/api/v1/namespaces/default/configmaps';
    const data = Object.fromEntries(names.map((name) => [name, 'v']));
    const [fields] = (await ownedBy(server, maps, { metadata: { name: 'a' }, data })) as { 'f:data': object }[];
    const elements = names.toSorted().map((name) => `f:${name}`);
    assert.deepEqual(Object.keys(fields?.['f:data'] as object), ['.', ...elements]);
  });

  test('a creator owns raw objects as a whole, and nothing of deletionTimestamp', async () => {
    await using server = await startTestServer();
    const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const metadata = { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 1 };
    assert.deepEqual(await ownedBy(server, revisions, { metadata, data: { a: { b: 1 } }, revision: 1 }), [
      { 'f:data': {}, 'f:revision': {} },
    ]);
  });

  test('a create with a resourceVersion fails after validation, and succeeds as a dry run', async () => {
    await using server = await startTestServer();
    const maps = '/api/v1/namespaces/default/configmaps';
    const map = { metadata: { name: 'a', resourceVersion: '5' } };
    const { status, body } = await server.request('POST', `${maps}?dryRun=All`, map);
    assert.equal(status, 201);
    assert.equal((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion, '5');
    assert.equal((await server.request('POST', maps, map)).status, 500);
    assert.equal((await server.request('POST', maps, { metadata: { ...map.metadata, name: 'A B' } })).status, 422);
  });
});

test('entries of managedFields in unknown API versions are dropped by the next write', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/configmaps';
  const entry = (apiVersion: string) => ({
    manager: 'm',
    operation: 'Update',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:x': {} } },
  });
  const managersAfter = async (apiVersion: string, name: string) => {
    const created = { metadata: { name, managedFields: [entry(apiVersion)] }, data: { k: 'v' } };
    const { body } = await server.request('POST', maps, created);
    await server.patch(`${maps}/${name}`, { data: { k: 'w' } });
    const { body: patched } = await server.patch(`${maps}/${name}`, {
      metadata: { managedFields: [entry(apiVersion)] },
    });
    return [body, patched].map(
      (each) => (each as { metadata: { managedFields?: { manager: string }[] } }).metadata.managedFields?.length,
    );
  };
  assert.deepEqual(await managersAfter('v1', 'known'), [2, 1]);
  assert.deepEqual(await managersAfter('x.example/v1', 'unknown'), [1, undefined]);
  assert.deepEqual(await managersAfter('a/b/c', 'unreadable'), [undefined, undefined]);
});

const APPLY = 'application/apply-patch+yaml';
const GROUP = 'owned.example.com';
const THINGS = `/apis/${GROUP}/v1/things`;
const THING = { apiVersion: `${GROUP}/v1`, kind: 'Thing' };

async function serveThings(server: TestServer): Promise<void> {
  const status = { type: 'object', properties: { mode: { type: 'string' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { status } } };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await until('things are served', async () => (await server.request('GET', THINGS)).status === 200);
}

interface Labelled {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name: string };
  readonly spec?: object;
}

describe('an apply of labels to the status of an object', () => {
  /** Whether it owns the label, by release. */
  const ownsLabel = async (release: string, path: string, type: object, rest: object) => {
    await using server = await startTestServer({ kubernetesVersion: release });
    if (path === THINGS) await serveThings(server);
    return await ownsLabelOn(server, path, { ...type, metadata: { name: 'a' }, ...rest });
  };
  const ownsLabelOn = async (server: TestServer, path: string, object: Labelled) => {
    const { apiVersion, kind, metadata: named } = object;
    assert.equal((await server.request('POST', path, object)).status, 201);
    const applied = { apiVersion, kind, metadata: { ...named, labels: { a: 'b' } } };
    const { status, body } = await server.patch(`${path}/${named.name}/status?fieldManager=m`, applied, APPLY);
    assert.equal(status, 200);
    const { metadata } = body as { metadata: { labels?: object; managedFields?: object[] } };
    assert.equal(metadata.labels, undefined, 'the write does not change the labels');
    return JSON.stringify(metadata.managedFields ?? []).includes('f:labels');
  };

  test('an apply to the status of a ResourceClaim owns no labels from 1.35 on', async () => {
    const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const type = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim' };
    const owns = (release: string) => ownsLabel(release, claims, type, { spec: {} });
    assert.deepEqual([await owns('1.34'), await owns('1.35')], [true, false]);
  });

  test('an apply to the status of a custom resource owns no labels from 1.36 on', async () => {
    const owns = (release: string) => ownsLabel(release, THINGS, THING, {});
    assert.deepEqual([await owns('1.35'), await owns('1.36')], [true, false]);
  });

  test('an apply to the status of a CustomResourceDefinition owns the labels that it writes from 1.36 on', async () => {
    const managers = async (release: string) => {
      await using server = await startTestServer({ kubernetesVersion: release });
      await serveThings(server);
      const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
      const metadata = { name: `things.${GROUP}`, labels: { a: 'b' } };
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${GROUP}/status?fieldManager=m`;
      const { body } = await server.patch(path, { ...type, metadata }, APPLY);
      const written = (
        body as { metadata: { labels?: object; managedFields: { manager: string; fieldsV1: object }[] } }
      ).metadata;
      assert.deepEqual(written.labels, { a: 'b' });
      return written.managedFields.flatMap(({ manager, fieldsV1 }) => (manager === 'm' ? [fieldsV1] : []));
    };
    assert.deepEqual(await managers('1.35'), []);
    assert.deepEqual(await managers('1.36'), [{ 'f:metadata': { 'f:labels': { 'f:a': {} } } }]);
  });

  test('an apply to the status of a StorageVersion changes no labels', async () => {
    await using server = await startTestServer({
      featureGates: { StorageVersionAPI: true },
      runtimeConfig: { 'internal.apiserver.k8s.io/v1alpha1': 'true' },
    });
    const type = { apiVersion: 'internal.apiserver.k8s.io/v1alpha1', kind: 'StorageVersion' };
    const path = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
    assert.equal(await ownsLabelOn(server, path, { ...type, metadata: { name: 'a.b' }, spec: {} }), false);
  });

  test('an apply to the status of a CSINode owns no labels', async () => {
    const type = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' };
    assert.equal(await ownsLabel('1.37', '/apis/storage.k8s.io/v1/csinodes', type, { spec: { drivers: [] } }), false);
  });
});

test('managedFields are kept from 1.37 on if those of an update cannot be computed, and are dropped before', async () => {
  const managersAfter = async (release: string) => {
    await using server = await startTestServer({ kubernetesVersion: release });
    await serveThings(server);
    const thing = { ...THING, metadata: { name: 'a', labels: { a: 'b' } } };
    await server.request('POST', THINGS, thing);
    const mistyped = { metadata: { labels: { c: 'd' } }, status: { mode: 1 } };
    const { body } = await server.patch(`${THINGS}/a`, mistyped);
    const { labels, managedFields } = (body as { metadata: { labels: object; managedFields?: { fieldsV1: object }[] } })
      .metadata;
    assert.deepEqual(labels, { a: 'b', c: 'd' });
    return managedFields?.map(({ fieldsV1 }) => fieldsV1);
  };
  assert.equal(await managersAfter('1.36'), undefined);
  assert.deepEqual(await managersAfter('1.37'), [{ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }]);
});

test('from 1.37 on an object without the keys of a list keeps its managers, and no apply changes it', async () => {
  await using server = await startTestServer({ kubernetesVersion: '1.37' });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const metadata = { name: 'a' };
  await server.request('POST', accounts, { metadata, secrets: [{ name: 'a' }] });
  for (const more of [{}, { automountServiceAccountToken: true }]) {
    const { body } = await server.request('PUT', `${accounts}/a`, { metadata, secrets: [{}], ...more });
    const { managedFields } = (body as { metadata: { managedFields: { fieldsV1: object }[] } }).metadata;
    assert.deepEqual(
      managedFields.map(({ fieldsV1 }) => fieldsV1),
      [{ 'f:secrets': { '.': {}, 'k:{"name":"a"}': {} } }],
    );
  }
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const url = `https://localhost${accounts}/a?fieldManager=m`;
  const answer = await server.fetch(new Request(url, { method: 'PATCH', headers, body }));
  const { message } = (await answer.json()) as { message: string };
  assert.match(
    message,
    /^failed to create typed live object \(default\/a; \/v1, Kind=ServiceAccount\): \.secrets: element 0: /,
  );
});
