import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const MIGRATIONS = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const started = () =>
  startTestServer({
    featureGates: { StorageVersionMigrator: true },
    runtimeConfig: { 'storagemigration.k8s.io/v1alpha1': 'true' },
  });

async function migrated(server: TestServer, name: string, resource: JsonObject): Promise<Body> {
  const made = await server.request('POST', MIGRATIONS, { metadata: { name }, spec: { resource } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  let status: Body = {};
  await until('the migration is over', async () => {
    const { body } = await server.request('GET', `${MIGRATIONS}/${name}`);
    status = (body as Body)['status'] ?? {};
    return (status['conditions'] ?? []).some(({ type }: Body) => type !== 'Running');
  });
  return status;
}

const states = ({ conditions }: Body) =>
  conditions.map(({ type, status, reason }: Body) => `${type} ${status} ${reason}`);

test('a StorageVersionMigration writes every object again, in the storage version', async () => {
  await using server = await started();
  const version = (name: string, storage: boolean) => ({
    ...{ name, storage, served: true },
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names,
    versions: [version('v1', true), version('v2', false)],
  };
  await server.request('POST', DEFINITIONS, { metadata: { name: 'things.example.com' }, spec });
  const things = '/apis/example.com/v2/namespaces/default/things';
  const thing = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' }, value: 1 };
  await until('the resource is served', async () => (await server.request('POST', things, thing)).status === 201);
  const versionOf = async () => ((await server.request('GET', `${things}/a`)).body as Body)['metadata'].resourceVersion;
  const before = await versionOf();
  const swapped = { versions: [version('v1', false), version('v2', true)] };
  await server.patch(`${DEFINITIONS}/things.example.com`, { spec: swapped });
  const status = await migrated(server, 'm', { group: 'example.com', version: 'v2', resource: 'things' });
  assert.deepEqual(states(status), [
    'Running False StorageVersionMigrationInProgress',
    'Succeeded True StorageVersionMigrationSucceeded',
  ]);
  assert.match(status['resourceVersion'], /^\d+$/);
  assert.notEqual(await versionOf(), before, 'it was stored anew');
  const { body } = await server.request('GET', `${things}/a`);
  assert.equal((body as Body)['value'], 1);
  const again = await versionOf();
  assert.equal(
    (await migrated(server, 'n', { group: 'example.com', version: 'v2', resource: 'things' }))['conditions'].length,
    2,
  );
  assert.equal(await versionOf(), again, 'what is stored as it should be is left alone');
});

test('a StorageVersionMigration of a resource that is not served fails', async () => {
  await using server = await started();
  const status = await migrated(server, 'm', { group: 'apps', version: 'v1beta1', resource: 'deployments' });
  assert.deepEqual(states(status), ['Failed True StorageVersionMigrationFailed']);
  assert.equal(status['conditions'][0].message, 'resource does not exist in discovery');
});
