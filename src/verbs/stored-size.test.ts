import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'larges.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'larges', singular: 'large', kind: 'Large', listKind: 'LargeList' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const LARGES = '/apis/example.com/v1/larges';
const TOO_LARGE = { status: 500, message: 'etcdserver: request is too large', reason: undefined };

interface Answer {
  readonly message?: string;
  readonly reason?: string;
  readonly metadata: { readonly managedFields?: unknown };
}

async function withLarges(): Promise<TestServer> {
  const server = await startTestServer();
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await until('the resource is served', async () => (await server.request('GET', LARGES)).status === 200);
  return server;
}

const large = (characters: number) => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Large', metadata: { name: 'a' } },
  text: 'x'.repeat(characters),
});

function summary({ status, body }: { status: number; body: unknown }) {
  const { message, reason } = body as Answer;
  return { status, message, reason };
}

describe('the size of a stored object', () => {
  // kube-apiserver 1.34 stores this object, whose name is four characters longer there, with 1,572,598 characters.
  it('a create of an object that is larger than etcd permits is rejected', async () => {
    await using server = await withLarges();
    assert.deepEqual(summary(await server.request('POST', LARGES, large(1_572_650))), TOO_LARGE);
    assert.equal((await server.request('POST', LARGES, large(1_572_550))).status, 201);
  });

  it('an object that its managedFields make too large is stored without them', async () => {
    await using server = await withLarges();
    const { status, body } = await server.request('POST', LARGES, large(1_572_500));
    assert.equal(status, 201);
    assert.equal((body as Answer).metadata.managedFields, undefined);
  });

  it('an apply of an object that its managedFields make too large is rejected', async () => {
    await using server = await withLarges();
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' };
    const init = { method: 'PATCH', headers, body: JSON.stringify(large(1_572_500)) };
    const response = await server.fetch(new Request(`https://localhost${LARGES}/a?fieldManager=m`, init));
    assert.deepEqual(summary({ status: response.status, body: await response.json() }), TOO_LARGE);
  });

  it('a patch that makes an object larger than etcd permits is rejected', async () => {
    await using server = await withLarges();
    await server.request('POST', LARGES, large(1_000_000));
    const patch = { more: 'y'.repeat(600_000) };
    assert.deepEqual(summary(await server.patch(`${LARGES}/a`, patch)), TOO_LARGE);
  });

  it('an object that is larger than 2 MiB is rejected with the message of gRPC', async () => {
    await using server = await withLarges();
    const { status, message } = summary(await server.request('POST', LARGES, large(2_200_000)));
    assert.equal(status, 500);
    assert.match(message ?? '', /^rpc error: .* trying to send message larger than max \(22\d{5} vs\. 2097152\)$/);
  });

  it('the size of a built-in object is that of its protobuf, in which strings are not escaped', async () => {
    await using server = await startTestServer();
    const maps = '/api/v1/namespaces/default/configmaps';
    const { status } = await server.request('POST', maps, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      data: { lines: '\n'.repeat(1_000_000) },
    });
    assert.equal(status, 201);
  });

  it('an object of a dry run may be larger than etcd permits', async () => {
    await using server = await withLarges();
    assert.equal((await server.request('POST', `${LARGES}?dryRun=All`, large(2_200_000))).status, 201);
  });
});
