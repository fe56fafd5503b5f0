import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as sendRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { answerJson, type OtherApiServer, register, startOtherApiServer, untilSays } from '../../../test/api-server.ts';
import { strangers } from '../../../test/listening.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { goPath } from './forward.ts';

const WELL: OtherApiServer['answer'] = ({ url }, response) => answerJson(response, { asked: url });

function send(server: TestServer, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) };
  return server.fetch(new Request(`https://api.example.com${path}`, { ...init, headers }));
}

test('a request for an aggregated API version is forwarded unchanged, in the name of the user', async () => {
  await using other = await startOtherApiServer(WELL);
  await using server = await startTestServer();
  await register(server, other);
  assert.equal(await untilSays(server, 'Passed'), 'all checks passed');
  const answer = await send(server, '/apis/x.io/v1/namespaces/a/things?b=2&a=1&z=%20x', {
    headers: {
      'impersonate-user': 'eve',
      'impersonate-group': 'readers',
      'impersonate-extra-example.com%2fscopes': 'one',
      'x-remote-user': 'forged',
      'x-remote-group': 'system:masters',
      'x-remote-extra-more': 'forged',
      'x-forwarded-for': '9.9.9.9',
      'user-agent': 'kubectl',
    },
  });
  // Whoever acts as somebody else has that one's rights alone.
  assert.equal(answer.status, 403);
  const allowed = await send(server, '/apis/x.io/v1/namespaces/a/things?b=2&a=1&z=%20x', {
    headers: { 'x-remote-user': 'forged', 'x-remote-extra-more': 'forged', 'user-agent': 'kubectl' },
  });
  assert.equal(allowed.status, 200);
  assert.deepEqual(await allowed.json(), { asked: '/apis/x.io/v1/namespaces/a/things?a=1&b=2&z=+x' });
  const { headers, rawHeaders } = other.asked.find(({ url }) => url.includes('things'))!;
  assert.equal(headers['x-remote-user'], 'admin');
  assert.equal(headers['x-remote-extra-more'], undefined);
  assert.equal(headers.authorization, undefined);
  assert.equal(headers.host, `localhost:${other.port}`);
  assert.equal(headers['user-agent'], 'kubectl');
  assert.equal(headers['x-forwarded-proto'], 'https');
  assert.equal(headers['x-forwarded-host'], `localhost:${other.port}`);
  assert.equal(headers['audit-id'], allowed.headers.get('audit-id'));
  const groups = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'x-remote-group');
  assert.deepEqual(groups, ['system:masters', 'system:authenticated'], 'a header for each');
  assert.equal(allowed.headers.get('cache-control'), 'no-cache, private');
});

test('bodies, statuses and headers of an aggregated API are passed on in both directions', async () => {
  await using other = await startOtherApiServer((asked, response, request) => {
    if (asked.method !== 'POST') return answerJson(response, {});
    response.writeHead(418, { 'x-own': 'kept', 'content-type': 'text/x-own', location: '/there' });
    request.pipe(response);
  });
  await using server = await startTestServer();
  await register(server, other);
  await untilSays(server, 'Passed');
  const answer = await send(server, '/apis/x.io/v1/things', { method: 'POST', body: 'as it is' });
  assert.equal(answer.status, 418);
  assert.equal(answer.headers.get('x-own'), 'kept');
  assert.equal(answer.headers.get('location'), `https://localhost:${other.port}/there`);
  assert.equal(answer.headers.get('content-type'), 'text/x-own');
  assert.equal(await answer.text(), 'as it is');
});

test('a watch of an aggregated API is streamed, and ends when either side ends it', async () => {
  let watching: { write(text: string): unknown; end(): unknown } | undefined;
  let gone = false;
  await using other = await startOtherApiServer(({ url }, response) => {
    if (!url.includes('watch')) return answerJson(response, {});
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"type":"ADDED"}\n');
    watching = response;
    response.on('close', () => {
      gone = true;
    });
  });
  await using server = await startTestServer();
  await register(server, other);
  await untilSays(server, 'Passed');
  const first = (await send(server, '/apis/x.io/v1/things?watch=true')).body!.getReader();
  const text = async (reader: typeof first) => new TextDecoder().decode((await reader.read()).value);
  assert.equal(await text(first), '{"type":"ADDED"}\n');
  watching!.write('{"type":"MODIFIED"}\n');
  assert.equal(await text(first), '{"type":"MODIFIED"}\n');
  watching!.end();
  assert.equal((await first.read()).done, true);
  gone = false;
  const second = (await send(server, '/apis/x.io/v1/things?watch=true')).body!.getReader();
  await text(second);
  await second.cancel();
  while (!gone) await new Promise(setImmediate);
});

test('an APIService without an available server, or before its first check, gets 503 in plain text', async () => {
  await using other = await startOtherApiServer((_, response) => answerJson(response, {}, 500));
  await using server = await startTestServer();
  await register(server, other);
  const url = `https://localhost:${other.port}/apis/x.io/v1`;
  const why = await untilSays(server, 'FailedDiscoveryCheck');
  assert.equal(why, `failing or missing response from ${url}: bad status from ${url}: 500`);
  const answer = await send(server, '/apis/x.io/v1/things');
  assert.equal(answer.status, 503);
  assert.equal(await answer.text(), 'service unavailable\n');
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  other.answer = WELL;
  await untilSays(server, 'Passed');
  assert.equal((await send(server, '/apis/x.io/v1/things')).status, 200);
  assert.match(
    await (await send(server, '/metrics')).text(),
    /aggregator_unavailable_apiservice\{name="v1\.x\.io"\} 0\n/,
  );
});

test('an aggregated server with an untrusted certificate receives nothing without insecureSkipTLSVerify', async () => {
  await using other = await startOtherApiServer(WELL);
  const caBundle = Buffer.from(strangers(['other.default.svc']).caCertPem).toString('base64');
  await using server = await startTestServer();
  await register(server, { ...other, caBundle });
  await untilSays(server, 'Passed');
  const before = other.asked.length;
  const answer = await send(server, '/apis/x.io/v1/things');
  assert.equal(answer.status, 503);
  const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  assert.equal(await answer.text(), `error trying to reach service: ${unknown}\n`);
  assert.equal(other.asked.filter(({ url }) => url.endsWith('things')).length, 0, `${before}`);
  const skip = { spec: { caBundle: null, insecureSkipTLSVerify: true } };
  await server.patch('/apis/apiregistration.k8s.io/v1/apiservices/v1.x.io', skip);
  assert.equal((await send(server, '/apis/x.io/v1/things')).status, 200);
});

test('an APIService whose caBundle has no certificate is answered with the reason', async () => {
  await using other = await startOtherApiServer((_asked, response) => answerJson(response, {}));
  await using server = await startTestServer();
  await register(server, { ...other, caBundle: Buffer.from('---').toString('base64') });
  await untilSays(server, 'Passed');
  const answer = await send(server, '/apis/x.io/v1/namespaces/a/things');
  const fault = 'unable to load root certificates: unable to parse bytes as PEM block\n';
  assert.deepEqual([answer.status, await answer.text()], [500, fault]);
});

test('a redirect from an aggregated server is not passed on to clients', async () => {
  await using other = await startOtherApiServer(({ url }, response) => {
    if (url.endsWith('v1')) answerJson(response, {});
    else response.writeHead(302, { location: 'https://elsewhere.example.com' }).end();
  });
  await using server = await startTestServer();
  await register(server, other);
  await untilSays(server, 'Passed');
  const answer = await send(server, '/apis/x.io/v1/things');
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [502, 'text/plain; charset=utf-8']);
  assert.equal(await answer.text(), 'the backend attempted to redirect this request, which is not permitted');
});

test('an upgraded connection to an aggregated server carries bytes both ways, in the name of the user', async () => {
  await assertUpgraded('SPDY/3.1');
});

test('a connection to an aggregated server may be upgraded to a protocol of its own', () =>
  assertUpgraded('example/1'));

async function assertUpgraded(protocol: string): Promise<void> {
  await using other = await startOtherApiServer(WELL);
  other.upgrade = (_, socket) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    socket.pipe(socket);
  };
  await using server = await startTestServer({ listen: true });
  await register(server, other);
  await untilSays(server, 'Passed');
  const outgoing = sendRequest(`${server.url}/apis/x.io/v1/things/a/exec`, {
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${server.token}`,
      connection: 'Upgrade',
      upgrade: protocol,
      'x-remote-user': 'forged',
    },
  }).end();
  const [answer, socket] = (await once(outgoing, 'upgrade')) as [{ statusCode: number }, Duplex];
  assert.equal(answer.statusCode, 101);
  socket.write('there and back');
  assert.equal(String((await once(socket, 'data'))[0]), 'there and back');
  const upgraded = other.asked.find(({ headers }) => headers.upgrade !== undefined);
  assert.equal(upgraded?.headers['x-remote-user'], 'admin');
  socket.destroy();
}

test('the path of a request to an aggregated server is escaped as by Go', () => {
  assert.equal(goPath('/a/b%2Fc/%2e%2e/x%20y/(!)/%e4%25'), '/a/b/c/../x%20y/%28%21%29/%E4%25');
});
