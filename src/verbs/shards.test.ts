import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const HALVES = [
  ['0x0000000000000000', '0x8000000000000000'],
  ['0x8000000000000000', '0x10000000000000000'],
].map(([start, end]) => `shardRange(object.metadata.uid, '${start}', '${end}')`);

async function startSharded(gate = true): Promise<TestServer> {
  const server = await startTestServer({
    kubernetesVersion: '1.36',
    featureGates: { ShardedListAndWatch: gate },
    controllers: '',
  });
  for (let i = 0; i < 20; i++) await server.request('POST', CONFIG_MAPS, { metadata: { name: `c${i}` } });
  return server;
}

interface List {
  readonly metadata: { readonly shardInfo?: { readonly selector: string }; readonly remainingItemCount?: number };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

async function listed(server: TestServer, selector: string, more = ''): Promise<List> {
  const query = `shardSelector=${encodeURIComponent(selector)}${more}`;
  const { status, body } = await server.request('GET', `${CONFIG_MAPS}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as List;
}

test('a list with a shardSelector has the objects of the shard and repeats the selector', async () => {
  await using server = await startSharded();
  const lists = await Promise.all(HALVES.map((half) => listed(server, half)));
  assert.deepEqual(
    lists.map(({ metadata }) => metadata.shardInfo?.selector),
    HALVES,
  );
  const names = lists.map(({ items }) => items.map(({ metadata }) => metadata.name));
  assert.ok(names.every(({ length }) => length > 0));
  assert.equal(new Set(names.flat()).size, 20);
  assert.equal(names.flat().length, 20);
});

test('a page of a sharded list has no remainingItemCount', async () => {
  await using server = await startSharded();
  const { metadata, items } = await listed(server, HALVES.join(' || '), '&limit=5');
  assert.equal(items.length, 5);
  assert.equal(metadata.remainingItemCount, undefined);
});

test('a watch with a shardSelector has the events of the shard', async () => {
  await using server = await startSharded();
  const shard = await listed(server, HALVES[0]!);
  const query = `watch=true&timeoutSeconds=1&shardSelector=${encodeURIComponent(HALVES[0]!)}`;
  const { body } = await server.request('GET', `${CONFIG_MAPS}?${query}`);
  const events = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).object.metadata.name);
  assert.deepEqual(
    events,
    shard.items.map(({ metadata }) => metadata.name),
  );
});

test('an invalid shardSelector is an internal error, and is ignored without its feature gate', async () => {
  await using server = await startSharded();
  const { status, body } = await server.request('GET', `${CONFIG_MAPS}?shardSelector=x`);
  assert.equal(status, 500);
  assert.match((body as { message: string }).message, /^invalid shard selector: unexpected expression kind 3;/);
  await using plain = await startSharded(false);
  const { items, metadata } = await listed(plain, 'x');
  assert.equal(items.length, 20);
  assert.equal(metadata.shardInfo, undefined);
});
