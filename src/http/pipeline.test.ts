import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask(server: TestServer, { method = 'GET', path, headers = {}, body }: Asked) {
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  const text = await response.text();
  const { reason = '', message = text } = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
  return { status: response.status, headers: response.headers, reason, message };
}

/** A server whose administrator may impersonate; who is impersonated may do what the rules of everybody allow. */
async function start(): Promise<{ server: TestServer; admin: Record<string, string>; jane: Record<string, string> }> {
  const server = await startTestServer({ controllers: '' });
  const admin = { authorization: `Bearer ${server.token}` };
  return { server, admin, jane: { ...admin, 'impersonate-user': 'jane' } };
}

describe('the order of errors of a request', () => {
  it('the order of errors of a request begins with an invalid path, before authentication', async () => {
    const { server } = await start();
    await using _ = server;
    assert.equal((await ask(server, { path: '/api/v1/%zz' })).status, 400);
  });

  it('the order of errors of a request continues with invalid credentials, whatever is requested', async () => {
    const { server } = await start();
    await using _ = server;
    const headers = { authorization: 'Bearer nobody' };
    for (const path of ['/api/v1/nothing', '/apis/no.such.group/v1/things', '/version']) {
      const { status, reason } = await ask(server, { path, headers: { ...headers, 'impersonate-user': 'jane' } });
      assert.deepEqual([status, reason], [401, 'Unauthorized'], path);
    }
  });

  it('the order of errors of a request has impersonation next, which tells nothing about the permissions of the other user', async () => {
    const { server, admin } = await start();
    await using _ = server;
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { metadata: { name: 'robot' } });
    const { body } = await server.request('POST', `${accounts}/robot/token`, {});
    const authorization = `Bearer ${(body as { status: { token: string } }).status.token}`;
    const headers = { authorization, 'impersonate-user': 'jane' };
    const { status, message } = await ask(server, { path: '/api/v1/nothing', headers });
    assert.equal(status, 403);
    assert.match(message, /"system:serviceaccount:default:robot" cannot impersonate resource "users"/);
    const incomplete = await ask(server, { path: '/version', headers: { ...admin, 'impersonate-group': 'staff' } });
    assert.match(incomplete.message, /without impersonating a user/);
  });

  it('the order of errors of a request has authorization next, which does not tell whether an object exists or what is invalid', async () => {
    const { server, jane } = await start();
    await using _ = server;
    const write = { method: 'POST', headers: { ...jane, 'content-type': 'application/unheard-of' }, body: '}' };
    for (const asked of [
      { path: '/api/v1/namespaces/default/secrets/none', headers: jane },
      { path: '/api/v1/nothing', headers: jane },
      { path: '/api/v1/namespaces/default/configmaps', ...write },
    ]) {
      const { status, message } = await ask(server, asked);
      assert.equal(status, 403, asked.path);
      assert.match(message, /"jane" cannot/);
    }
  });

  it('the order of errors of a request ends with an unknown resource, an unacceptable response type, and at last the body', async () => {
    const { server, admin } = await start();
    await using _ = server;
    const collection = '/api/v1/namespaces/default/configmaps';
    const post = { method: 'POST', path: collection, body: '}' };
    const typed = (type: string, accept = 'application/json') => ({ ...admin, 'content-type': type, accept });
    assert.equal((await ask(server, { ...post, path: '/api/v1/nothing', headers: typed('x/y', 'x/y') })).status, 404);
    assert.equal((await ask(server, { ...post, headers: typed('x/y', 'x/y') })).status, 406);
    assert.equal((await ask(server, { ...post, headers: typed('x/y') })).status, 415);
    assert.equal((await ask(server, { ...post, headers: typed('application/json') })).status, 400);
    const body = JSON.stringify({ metadata: { name: 'A B' } });
    assert.equal((await ask(server, { ...post, body, headers: typed('application/json') })).status, 422);
    const right = JSON.stringify({ metadata: { name: 'a' } });
    assert.equal((await ask(server, { ...post, body: right, headers: typed('application/json') })).status, 201);
    assert.equal((await ask(server, { ...post, body: right, headers: typed('application/json') })).status, 409);
  });
});

describe('every response', () => {
  it('every response has the Audit-ID of the request, or a new one', async () => {
    const { server, admin } = await start();
    await using _ = server;
    const own = await ask(server, { path: '/version', headers: { ...admin, 'audit-id': 'mine' } });
    assert.equal(own.headers.get('audit-id'), 'mine');
    assert.match(
      (await ask(server, { path: '/nowhere', headers: admin })).headers.get('audit-id') ?? '',
      /^[\da-f-]{36}$/,
    );
  });

  it('every response has Cache-Control: no-cache, private', async () => {
    const { server, admin } = await start();
    await using _ = server;
    for (const path of ['/version', '/api/v1/nothing']) {
      assert.equal((await ask(server, { path, headers: admin })).headers.get('cache-control'), 'no-cache, private');
    }
  });

  it('every response has the UID of its flow schema after priority and fairness', async () => {
    const { server, admin } = await start();
    await using _ = server;
    const flow = 'x-kubernetes-pf-flowschema-uid';
    assert.notEqual((await ask(server, { path: '/api/v1/nothing', headers: admin })).headers.get(flow), null);
    const stranger = await ask(server, { path: '/version', headers: { authorization: 'Bearer nobody' } });
    assert.equal(stranger.headers.get(flow), null);
  });

  it('every response has the version indented for every client, as in kube-apiserver', async () => {
    await using server = await startTestServer();
    const response = await server.fetch(new Request('https://server/version', { headers: { 'user-agent': 'x/1' } }));
    assert.match(await response.text(), /^\{\n {2}"major": "1",\n/);
  });
});

/** Bytes of UTF-8 in a header, as they arrive. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');

describe('header decoding', () => {
  it('header decoding reads impersonated users and groups as UTF-8', async () => {
    const { server, admin } = await start();
    await using _ = server;
    const headers = { ...admin, 'impersonate-user': bytes('Jürgen'), 'impersonate-group': bytes('Größe') };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    const response = await server.fetch(new Request(`https://localhost${path}`, init));
    const { status } = (await response.json()) as { status: { userInfo: { username: string; groups: string[] } } };
    assert.equal(status.userInfo.username, 'Jürgen');
    assert.deepEqual(status.userInfo.groups, ['Größe', 'system:authenticated']);
  });
});
