import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('cluster-scoped kinds with their own selectable fields reject the field selector metadata.namespace', async () => {
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

test('a list of events at a future resourceVersion has no retryAfterSeconds', async () => {
  await using server = await startTestServer({ controllers: '' });
  const retryOf = async (path: string) => {
    const { body } = await server.request('GET', `${path}?resourceVersion=99999999`);
    return (body as { details: { retryAfterSeconds?: number } }).details.retryAfterSeconds;
  };
  assert.equal(await retryOf('/api/v1/events'), undefined);
  assert.equal(await retryOf('/api/v1/pods'), 1);
});

test('a continued list at resourceVersion=0 ignores its limit, except for events', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const path of ['/api/v1/namespaces/default/configmaps', '/api/v1/namespaces/default/events']) {
    for (const name of ['a', 'b', 'c']) {
      const involvedObject = { namespace: 'default' };
      await server.request(
        'POST',
        path,
        path.endsWith('events') ? { metadata: { name }, involvedObject } : { metadata: { name } },
      );
    }
    const first = (await server.request('GET', `${path}?limit=1`)).body as { metadata: { continue: string } };
    const token = encodeURIComponent(first.metadata.continue);
    const rest = await server.request('GET', `${path}?limit=1&resourceVersion=0&continue=${token}`);
    const { items } = rest.body as { items: unknown[] };
    assert.equal(items.length, path.endsWith('events') ? 1 : 2, path);
  }
});

test('without --watch-cache, lists at any resourceVersion apply their limit and do not wait for future versions', async () => {
  await using server = await startTestServer({ controllers: '', watchCache: false });
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['a', 'b', 'c']) await server.request('POST', path, { metadata: { name } });
  const first = (await server.request('GET', `${path}?limit=1&resourceVersion=0`)).body as {
    items: unknown[];
    metadata: { continue: string };
  };
  assert.equal(first.items.length, 1);
  const token = encodeURIComponent(first.metadata.continue);
  const rest = await server.request('GET', `${path}?limit=1&resourceVersion=0&continue=${token}`);
  assert.equal((rest.body as { items: unknown[] }).items.length, 1);
  const later = await server.request('GET', `${path}?resourceVersion=99999999`);
  assert.equal((later.body as { details: { retryAfterSeconds?: number } }).details.retryAfterSeconds, undefined);
});

test('a list by label finds objects between others with the same labels, with others, and with none', async () => {
  await using server = await startTestServer({ controllers: '' });
  const path = '/api/v1/namespaces/default/configmaps';
  const own = { app: 'web' };
  for (const [name, labels] of Object.entries({
    a: undefined,
    b: own,
    c: own,
    d: { app: 'db' },
    e: own,
    f: undefined,
  })) {
    await server.request('POST', path, { metadata: { name, labels } });
  }
  for (const [selector, expected] of [
    ['app=web', 'bce'],
    ['app!=web', 'adf'],
    ['!app', 'af'],
    ['app', 'bcde'],
  ] as const) {
    const { body } = await server.request('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`);
    const { items } = body as { items: { metadata: { name: string } }[] };
    assert.equal(items.map(({ metadata }) => metadata.name).join(''), expected, selector);
  }
});
