import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('kinds without a namespace that name their selectable fields are not selected by namespace', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const [path, status] of [
    ['/api/v1/nodes', 400],
    ['/api/v1/namespaces', 400],
    ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 400],
    ['/apis/resource.k8s.io/v1/resourceslices', 400],
    ['/api/v1/persistentvolumes', 200],
    ['/api/v1/pods', 200],
  ] as const) {
    const answer = await server.request('GET', `${path}?fieldSelector=metadata.namespace%3Dx`);
    assert.equal(answer.status, status, path);
  }
});

test('a list of events from a version to come does not say when to ask again', async () => {
  await using server = await startTestServer({ controllers: '' });
  const retryOf = async (path: string) => {
    const { body } = await server.request('GET', `${path}?resourceVersion=99999999`);
    return (body as { details: { retryAfterSeconds?: number } }).details.retryAfterSeconds;
  };
  assert.equal(await retryOf('/api/v1/events'), undefined);
  assert.equal(await retryOf('/api/v1/pods'), 1);
});
