import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'x' };
const twice = { ownerReferences: [owner, owner] };

test('repeated owners in a body of any kind are warned of, whatever becomes of the request', async () => {
  await using server = await startTestServer();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
  await server.request('POST', DEPLOYMENTS, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  const told = async (method: string, path: string, body: object, contentType = 'application/json') => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': contentType };
    const request = new Request(`https://localhost${path}`, { method, headers, body: JSON.stringify(body) });
    const { status, headers: answered } = await server.fetch(request);
    return [status, /duplicate entries( after mutating admission happens)?;/.exec(answered.get('warning') ?? '')?.[0]];
  };
  const none = { ...twice, name: 'none' };
  const own = { ...twice, name: 'd' };
  const inBody = 'duplicate entries;';
  const afterAdmission = 'duplicate entries after mutating admission happens;';
  const post = (path: string, body: object) => told('POST', path, body);
  assert.deepEqual(await post(`${NAMESPACE}/serviceaccounts/none/token`, { metadata: twice, spec: {} }), [404, inBody]);
  assert.deepEqual(await post(`${NAMESPACE}/pods/none/eviction`, { metadata: none }), [404, inBody]);
  const binding = { metadata: none, target: { name: 'n' } };
  assert.deepEqual(await post(`${NAMESPACE}/pods/none/binding`, binding), [404, inBody]);
  const review = { metadata: twice, spec: {} };
  assert.deepEqual(await post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review), [422, inBody]);
  assert.deepEqual(await told('PUT', `${DEPLOYMENTS}/d/scale`, { metadata: own, spec: { replicas: 1 } }), [
    200,
    inBody,
  ]);
  const patch = (path: string, body: object) => told('PATCH', path, body, 'application/merge-patch+json');
  assert.deepEqual(await patch(`${DEPLOYMENTS}/d/scale`, { metadata: twice }), [200, afterAdmission]);
  const old = { metadata: { ...twice, resourceVersion: '1' } };
  assert.deepEqual(await patch(`${DEPLOYMENTS}/d`, old), [409, afterAdmission]);
});
