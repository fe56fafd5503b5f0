import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../testing.ts';

const SYSTEM = '/api/v1/namespaces/kube-system';

async function post(server: TestServer, path: string, body: object): Promise<void> {
  const answer = await server.request('POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  await server.cluster.settled();
}

function bootstrapToken(server: TestServer, more: object = {}): Promise<void> {
  const stringData = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', ...more };
  const metadata = { name: 'bootstrap-token-abcdef' };
  return post(server, `${SYSTEM}/secrets`, { type: 'bootstrap.kubernetes.io/token', metadata, stringData });
}

async function status(server: TestServer, path: string): Promise<number> {
  await server.cluster.settled();
  return (await server.request('GET', path)).status;
}

test('a bootstrap token is deleted when it expires', async () => {
  await using server = await startTestServer({ controllers: '*,token-cleaner-controller' });
  const expiration = new Date(server.clock!.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  await bootstrapToken(server, { expiration });
  const path = `${SYSTEM}/secrets/bootstrap-token-abcdef`;
  await server.clock!.advance('59m');
  assert.equal(await status(server, path), 200);
  await server.clock!.advance('2m');
  assert.equal(await status(server, path), 404);
});

test('cluster-info is signed with the bootstrap tokens that may sign', async () => {
  await using server = await startTestServer({ controllers: '*,bootstrap-signer-controller' });
  const place = '/api/v1/namespaces/kube-public/configmaps';
  await post(server, place, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'content' } });
  await bootstrapToken(server, { 'usage-bootstrap-signing': 'true' });
  const data = async () => {
    await server.cluster.settled();
    return ((await server.request('GET', `${place}/cluster-info`)).body as { data: Record<string, string> }).data;
  };
  const [header = '', content, signature] = ((await data())['jws-kubeconfig-abcdef'] ?? '').split('.');
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), { alg: 'HS256', kid: 'abcdef' });
  assert.equal(content, '');
  const signed = `${header}.${Buffer.from('content').toString('base64url')}`;
  assert.equal(signature, createHmac('sha256', '0123456789abcdef').update(signed).digest('base64url'));
  await server.request('DELETE', `${SYSTEM}/secrets/bootstrap-token-abcdef`);
  assert.deepEqual(await data(), { kubeconfig: 'content' });
});
