import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { certificates, realClock, strangers } from '../../test/listening.ts';
import { until } from '../../test/until.ts';
import { respond, startWebhook, type WebhookServer } from '../../test/webhook-server.ts';
import type { ObservedCall } from '../api/call-trace.ts';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { dial } from './dial.ts';
import { webhookAddress } from './webhook-address.ts';
import { WebhookCallError } from './webhook-call.ts';
import { WebhookClient, type WebhookClientOptions } from './webhook-client.ts';

function client(options: Partial<WebhookClientOptions> = {}): WebhookClient & Disposable {
  const locate = () => Promise.reject(new Error('nowhere'));
  const made = new WebhookClient({ dial, clock: realClock, locate, ...options });
  return Object.assign(made, { [Symbol.dispose]: () => made.close() });
}

const BODY = JSON.stringify({ request: { uid: 'u' } });

function call(at: { url: string; caBundle?: string }, path = '/') {
  const address = webhookAddress({ url: at.url + path, ...(at.caBundle && { caBundle: at.caBundle }) });
  return { address, body: BODY, timeoutMs: 3_000 };
}

async function failure(asking: Promise<unknown>): Promise<string> {
  let said = 'no failure';
  await assert.rejects(asking, (error) => {
    assert.ok(error instanceof WebhookCallError, String(error));
    said = error.message;
    return true;
  });
  return said;
}

function startEcho(): Promise<WebhookServer> {
  return startWebhook((seen) => respond(seen, { allowed: true }));
}

test('the URL of a webhook service has its name, namespace, port and path', () => {
  const service = { namespace: 'tools', name: 'hooks' };
  assert.deepEqual(webhookAddress({ service }), {
    url: 'https://hooks.tools.svc:443/',
    service: { ...service, port: 443 },
    ca: undefined,
  });
  const given = { service: { ...service, path: '/a//b/', port: 8443 }, caBundle: btoa(' \n') };
  assert.deepEqual(webhookAddress(given), {
    url: 'https://hooks.tools.svc:8443/a/b',
    service: { ...service, port: 8443 },
    ca: undefined,
  });
  assert.equal(webhookAddress({ url: 'https://a.example.com' }).url, 'https://a.example.com/');
});

test('webhook connections are reused, and one that was closed meanwhile is replaced', async () => {
  await using webhook = await startEcho();
  using asking = client();
  for (let count = 0; count < 3; count++) await asking.call(call(webhook));
  assert.equal(new Set(webhook.seen.map(({ clientPort }) => clientPort)).size, 1);
  webhook.closeIdle();
  await asking.call(call(webhook));
  assert.equal(webhook.seen.length, 4);
  assert.notEqual(webhook.seen[3]?.clientPort, webhook.seen[0]?.clientPort);
});

test('a webhook that sends Retry-After is called again then, within the timeout', async () => {
  const clock = new ManualClock();
  let isBusy = true;
  await using webhook = await startWebhook((seen) =>
    isBusy ? { status: 429, text: '', headers: { 'retry-after': '1' } } : respond(seen, { allowed: true }),
  );
  using asking = client({ clock });
  const first = asking.call(call(webhook));
  await until('the webhook has been asked', () => webhook.seen.length === 1);
  isBusy = false;
  await until('it is asked again', () => {
    clock.advance(100);
    return webhook.seen.length === 2;
  });
  await first;
  isBusy = true;
  const second = failure(asking.call(call(webhook)));
  await until('the time is over', () => {
    clock.advance(500);
    return webhook.seen.length > 4;
  });
  clock.advance(3_000);
  assert.match(await second, /context deadline exceeded$/);
});

test('a webhook call on a connection that is being closed is repeated once', async () => {
  const used = new WeakSet();
  let closed = 0;
  const server = createServer(
    { cert: certificates.servingCertPem, key: certificates.servingKeyPem },
    (request, response) => {
      if (used.has(request.socket)) {
        closed++;
        request.socket.destroy();
        return;
      }
      used.add(request.socket);
      response.end('{}');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  using asking = client();
  const at = { url: `https://127.0.0.1:${port}`, caBundle: btoa(certificates.caCertPem) };
  assert.deepEqual(await asking.call(call(at)), {});
  assert.deepEqual(await asking.call(call(at)), {});
  assert.equal(closed, 1);
  server.closeAllConnections();
  server.close();
});

test('a webhook call that exceeds its timeout is aborted', async () => {
  const clock = new ManualClock();
  await using webhook = await startWebhook(() => {
    clock.advance(3_000);
    return new Promise(() => {});
  });
  using asking = client({ clock });
  assert.equal(
    await failure(asking.call(call(webhook, '/slow'))),
    `Post "${webhook.url}/slow?timeout=3s": context deadline exceeded`,
  );
});

test('a webhook that is unreachable, or has an invalid certificate, is reported', async () => {
  using asking = client();
  await using webhook = await startEcho();
  const { caCertPem } = strangers(['127.0.0.1']);
  assert.equal(
    await failure(asking.call(call({ url: webhook.url, caBundle: btoa(caCertPem) }))),
    `Post "${webhook.url}/?timeout=3s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  );
  const named = { url: `https://localhost:${webhook.port}`, caBundle: webhook.caBundle };
  assert.match(
    await failure(asking.call(call(named))),
    /tls: failed to verify certificate: x509: certificate is valid for .*hooks\.default\.svc.*, not localhost$/,
  );
  assert.equal(
    await failure(asking.call(call({ url: webhook.url, caBundle: btoa('not a certificate') }))),
    'unable to load root certificates: unable to parse bytes as PEM block',
  );
  assert.equal(
    await failure(asking.call(call({ url: 'https://127.0.0.1:1' }, '/check'))),
    'Post "https://127.0.0.1:1/check?timeout=3s": dial tcp 127.0.0.1:1: connect: connection refused',
  );
  const address = webhookAddress({ service: { namespace: 'a', name: 'b' } });
  assert.equal(
    await failure(asking.call({ address, body: BODY, timeoutMs: 3_000 })),
    'Post "https://b.a.svc:443/?timeout=3s": nowhere',
  );
});

test('a webhook response without an end is read up to a limit', async () => {
  await using webhook = await startWebhook(() => ({ status: 200, text: 'x'.repeat(limits.webhookAnswerBytes + 1) }));
  using asking = client();
  assert.match(await failure(asking.call(call(webhook))), /the response is longer than \d+ bytes$/);
});

test('webhook responses with an error status are reported in the words of client-go', async () => {
  const cases: readonly [status: number, text: string, message: string][] = [
    [404, 'gone', 'the server could not find the requested resource'],
    [403, 'not you', 'not you'],
    [500, '', 'an error on the server ("unknown") has prevented the request from succeeding'],
    [302, '', 'the server responded with the status code 302 but did not return more information'],
    [500, '{"kind":"Status","message":"own words"}', 'own words'],
  ];
  for (const [status, text, message] of cases) {
    await using webhook = await startWebhook(() => ({ status, text }));
    using asking = client();
    assert.equal(await failure(asking.call(call(webhook))), message);
  }
});

test('each webhook call is reported to metrics, those without a response, too', async () => {
  await using webhook = await startEcho();
  const observed: ObservedCall[] = [];
  using caller = client({ observeCall: (each) => observed.push(each) });
  const answer = JSON.stringify(await caller.call(call(webhook)));
  await failure(caller.call({ ...call({ url: 'https://127.0.0.1:1' }) }));
  const [good, bad] = observed;
  assert.deepEqual(
    [good?.method, good?.host, good?.status, good?.requestBytes, good?.responseBytes],
    ['POST', new URL(webhook.url).host, 200, BODY.length, answer.length],
  );
  assert.deepEqual([bad?.host, bad?.status, bad?.responseBytes], ['127.0.0.1:1', undefined, 0]);
  assert.equal(observed.length, 2);
});
