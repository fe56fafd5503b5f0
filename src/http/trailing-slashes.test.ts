import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

test('trailing slashes of discovery documents, versions and keys are ignored', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const path of ['/version', '/api', '/api/v1', '/apis/apps', '/apis/apps/v1', '/openid/v1/jwks']) {
    for (const slashes of ['', '/', '//', '///']) {
      assert.equal(await statusOf(server, path + slashes), 200, path + slashes);
    }
  }
  for (const path of ['/apis//', '/version//x', '/apis/absent//', '/apis/apps//v1', '/openapi/v2//']) {
    assert.equal(await statusOf(server, path), 404, path);
  }
});

test('escapes in a path are resolved before it is matched', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const path of ['/%61pi', '/api%2fv1', '/%76ersion', '/healthz%2Fping']) {
    assert.equal(await statusOf(server, path), 200, path);
  }
});

test('discovery of a group answers every method if the aggregator serves it, else GET only', async () => {
  await using server = await startTestServer({ controllers: '' });
  const posted = async (path: string) => (await server.request('POST', path, {})).status;
  assert.equal(await posted('/apis/apps'), 200);
  assert.equal(await posted('/apis/apps/'), 200);
  assert.equal(await posted('/apis/apps//'), 405);
  assert.equal(await posted('/apis/apiregistration.k8s.io'), 405);
});

test('a client that reads a pod log must accept objects, too', async () => {
  await using server = await startTestServer({ controllers: '' });
  const statusFor = (accept: string) => statusOf(server, '/api/v1/namespaces/default/pods/absent/log', accept);
  for (const accept of ['text/plain', 'text/html', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
    assert.equal(await statusFor(accept), 406, accept);
  }
  for (const accept of ['*/*', 'application/json, */*', 'text/plain, */*', 'application/yaml']) {
    assert.equal(await statusFor(accept), 404, accept);
  }
});

async function statusOf(server: TestServer, path: string, accept = '*/*'): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}`, accept };
  return (await server.fetch(new Request(`https://localhost${path}`, { headers }))).status;
}
