import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const KINDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const version = (name: string, storage: boolean) => ({
  ...{ name, served: true, storage, subresources: { status: {} } },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: text, b: text } },
        status: { type: 'object', properties: { a: text } },
      },
    },
  },
});

async function ownedAfterStatus(server: TestServer): Promise<unknown> {
  await server.request('POST', KINDS, {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'as.x.com' } },
    spec: {
      ...{ group: 'x.com', scope: 'Namespaced', names: { plural: 'as', kind: 'A' } },
      versions: [version('v1beta1', false), version('v1', true)],
    },
  });
  const path = (name: string) => `/apis/x.com/${name}/namespaces/default/as/o`;
  await until(
    'the kind is served',
    async () => (await server.request('GET', path('v1').replace('/o', ''))).status === 200,
  );
  const applied = { apiVersion: 'x.com/v1', kind: 'A', metadata: { name: 'o' }, spec: { a: '1', b: '2' } };
  await server.patch(`${path('v1')}?fieldManager=applier`, applied, 'application/apply-patch+yaml');
  const { body } = await server.patch(`${path('v1beta1')}/status`, { spec: { a: '3' }, status: { a: '4' } });
  const { managedFields } = (body as { metadata: { managedFields: { manager: string; fieldsV1: object }[] } }).metadata;
  return managedFields.find(({ manager }) => manager === 'applier')?.fieldsV1;
}

for (const [release, fields] of [
  ['1.34', { 'f:b': {} }],
  ['1.35', { 'f:a': {}, 'f:b': {} }],
] as const) {
  const does = release === '1.34' ? 'takes what it says of the rest from' : 'leaves the rest with';
  test(`a status update in another version ${does} its manager in ${release}`, async () => {
    await using server = await startTestServer({ kubernetesVersion: release });
    assert.deepEqual(await ownedAfterStatus(server), { 'f:spec': fields });
  });
}
