import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../testing.ts';

test('updates of the subresources of a pod that validate its spec validate its metadata, too', async () => {
  await using server = await startTestServer({ controllers: '' });
  const namespace = '/api/v1/namespaces/default';
  await server.request('POST', `${namespace}/serviceaccounts`, {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });
  const spec = { containers: [{ name: 'a', image: 'b' }] };
  const made = await server.request('POST', `${namespace}/pods`, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec },
  });
  assert.equal(made.status, 201);
  for (const subresource of ['ephemeralcontainers', 'resize']) {
    const write = (generateName: string) =>
      server.patch(`${namespace}/pods/p/${subresource}?dryRun=All`, { metadata: { generateName } });
    assert.equal((await write('Bad_')).status, 422, subresource);
    assert.equal((await write('good-')).status, 200, subresource);
  }
});

test('a resize that names no containers leaves the resources of the pod as they are from 1.37 on', async () => {
  await using server = await startTestServer({ controllers: '', kubernetesVersion: '1.37' });
  const namespace = '/api/v1/namespaces/default';
  await server.request('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'a', image: 'b' }], resources: { requests: { memory: '1Gi' } } };
  assert.equal((await server.request('POST', `${namespace}/pods`, { metadata: { name: 'p' }, spec })).status, 201);
  const { body } = await server.request('PUT', `${namespace}/pods/p/resize`, { metadata: { name: 'p' } });
  const { message } = body as { message: string };
  assert.match(message, /spec\.containers: Forbidden: containers may not be added or removed on resize/);
  assert.doesNotMatch(message, /QOS Class|resources/);
});
