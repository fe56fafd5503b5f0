import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

async function ttls(server: TestServer): Promise<(string | undefined)[]> {
  await server.cluster.settled();
  const nodes = await items<{ metadata: { annotations?: Record<string, string> } }>(server, '/api/v1/nodes');
  return [...new Set(nodes.map(({ metadata }) => metadata.annotations?.['node.alpha.kubernetes.io/ttl']))];
}

test('the annotation ttl of nodes grows with the cluster', async () => {
  await using server = await startTestServer({ controllers: '*,ttl-controller' });
  const node = (number: number) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${number}` } });
  for (let number = 1; number <= 100; number++) await server.request('POST', '/api/v1/nodes', node(number));
  assert.deepEqual(await ttls(server), ['0']);
  await server.request('POST', '/api/v1/nodes', node(101));
  assert.deepEqual(await ttls(server), ['15']);
  await server.request('DELETE', '/api/v1/nodes/n1');
  assert.deepEqual(await ttls(server), ['15']);
  for (let number = 2; number <= 12; number++) await server.request('DELETE', `/api/v1/nodes/n${number}`);
  assert.deepEqual(await ttls(server), ['0']);
});
