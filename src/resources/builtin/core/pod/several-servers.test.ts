import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';

/** The status of creating a pod with an IP address that older releases accepted. */
async function statusOf(server: TestServer, name: string): Promise<number> {
  const spec = { containers: [{ name: 'c', image: 'i' }], hostAliases: [{ ip: '010.000.000.001' }] };
  return (await server.request('POST', PODS, { metadata: { name }, spec })).status;
}

test('a pod that one server accepted is validated by another server with its own feature gates', async () => {
  await using lenient = await startTestServer({ controllers: '' });
  await using strict = await startTestServer({ controllers: '', featureGates: { StrictIPCIDRValidation: true } });
  assert.equal(await statusOf(lenient, 'a'), 201);
  assert.equal(await statusOf(strict, 'a'), 422);
  assert.equal(await statusOf(lenient, 'b'), 201);
});

test('a privileged pod that one server accepted is rejected by a server with --allow-privileged=false', async () => {
  await using lenient = await startTestServer({ controllers: '' });
  await using strict = await startTestServer({ controllers: '', allowPrivileged: false });
  const pod = (name: string) => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] },
  });
  assert.equal((await lenient.request('POST', PODS, pod('a'))).status, 201);
  assert.equal((await lenient.request('POST', PODS, pod('b'))).status, 201);
  assert.equal((await strict.request('POST', PODS, pod('a'))).status, 422);
});
