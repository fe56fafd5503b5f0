import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

const path = '/apis/networking.k8s.io/v1/ingressclasses';
const ingressClass = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'a' },
  spec: { controller: 'example.com/a' },
};

async function patched(server: TestServer, operations: readonly object[]) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json-patch+json' };
  const init = { method: 'PATCH', headers, body: JSON.stringify(operations) };
  const response = await server.fetch(new Request(`https://localhost${path}/a`, init));
  const { message = '' } = (await response.json()) as { message?: string };
  return { status: response.status, warning: response.headers.get('warning') ?? '', message };
}

describe('the generation of an object', () => {
  it('counts members that are given as empty where Kubernetes tells them from none', async () => {
    await using server = await startTestServer();
    const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
    const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'a' } };
    await server.request('POST', policies, { ...policy, spec: { podSelector: {} } });
    const generations: unknown[] = [];
    for (const podSelector of [{}, { matchExpressions: [] }, { matchExpressions: [] }]) {
      const { body } = await server.patch(`${policies}/a`, { spec: { podSelector } });
      generations.push((body as { metadata: { generation?: number } }).metadata.generation);
    }
    assert.deepEqual(generations, [1, 2, 3]);
  });
});

describe('kind and version of a patched object', () => {
  it('without a version it has no members that anybody knows', async () => {
    await using server = await startTestServer();
    await server.request('POST', path, ingressClass);
    const { status, warning, message } = await patched(server, [{ op: 'remove', path: '/apiVersion' }]);
    assert.equal(status, 400);
    assert.match(message, /a based on URL\) was undeterminable/);
    assert.match(warning, /unknown field \\"metadata\\"".*unknown field \\"spec\\"/);
  });

  it('what is not text, and kinds that no version has', async () => {
    await using server = await startTestServer();
    await server.request('POST', path, ingressClass);
    const number = await patched(server, [{ op: 'replace', path: '/kind', value: 1 }]);
    assert.equal(number.status, 422);
    assert.match(number.message, /cannot unmarshal number into Go struct field \.kind of type string$/);
    const moved = await patched(server, [{ op: 'move', path: '/kind', from: '/apiVersion' }]);
    assert.match(moved.message, /is registered for the internal version of group \\?"networking.k8s.io\\?" in scheme/);
  });
});
