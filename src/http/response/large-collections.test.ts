import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { startTestServer } from '../../testing.ts';

test('a deletecollection deletes more objects than the history of the watch cache holds', async () => {
  await using server = await startTestServer({ controllers: '' });
  const path = '/api/v1/namespaces/default/configmaps';
  const count = limits.deletionPage + 50;
  const text = 'x'.repeat(Math.ceil(limits.storeHistoryBytes / limits.deletionPage));
  const create = async (index: number) => {
    const { status } = await server.request('POST', path, { metadata: { name: `c${index}` }, data: { text } });
    assert.equal(status, 201);
  };
  for (let from = 0; from < count; from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(from + index)));
  }
  const { status, body } = await server.request('DELETE', path);
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
  const { items } = (await server.request('GET', path)).body as unknown as { items: unknown[] };
  assert.equal(items.length, 0);
});
