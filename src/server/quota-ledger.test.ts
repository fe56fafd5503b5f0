import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { at } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const HOME = '/api/v1/namespaces/default';

async function limit(server: TestServer, hard: JsonObject, used: JsonObject): Promise<void> {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } };
  assert.equal((await server.request('POST', `${HOME}/resourcequotas`, quota)).status, 201);
  assert.equal((await server.patch(`${HOME}/resourcequotas/q/status`, { status: { hard, used } })).status, 200);
}

async function used(server: TestServer): Promise<unknown> {
  return at((await server.request('GET', `${HOME}/resourcequotas/q`)).body as JsonObject, 'status', 'used');
}

async function makeSecrets(server: TestServer, names: readonly string[]): Promise<number[]> {
  const answers = names.map((name) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { a: '1' } };
    return server.request('POST', `${HOME}/secrets`, secret);
  });
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

const times = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

describe('ResourceQuotas of a server', () => {
  it('ResourceQuotas of a server hold when many objects are created concurrently, and another client updates the quota', async () => {
    await using server = await startTestServer();
    await limit(server, { secrets: '10', pods: '1' }, { secrets: '0', pods: '0' });
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
    const [statuses] = await Promise.all([
      makeSecrets(server, names),
      server.patch(`${HOME}/resourcequotas/q`, { metadata: { labels: { a: 'b' } } }),
    ]);
    assert.deepEqual(statuses, [...times(10, 201), ...times(50, 403)]);
    assert.deepEqual(await used(server), { pods: '0', secrets: '10' });
  });

  it('ResourceQuotas of a server are charged for stored objects only', async () => {
    await using server = await startTestServer();
    await limit(server, { secrets: '100' }, { secrets: '0' });
    assert.deepEqual(await makeSecrets(server, times(20, 'same')), [201, ...times(19, 409)]);
    assert.deepEqual(await makeSecrets(server, ['No Name']), [422]);
    assert.deepEqual(await used(server), { secrets: '1' });
    await server.request('DELETE', `${HOME}/secrets/same`);
    // Who deletes leaves it to others to count again.
    assert.deepEqual(await used(server), { secrets: '1' });
  });

  it('ResourceQuotas of a server are charged for stored updates only', async () => {
    await using server = await startTestServer();
    await limit(server, { 'services.nodeports': '2' }, { 'services.nodeports': '0' });
    const service = (ports: number[], version?: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', resourceVersion: version },
      spec: { type: 'NodePort', ports: ports.map((port) => ({ port, name: `p${port}` })) },
    });
    const created = await server.request('POST', `${HOME}/services`, service([1]));
    assert.equal(created.status, 201);
    const version = at(created.body as JsonObject, 'metadata', 'resourceVersion') as string;
    const updates = await Promise.all(
      times(5, 0).map(() => server.request('PUT', `${HOME}/services/s`, service([1, 2], version))),
    );
    assert.deepEqual(
      updates.map(({ status }) => status).filter((status) => status === 200),
      [200],
    );
    assert.deepEqual(await used(server), { 'services.nodeports': '2' });
    const more = await server.request('PUT', `${HOME}/services/s`, service([1, 2, 3]));
    assert.equal(more.status, 403);
    assert.deepEqual(await used(server), { 'services.nodeports': '2' });
  });
});
