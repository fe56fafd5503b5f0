import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { certificates, realClock } from '../../test/listening.ts';
import { dial } from './dial.ts';
import { redirectionOf } from './redirection.ts';
import { webhookAddress } from './webhook-address.ts';
import { WebhookCallError } from './webhook-call.ts';
import { WebhookClient } from './webhook-client.ts';

const { servingCertPem, servingKeyPem, caCertPem } = certificates;
const BODY = '{"a":1}';

/** The method, path and body of each request, or why the call failed. */
async function asked(answer: RequestListener): Promise<{ seen: string[]; outcome: unknown; url: string }> {
  const seen: string[] = [];
  const server = createServer({ cert: servingCertPem, key: servingKeyPem }, async (request, response) => {
    seen.push(`${request.method} ${request.url} ${await text(request)}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const locate = () => Promise.reject(new Error('nowhere'));
  const client = new WebhookClient({ dial, clock: realClock, locate });
  const address = webhookAddress({ url: `${url}/hook`, caBundle: btoa(caCertPem) });
  try {
    const outcome = await client.call({ address, body: BODY, timeoutMs: 3_000 }).catch((error: unknown) => {
      assert.ok(error instanceof WebhookCallError, String(error));
      return error.message;
    });
    return { seen, outcome, url };
  } finally {
    client.close();
    server.close();
    server.closeAllConnections();
  }
}

const redirecting =
  (status: number, location: string): RequestListener =>
  ({ url = '' }, response) => {
    const isFirst = url.startsWith('/hook');
    response.writeHead(isFirst ? status : 200, isFirst ? { location } : {});
    response.end(isFirst ? '' : '{"ok":true}');
  };

test('a redirect with 307 or 308 is followed with the same body, others by a GET', async () => {
  for (const status of [307, 308]) {
    const { seen, outcome } = await asked(redirecting(status, '/other?x=y'));
    assert.deepEqual(seen, [`POST /hook?timeout=3s ${BODY}`, `POST /other?x=y ${BODY}`]);
    assert.deepEqual(outcome, { ok: true });
  }
  for (const status of [301, 302, 303]) {
    const { seen } = await asked(redirecting(status, '/other'));
    assert.deepEqual(seen, [`POST /hook?timeout=3s ${BODY}`, 'GET /other ']);
  }
});

test('redirects end after ten requests, and errors name the address that they concern', async () => {
  const { seen, outcome } = await asked(redirecting(307, '/hook'));
  assert.equal(seen.length, 10);
  assert.equal(outcome, 'Post "/hook": stopped after 10 redirects');
  const refused = await asked(redirecting(307, 'http://127.0.0.1:1/x'));
  assert.equal(refused.outcome, 'Post "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused');
});

test('a response that is not a redirect, or has no Location, is final', () => {
  const from = new URL('https://a.example.com/hook');
  assert.equal(redirectionOf({ status: 307 }, from), undefined);
  assert.equal(redirectionOf({ status: 304, location: '/x' }, from), undefined);
  assert.equal(redirectionOf({ status: 302, location: '//b.example.com/x' }, from)?.url.host, 'b.example.com');
  assert.throws(() => redirectionOf({ status: 307, location: 'ftp://x' }, from), /unsupported protocol scheme "ftp"/);
});

test('a response body that ends too early is reported', async () => {
  const { outcome } = await asked((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{');
    setImmediate(() => response.destroy());
  });
  assert.equal(outcome, 'unexpected error when reading response body. Please retry. Original error: unexpected EOF');
});

test('a response body that does not end in time is reported', async () => {
  const { outcome } = await asked((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{');
  });
  assert.equal(
    outcome,
    'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
  );
});
