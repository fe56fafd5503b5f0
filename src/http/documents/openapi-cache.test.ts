import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Catalog, createCatalog } from '../../resources/catalog.ts';
import { BytePieces } from '../response/byte-pieces.ts';
import { CachedBytes, OpenApiCache } from './openapi-cache.ts';

const FACTS = { apiVersion: '1.34', program: 'one' };

async function document(cache: OpenApiCache, key: string) {
  const found = (await cache.documents()).get(key);
  assert.ok(found, key);
  return found;
}

/** Serves a resource of the group batch once more, with nothing but get. */
function serveLess(catalog: Catalog, resource: string): void {
  const definition = catalog.find('batch', resource);
  assert.ok(definition);
  catalog.add({ ...definition, verbs: ['get'] });
}

test('an OpenAPI document is encoded once, and compressed once', async () => {
  const cache = new OpenApiCache(createCatalog(), FACTS);
  const { json } = await document(cache, 'apis/apps/v1');
  assert.equal(await json.plain(), await (await document(cache, 'apis/apps/v1')).json.plain());
  assert.equal(await json.gzip(), await json.gzip());
  assert.deepEqual(gunzipSync((await json.gzip()).joined()), (await json.plain()).joined());
});

test('an OpenAPI document that could not be encoded is encoded by the next request', async () => {
  let calls = 0;
  const bytes = new CachedBytes(async () => {
    calls++;
    if (calls <= 2) throw new Error(`attempt ${calls}`);
    return new BytePieces([Buffer.from('made')]);
  });
  await assert.rejects(Promise.all([bytes.plain(), bytes.plain()]), { message: 'attempt 1' });
  await assert.rejects(bytes.gzip(), { message: 'attempt 2' });
  assert.equal(gunzipSync((await bytes.gzip()).joined()).toString(), 'made');
  assert.equal((await bytes.plain()).joined().toString(), 'made');
  assert.equal(calls, 3);
});

test('a change of the catalog renews the affected OpenAPI documents and the whole one', async () => {
  const catalog = createCatalog();
  const cache = new OpenApiCache(catalog, FACTS);
  const [apps, batch, whole] = [
    await document(cache, 'apis/apps/v1'),
    await document(cache, 'apis/batch/v1'),
    await cache.whole(),
  ];
  serveLess(catalog, 'jobs');
  assert.equal(await document(cache, 'apis/apps/v1'), apps);
  const renewed = await document(cache, 'apis/batch/v1');
  assert.notEqual(renewed.hash, batch.hash);
  assert.notDeepEqual((await renewed.json.plain()).joined(), (await batch.json.plain()).joined());
  assert.notEqual((await cache.whole()).hash, whole.hash);
  catalog.remove({ group: 'batch', resource: 'jobs', custom: false });
  catalog.remove({ group: 'batch', resource: 'cronjobs', custom: false });
  assert.equal((await cache.documents()).has('apis/batch/v1'), false);
});

test('OpenAPI changes within a second differ in Last-Modified, which clients send as If-Modified-Since', async () => {
  const catalog = createCatalog();
  const cache = new OpenApiCache(catalog, { ...FACTS, now: () => 5_000 });
  assert.equal(await cache.changedMs(), 5_000);
  serveLess(catalog, 'jobs');
  assert.equal(await cache.changedMs(), 6_000);
  assert.equal((await document(cache, 'apis/batch/v1')).changedMs, 6_000);
  assert.equal((await document(cache, 'apis/apps/v1')).changedMs, 5_000);
});

test('a change of the catalog without effect renews no OpenAPI document', async () => {
  const catalog = createCatalog();
  const cache = new OpenApiCache(catalog, FACTS);
  const [jobs, whole] = [await document(cache, 'apis/batch/v1'), await cache.whole()];
  const definition = catalog.find('batch', 'jobs');
  assert.ok(definition);
  catalog.add({ ...definition });
  assert.equal(await document(cache, 'apis/batch/v1'), jobs);
  assert.equal(await cache.whole(), whole);
});

test('the hash of an OpenAPI document depends on the program, and not on its run', async () => {
  const hash = async (program: string) =>
    (await document(new OpenApiCache(createCatalog(), { ...FACTS, program }), 'api/v1')).hash;
  assert.equal(await hash('one'), await hash('one'));
  assert.notEqual(await hash('one'), await hash('two'));
});
