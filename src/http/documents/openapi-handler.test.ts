import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { limits } from '../../base/limits.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const APPS = '/openapi/v3/apis/apps/v1';

describe('OpenAPI over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    const all = { authorization: `Bearer ${server.token}`, ...headers };
    return server.fetch(new Request(`https://localhost${path}`, { method, headers: all }));
  }

  async function hashedUrl(): Promise<string> {
    const index = (await (await get('/openapi/v3')).json()) as { paths: Record<string, { serverRelativeURL: string }> };
    return index.paths['apis/apps/v1']?.serverRelativeURL ?? '';
  }

  test('OpenAPI over HTTP has an index that names each document with its hash', async () => {
    const response = await get('/openapi/v3');
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(await hashedUrl(), /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  });

  test('OpenAPI over HTTP has a Content-Length for a document sent in chunks', async () => {
    for (const accept of ['application/json', PROTOBUF]) {
      const whole = await get('/openapi/v2', { accept });
      const bytes = new Uint8Array(await whole.arrayBuffer());
      assert.ok(bytes.length > limits.responsePieceBytes);
      assert.equal(whole.headers.get('content-length'), String(bytes.length));
    }
  });

  test('OpenAPI over HTTP may be cached for ever under its hash, and not without it', async () => {
    const kept = await get(await hashedUrl());
    assert.equal(kept.status, 200);
    assert.equal(kept.headers.get('cache-control'), 'public, immutable');
    assert.equal(kept.headers.get('vary'), 'Accept');
    const days = (Date.parse(kept.headers.get('expires') ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 364 && days < 366, `${days} days`);
    assert.equal(((await kept.json()) as { openapi: string }).openapi, '3.0.0');
    const plain = await get(APPS);
    assert.equal(plain.headers.get('cache-control'), 'no-cache, private');
    assert.equal(plain.headers.get('etag'), kept.headers.get('etag'));
  });

  test('OpenAPI over HTTP redirects from another hash to the current one', async () => {
    const response = await get(`${APPS}?hash=ABC`);
    assert.equal(response.status, 301);
    assert.equal(response.headers.get('location'), await hashedUrl());
  });

  test('OpenAPI over HTTP is 304 for a client with the current document', async () => {
    const etag = (await get(APPS)).headers.get('etag') ?? '';
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const response = await get(APPS, { 'if-none-match': known });
      assert.equal(response.status, 304, known);
      assert.equal(await response.text(), '');
    }
    assert.equal((await get(APPS, { 'if-none-match': '"other"' })).status, 200);
  });

  test('OpenAPI over HTTP is 404 for an unknown document, and 406 for an unknown media type', async () => {
    for (const key of ['apis/nothing/v1', 'apis/apps/v2', '']) {
      const response = await get(`/openapi/v3/${key}`);
      assert.deepEqual([response.status, await response.text()], [404, ''], key);
    }
    for (const path of [APPS, '/openapi/v2']) {
      assert.equal((await get(path, { accept: 'application/yaml' })).status, 406);
      for (const accept of ['application/*', 'text/html, */*;q=0.1']) {
        assert.equal((await get(path, { accept })).headers.get('content-type'), 'application/json');
      }
    }
  });

  test('OpenAPI over HTTP has version 2 in JSON or protobuf, as the client prefers', async () => {
    const json = await get('/openapi/v2', { accept: `${PROTOBUF};q=0.5, application/json` });
    assert.equal(json.headers.get('vary'), 'Accept-Encoding, Accept');
    assert.deepEqual(((await json.json()) as { info: unknown }).info, { title: 'Kubernetes', version: '1.34' });
    const message = await get('/openapi/v2', { accept: PROTOBUF });
    assert.equal(message.headers.get('content-type'), 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    assert.equal(message.headers.get('etag'), json.headers.get('etag'));
    const bytes = Buffer.from(await message.arrayBuffer());
    assert.equal(bytes.subarray(0, 5).toString('latin1'), '\n\x032.0');
  });

  test('OpenAPI over HTTP has version 3 in protobuf, too', async () => {
    for (const accept of [
      'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
      'application/com.github.proto-openapi.spec.v3.v1.0+protobuf, application/json;q=0.5',
    ]) {
      const message = await get(APPS, { accept });
      assert.equal(message.headers.get('content-type'), 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
      assert.equal(message.headers.get('etag'), (await get(APPS)).headers.get('etag'));
      const bytes = Buffer.from(await message.arrayBuffer());
      assert.equal(bytes.subarray(0, 7).toString('latin1'), '\n\x053.0.0');
    }
  });

  test('OpenAPI over HTTP is compressed for clients that accept gzip', async () => {
    const response = await get(APPS, { 'accept-encoding': 'gzip' });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(response.headers.get('vary'), 'Accept, Accept-Encoding');
    const plain = Buffer.from(await (await get(APPS)).arrayBuffer());
    assert.deepEqual(gunzipSync(Buffer.from(await response.arrayBuffer())), plain);
  });

  test('OpenAPI over HTTP is answered without the document for HEAD', async () => {
    const response = await get(APPS, {}, 'HEAD');
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });
});

test('the whole OpenAPI document is compressed for every quality of gzip but 0', async () => {
  await using server = await startTestServer();
  const encoding = async (accepted: string) => {
    const headers = { authorization: `Bearer ${server.token}`, 'accept-encoding': accepted };
    const answer = await server.fetch(new Request('https://localhost/openapi/v2', { headers }));
    await answer.arrayBuffer();
    return answer.headers.get('content-encoding');
  };
  for (const accepted of ['gzip', 'GZIP', 'br, gzip;q=0.1']) assert.equal(await encoding(accepted), 'gzip', accepted);
  for (const accepted of ['gzip;q=0', '*', 'x-gzip']) assert.equal(await encoding(accepted), null, accepted);
});

test('the OpenAPI index has no Content-Type if a precondition fails', async () => {
  await using server = await startTestServer();
  const headers = { authorization: `Bearer ${server.token}`, 'if-match': '"x"' };
  const answer = await server.fetch(new Request('https://localhost/openapi/v3', { headers }));
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [412, null]);
});
