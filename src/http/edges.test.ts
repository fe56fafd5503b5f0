import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

async function ask(server: TestServer, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${server.token}`, ...(init.headers as Record<string, string>) };
  const response = await server.fetch(new Request(`https://localhost${path}`, { ...init, headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('rarely used rules of HTTP', () => {
  test('an unknown path is 404, and a method that a path does not have is 405', async () => {
    await using server = await startTestServer();
    for (const [method, path, status] of [
      ['POST', '/api/v1/bindings', 404],
      ['GET', '/apis/authorization.k8s.io/v1/localsubjectaccessreviews', 404],
      ['GET', '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews', 405],
      ['GET', '/api/v1/namespaces/default/namespaces', 404],
      ['POST', '/api/v1/watch/namespaces/default/configmaps', 405],
      ['PUT', '/api/v1/configmaps', 405],
      ['DELETE', '/apis', 200],
      ['DELETE', '/api', 405],
      ['GET', '/index.html', 200],
    ] as const) {
      assert.equal((await ask(server, path, { method })).status, status, `${method} ${path}`);
    }
  });

  test('a path is unescaped before it is split', async () => {
    await using server = await startTestServer();
    const maps = '/api/v1/namespaces/default/configmaps';
    assert.equal((await ask(server, '/api/v1/%6eamespaces/default')).status, 200);
    assert.match((await ask(server, `${maps}/a%2Fb`)).text, /the server could not find the requested resource/);
    const bad = await ask(server, `${maps}/%zz`);
    assert.deepEqual([bad.status, bad.text], [400, '400 Bad Request']);
    assert.match((await ask(server, `${maps}/a%25b`)).text, /Name parameter invalid: \\"a%b\\": may not contain '%'/);
  });

  test('an error is indented JSON if Accept only allows a Table', async () => {
    await using server = await startTestServer();
    const path = '/api/v1/namespaces/default/configmaps/absent';
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { headers, text } = await ask(server, path, { headers: { accept: table } });
    assert.equal(headers.get('content-type'), 'application/json');
    assert.match(text, /^\{\n {2}"kind": "Status"/);
    assert.match((await ask(server, path, { headers: { accept: `${table},application/json` } })).text, /^\{"kind"/);
  });

  test('pretty is parsed like a Go bool, and browsers and curl are recognised by the start of their user agent', async () => {
    await using server = await startTestServer();
    const isPretty = async (query: string, agent: string) =>
      (await ask(server, `/api/v1/namespaces/default${query}`, { headers: { 'user-agent': agent } })).text[1] === '\n';
    for (const query of ['?pretty=1', '?pretty=t', '?pretty=TRUE'])
      assert.equal(await isPretty(query, 'x'), true, query);
    for (const query of ['', '?pretty=', '?pretty=yes', '?pretty=0'])
      assert.equal(await isPretty(query, 'x'), false, query);
    for (const agent of ['curl/8', 'curly', 'Wget', 'Mozilla/5.0'])
      assert.equal(await isPretty('', agent), true, agent);
    assert.equal(await isPretty('', 'Mozilla/4.0'), false);
  });

  test('a media type with invalid parameters is 415', async () => {
    await using server = await startTestServer();
    const post = async (type: string) =>
      (
        await ask(server, '/api/v1/namespaces/default/configmaps', {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': type },
        })
      ).status;
    for (const type of ['application/json; x', 'application/json; a=b; a=c']) assert.equal(await post(type), 415, type);
    for (const type of ['application/json;', 'Application/JSON; charset="utf-8"'])
      assert.equal(await post(type), 422, type);
  });

  test('an error for the path of a group quotes the path with HTML entities', async () => {
    await using server = await startTestServer();
    const { status, headers, text } = await ask(server, '/api?a=1&b=2', { headers: { 'impersonate-group': 'dev' } });
    assert.equal(status, 500);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(
      text,
      'Internal Server Error: "/api?a=1&amp;b=2": requested [{Group  dev    }] without impersonating a user\n',
    );
  });

  test('a patch of an unknown type is 415 before an unacceptable response type is 406', async () => {
    await using server = await startTestServer();
    const patch = async (path: string, type: string) =>
      (await ask(server, path, { method: 'PATCH', body: '{}', headers: { accept: 'x/y', 'content-type': type } }))
        .status;
    for (const path of ['/api/v1/namespaces/default', '/apis/apps/v1/namespaces/default/deployments/x/scale']) {
      assert.equal(await patch(path, 'x/y'), 415, path);
      assert.equal(await patch(path, 'application/merge-patch+json'), 406, path);
    }
  });

  test('a patch has one media type in front of its parameters, though the route takes a list', async () => {
    await using server = await startTestServer();
    const patch = async (type: string) => {
      const init = { method: 'PATCH', body: '{}', headers: { 'content-type': type } };
      const { status, text } = await ask(server, '/api/v1/namespaces/default', init);
      return [status, (JSON.parse(text) as { message?: string }).message ?? ''] as const;
    };
    for (const type of ['application/merge-patch+json;x', 'application/merge-patch+json;,']) {
      assert.equal((await patch(type))[0], 200, type);
    }
    for (const type of [
      'application/merge-patch+json, a/b',
      'a/b,application/apply-patch+yaml',
      'application/merge-patch+json ;x',
    ]) {
      const [status, message] = await patch(type);
      assert.equal(status, 415, type);
      assert.match(
        message,
        /accepted media types include: .*\/strategic-merge-patch\+json, application\/apply-patch\+yaml$/,
      );
    }
    assert.deepEqual(await patch('a/b, c/d'), [415, '415: Unsupported Media Type']);
  });

  test('the bytes of a user agent are UTF-8 in the name of a manager', async () => {
    await using server = await startTestServer();
    const managerOf = async (agent: Buffer) => {
      const headers = { 'content-type': 'application/json', 'user-agent': agent.toString('latin1') };
      const body = '{"metadata":{"generateName":"a"}}';
      const path = '/api/v1/namespaces/default/configmaps?dryRun=All&fieldValidation=Strict';
      const { text } = await ask(server, path, {
        method: 'POST',
        headers,
        body: body.replace('}', ',"labels":{"a":"b"}}'),
      });
      return (JSON.parse(text) as ApiObject).metadata.managedFields?.[0]?.manager;
    };
    assert.equal(await managerOf(Buffer.from('müller/1.0')), 'müller');
    assert.equal(await managerOf(Buffer.from('müller/1.0', 'latin1')), 'm\ufffdller');
  });

  test('a 406 of discovery lists the representations, like that of a resource', async () => {
    await using server = await startTestServer();
    for (const path of ['/api', '/api/', '/api/v1', '/apis/apps/v1']) {
      const { status, text } = await ask(server, path, { headers: { accept: 'x/y' } });
      assert.equal(status, 406, path);
      assert.match(text, /406: Not Acceptable\\n\\nAvailable representations: application\/json/, path);
    }
    const { text } = await ask(server, '/apis', { headers: { accept: 'x/y' } });
    assert.match(text, /only the following media types are accepted/);
  });

  test('a large answer to a write is compressed, too', async () => {
    await using server = await startTestServer();
    const { status, headers } = await ask(server, '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'big' }, data: { a: 'x'.repeat(300_000) } }),
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    });
    assert.deepEqual([status, headers.get('content-encoding')], [201, 'gzip']);
  });

  test('an apiVersion or kind that is not a string is reported with its type', async () => {
    await using server = await startTestServer();
    const { status, text } = await ask(server, '/api/v1/namespaces', {
      method: 'POST',
      body: '{"apiVersion":true,"kind":"Namespace"}',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(status, 400);
    assert.match(text, /cannot unmarshal bool into Go struct field \.apiVersion of type string/);
  });

  test('Accept with pretty=1 makes a response pretty whatever the query says', async () => {
    await using server = await startTestServer();
    const headers = { accept: 'application/json;pretty=1' };
    const { text } = await ask(server, '/api/v1/nodes?pretty=0', { headers });
    assert.match(text, /^\{\n/);
  });

  test('If-None-Match: * on an OpenAPI document is 304 for GET and 412 for other methods', async () => {
    await using server = await startTestServer();
    const headers = { 'if-none-match': '*' };
    for (const path of ['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1']) {
      const read = await ask(server, path, { headers });
      assert.deepEqual([read.status, read.headers.get('content-type')], [304, null], path);
      assert.equal((await ask(server, path, { method: 'POST', headers })).status, 412, path);
    }
  });

  test('the removed proxy paths are 404', async () => {
    await using server = await startTestServer();
    assert.equal((await ask(server, '/api/v1/proxy/nodes/x')).status, 404);
  });

  test('selectors of a deletecollection are validated before its DeleteOptions', async () => {
    await using server = await startTestServer();
    const path = '/api/v1/namespaces/default/configmaps?fieldSelector=x';
    const body = JSON.stringify({ propagationPolicy: 'x' });
    const { status, text } = await ask(server, path, { method: 'DELETE', body });
    assert.equal(status, 400);
    assert.match(text, /invalid selector: 'x'/);
  });

  test('ListOptions are validated before an unknown Table version, and an empty field selector is ignored', async () => {
    await using server = await startTestServer();
    const headers = { accept: 'application/json;as=Table;v=v3;g=meta.k8s.io' };
    const path = '/api/v1/namespaces/default/pods';
    assert.equal((await ask(server, `${path}?timeoutSeconds=x`, { headers })).status, 400);
    assert.equal((await ask(server, `${path}?resourceVersionMatch=Exact`, { headers })).status, 422);
    assert.equal((await ask(server, path, { headers })).status, 406);
    assert.equal((await ask(server, `${path}?fieldSelector=foo%3Dx`, { headers })).status, 406);
    for (const selector of ['%3D', '!%3D', '%3D,metadata.name%3Dx']) {
      assert.equal((await ask(server, `${path}?fieldSelector=${selector}`)).status, 200, selector);
    }
    assert.equal((await ask(server, `${path}?fieldSelector=%3Dx`)).status, 400);
  });
});

test('query options are validated after the body has arrived, and the media type of a create before it', async () => {
  await using server = await startTestServer({ controllers: '' });
  const send = async (method: string, name: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': type };
    const url = `https://localhost/api/v1/namespaces/default/configmaps${name}?dryRun=x`;
    return (await server.fetch(new Request(url, { method, headers, body }))).status;
  };
  const large = ' '.repeat(4_000_000);
  assert.equal(await send('POST', '', 'image/png', '{}'), 415);
  assert.equal(await send('PUT', '/a', 'image/png', '{}'), 422);
  for (const [method, name] of [
    ['POST', ''],
    ['PUT', '/a'],
  ] as const) {
    assert.equal(await send(method, name, 'application/json', large), 413);
    assert.equal(await send(method, name, 'application/json', '{bad'), 422);
  }
});
