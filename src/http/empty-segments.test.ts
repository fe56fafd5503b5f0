import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('a path with an empty namespace or name is an error that says what is missing', async () => {
  await using server = await startTestServer({ controllers: '' });
  const answer = async (method: string, path: string) => {
    const { status, body } = await server.request(
      method,
      path,
      method === 'GET' || method === 'DELETE' ? undefined : {},
    );
    return `${status} ${(body as { message?: string }).message ?? ''}`;
  };
  const pods = '/api/v1/namespaces//pods';
  assert.match(await answer('GET', pods), /^200/, 'a list across namespaces');
  for (const [method, path] of [
    ['DELETE', pods],
    ['GET', `${pods}/a`],
    ['DELETE', `${pods}/a`],
    ['GET', `${pods}/a/log`],
  ] as const) {
    assert.equal(await answer(method, path), '400 Namespace parameter required.', `${method} ${path}`);
  }
  assert.match(await answer('POST', '/api/v1/namespaces//configmaps'), /^422 .*metadata\.namespace: Required value/);
  for (const [method, path] of [
    ['GET', '/api/v1/nodes//status'],
    ['PUT', '/api/v1/namespaces//finalize'],
    ['POST', '/api/v1/namespaces/default/pods//eviction'],
    ['GET', '/api/v1/namespaces/default/pods//exec'],
    ['DELETE', '/api/v1/nodes//proxy'],
  ] as const) {
    assert.equal(await answer(method, path), '400 name must be provided', `${method} ${path}`);
  }
  for (const [method, path] of [
    ['POST', '/api/v1/nodes//status'],
    ['GET', '/api/v1/namespaces/default/pods//eviction'],
    ['PUT', `${pods}/a/log`],
    ['PUT', pods],
    ['PATCH', pods],
  ] as const) {
    assert.match(await answer(method, path), /^405/, `${method} ${path}`);
  }
  assert.match(await answer('GET', '/apis//v1/pods'), /^404 $/, 'the core group is below /api alone');
});

test('resources that are never stored have no paths of objects', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const path of [
    '/apis/authentication.k8s.io/v1/tokenreviews',
    '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
    '/api/v1/namespaces/default/bindings',
  ]) {
    for (const method of ['GET', 'PUT', 'DELETE', 'POST']) {
      const { status } = await server.request(method, `${path}/a`, method === 'PUT' ? {} : undefined);
      assert.equal(status, 404, `${method} ${path}/a`);
    }
    assert.equal((await server.request('GET', path)).status, 405);
  }
});

test('a path with a verb and nothing else is rejected for every user', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const path of ['/api/v1/watch', '/apis/apps/v1/proxy', '/api/v1/watch?limit=1']) {
    const response = await server.fetch(new Request(`https://localhost${path}`));
    const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
    assert.equal(response.status, 500);
    assert.equal(response.headers.get('cache-control'), null);
    assert.equal(await response.text(), `Internal Server Error: "${path}": ${why}\n`);
  }
});
