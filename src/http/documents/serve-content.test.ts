import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const APPS = '/openapi/v3/apis/apps/v1';

describe('OpenAPI documents in HTTP', () => {
  let server: TestServer;
  let whole: string;
  let etag: string;
  before(async () => {
    server = await startTestServer();
    const response = await get({});
    whole = await response.text();
    etag = response.headers.get('etag') ?? '';
  });
  after(() => server.close());

  function get(headers: Record<string, string>, method = 'GET'): Promise<Response> {
    const all = { authorization: `Bearer ${server.token}`, ...headers };
    return server.fetch(new Request(`https://localhost${APPS}`, { method, headers: all }));
  }

  test('OpenAPI documents in HTTP have Last-Modified and accept ranges', async () => {
    const { headers } = await get({});
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.ok(Date.parse(headers.get('last-modified') ?? '') > 0);
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(whole)));
  });

  test('OpenAPI documents in HTTP are served in the requested ranges', async () => {
    const size = Buffer.byteLength(whole);
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 9],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=${size - 3}-`, size - 3, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ] as const) {
      const response = await get({ range });
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get('content-range'), `bytes ${from}-${to}/${size}`);
      assert.equal(await response.text(), whole.slice(from, to + 1));
    }
    const several = await get({ range: 'bytes=0-1,3-4' });
    const boundary = /boundary=(.*)/.exec(several.headers.get('content-type') ?? '')?.[1] ?? '';
    const part = (from: number) =>
      `--${boundary}\r\nContent-Range: bytes ${from}-${from + 1}/${size}\r\nContent-Type: application/json\r\n\r\n` +
      `${whole.slice(from, from + 2)}\r\n`;
    assert.equal(await several.text(), `${part(0)}${part(3)}--${boundary}--\r\n`);
  });

  test('OpenAPI documents in HTTP are sent whole if more ranges are requested than a request may have', async () => {
    const ranges = Array.from({ length: limits.rangesOfRequest + 1 }, (_, index) => `${2 * index}-${2 * index}`);
    assert.equal((await get({ range: `bytes=${ranges.slice(1).join()}` })).status, 206);
    assert.equal((await get({ range: `bytes=${ranges.join()}` })).status, 200);
  });

  test('OpenAPI documents in HTTP are 416 for invalid ranges', async () => {
    const size = Buffer.byteLength(whole);
    for (const [range, text, told] of [
      ['bytes=5-1', 'invalid range\n', null],
      ['lines=1-2', 'invalid range\n', null],
      [`bytes=${size}-`, 'invalid range: failed to overlap\n', `bytes */${size}`],
    ] as const) {
      const response = await get({ range });
      assert.deepEqual([response.status, await response.text()], [416, text], range);
      assert.equal(response.headers.get('content-range'), told);
      assert.equal(response.headers.get('etag'), null);
    }
  });

  test('OpenAPI documents in HTTP respect the preconditions of the request', async () => {
    const changed = (await get({})).headers.get('last-modified') ?? '';
    const later = 'Wed, 21 Oct 2099 07:28:00 GMT';
    const earlier = 'Wed, 21 Oct 1970 07:28:00 GMT';
    for (const [headers, status] of [
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-none-match': `"other" ${etag}` }, 304],
      [{ 'if-none-match': `other, ${etag}` }, 200],
      [{ 'if-modified-since': changed }, 304],
      [{ 'if-modified-since': earlier }, 200],
      [{ 'if-modified-since': later, 'if-none-match': '"other"' }, 200],
      [{ 'if-unmodified-since': earlier }, 412],
      [{ 'if-unmodified-since': later }, 200],
      [{ range: 'bytes=0-1', 'if-range': etag }, 206],
      [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200],
      [{ range: 'bytes=0-1', 'if-range': changed }, 206],
    ] as const) {
      assert.equal((await get(headers)).status, status, JSON.stringify(headers));
    }
    assert.equal((await get({ 'if-none-match': '*' }, 'POST')).status, 412);
  });
});
