import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { answerJson, register, startOtherApiServer, untilSays } from '../../../test/api-server.ts';
import { type SentSpan, startCollector } from '../../../test/trace-collector.ts';
import { startWebhook } from '../../../test/webhook-server.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { readTracingConfiguration } from './tracing-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-tracing-'));
after(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'tracing.yaml');
  writeFileSync(path, text);
  return path;
}

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';

test('a TracingConfiguration has defaults', async () => {
  const usual = { endpoint: 'localhost:4317', samplingRatePerMillion: 0 };
  assert.deepEqual(await readTracingConfiguration(file(HEAD)), usual);
  const beta = HEAD.replace('/v1', '/v1beta1');
  const given = await readTracingConfiguration(file(`${beta}endpoint: dns:///a:1\nsamplingRatePerMillion: 7\n`));
  assert.deepEqual(given, { endpoint: 'dns:///a:1', samplingRatePerMillion: 7 });
  assert.deepEqual(await readTracingConfiguration(file('')), usual, 'kind and version may be left out');
  assert.equal((await readTracingConfiguration(file('endpoint: ":1"\n'))).endpoint, 'localhost:1');
  assert.deepEqual(await readTracingConfiguration(file('endpoint: ""\n')), usual);
});

test('an invalid TracingConfiguration ends the start in the words of kube-apiserver', async () => {
  const tooMany = 'sampling rate per million must be less than or equal to one million';
  const schemes = 'Options are none, dns, unix, or unix-abstract.';
  const decoding = 'failed to read tracing config: unable to decode tracing configuration data: ';
  for (const [text, message] of [
    [
      `${HEAD}samplingRatePerMillion: 2000000\nendpoint: http://x:1\n`,
      `failed to validate tracing configuration: [samplingRatePerMillion: Invalid value: 2000000: ${tooMany}, endpoint: ` +
        `Invalid value: "http://x:1": unsupported scheme: http.  ${schemes}  See https://github.com/grpc/grpc/blob/master/doc/naming.md]`,
    ],
    [
      `${HEAD}samplingRatePerMillion: -1\n`,
      'failed to validate tracing configuration: samplingRatePerMillion: Invalid value: -1: sampling rate must be positive',
    ],
    [
      `${HEAD}endpoint: a b\nsamplingRatePerMillion: -5\n`,
      'failed to validate tracing configuration: [samplingRatePerMillion: Invalid value: -5: sampling rate must be positive, ' +
        'endpoint: Invalid value: "dns://a b": parse "dns://a b": invalid character " " in host name]',
    ],
    [
      `${HEAD}endpoint: x:y:z\n`,
      'failed to validate tracing configuration: endpoint: Invalid value: "dns://x:y:z": parse "dns://x:y:z": invalid port ":z" after host',
    ],
    [
      `${HEAD}samplingRatePerMillion: 1.5\n`,
      `${decoding}json: cannot unmarshal number 1.5 into Go struct field TracingConfiguration.samplingRatePerMillion of type int32`,
    ],
    [
      HEAD.replace('Tracing', 'Admission'),
      `${decoding}converting (v1.AdmissionConfiguration) to (apiserver.TracingConfiguration): unknown conversion`,
    ],
    [`${HEAD}foo: 1\n`, `${decoding}strict decoding error: unknown field "foo"`],
    [
      `${HEAD}samplingRatePerMillion: x\n`,
      `${decoding}json: cannot unmarshal string into Go struct field TracingConfiguration.samplingRatePerMillion of type int32`,
    ],
  ] as const) {
    await assert.rejects(readTracingConfiguration(file(text)), { message });
  }
  const path = join(folder, 'absent.yaml');
  const absent = `unable to read tracing configuration from "${path}": open ${path}: no such file or directory`;
  await assert.rejects(readTracingConfiguration(path), { message: `failed to read tracing config: ${absent}` });
});

/** The kind of span of a request. */
const SERVER = 2;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

function post(server: TestServer, name: string, headers: Record<string, string> = {}) {
  const path = 'https://localhost/api/v1/namespaces/default/configmaps';
  const sent = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers };
  return server.fetch(
    new Request(path, { method: 'POST', headers: sent, body: JSON.stringify({ metadata: { name } }) }),
  );
}

test('a trace of an administrator is continued, with spans for the steps of the request', async () => {
  using collector = await startCollector();
  const endpoint = `127.0.0.1:${collector.port}`;
  const server = await startTestServer({ tracingConfigFile: file(`${HEAD}endpoint: ${endpoint}\n`) });
  assert.equal((await post(server, 'a', { traceparent: `00-${TRACE}-${CALLER}-01` })).status, 201);
  assert.equal((await post(server, 'b')).status, 201);
  assert.equal((await post(server, 'c', { traceparent: `00-${TRACE}-${CALLER}-00` })).status, 201);
  await server.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const [root, ...others] = named('POST /api/v1/namespaces/{:namespace}/configmaps');
  assert.equal(others.length, 0, 'those that are not sampled are not sent');
  assert.deepEqual([root?.traceId, root?.parentId], [TRACE, CALLER]);
  let parent = root!;
  for (const name of ['audit', 'impersonation', 'priorityandfairness', 'authorization', 'Create']) {
    const [span] = named(name);
    assert.equal(span?.parentId, parent.spanId, name);
    parent = span!;
  }
  for (const name of ['store', 'SerializeObject']) assert.equal(named(name)[0]?.parentId, parent.spanId, name);
  assert.ok(collector.spans.every(({ traceId }) => traceId === TRACE));
});

test('spans have the path without its query, and the verb of the metrics', async () => {
  using collector = await startCollector();
  const rate = `endpoint: 127.0.0.1:${collector.port}\nsamplingRatePerMillion: 1000000\n`;
  const server = await startTestServer({ tracingConfigFile: file(HEAD + rate) });
  const path = '/api/v1/namespaces/default/configmaps/a';
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' };
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}';
  const init = { method: 'PATCH', headers, body };
  assert.equal((await server.fetch(new Request(`https://localhost${path}?fieldManager=m`, init))).status, 201);
  await server.close();
  const attributes = (name: string) => collector.spans.find((span) => span.name === name)?.attributes;
  assert.deepEqual([attributes('Patch')?.['url'], attributes('Patch')?.['verb']], [path, 'APPLY']);
  assert.equal(attributes('SerializeObject')?.['url'], path);
});

test('the span of a verb has events for its steps', async () => {
  using collector = await startCollector();
  const server = await startTestServer({ tracingConfigFile: file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`) });
  const headers = { authorization: `Bearer ${server.token}`, traceparent: `00-${TRACE}-${CALLER}-01` };
  const maps = 'https://localhost/api/v1/namespaces/default/configmaps';
  const send = async (method: string, path = '', body?: string, type = 'application/json') => {
    const init = { method, headers: { ...headers, 'content-type': type }, ...(body === undefined ? {} : { body }) };
    const answer = await server.fetch(new Request(maps + path, init));
    await answer.text();
    return answer.status;
  };
  assert.equal(await send('POST', '', '{"metadata":{"name":"a"}}'), 201);
  assert.equal(await send('PUT', '/a', '{"metadata":{"name":"a"},"data":{"a":"b"}}'), 200);
  assert.equal(await send('PATCH', '/a', '{"data":{"a":"c"}}', 'application/merge-patch+json'), 200);
  assert.equal(await send('GET', '/a'), 200);
  assert.equal(await send('GET'), 200);
  assert.equal(await send('DELETE', '/a'), 200);
  await server.close();
  const events = (name: string) => collector.spans.find((span) => span.name === name)?.events;
  const write = [
    'limitedReadBody succeeded',
    'About to convert to expected version',
    'Conversion done',
    'About to store object in database',
    'Write to database call succeeded',
  ];
  const answer = ['About to write a response', 'Writing http response done'];
  assert.deepEqual(events('Create'), [...write, ...answer]);
  assert.deepEqual(events('Update'), [...write, ...answer]);
  assert.deepEqual(events('Patch'), [
    ...['limitedReadBody succeeded', 'Recorded the audit event', 'About to apply patch'],
    ...['About to check admission control', 'Object stored in database', ...answer],
  ]);
  assert.deepEqual(events('Get'), ['About to Get from storage', ...answer]);
  assert.deepEqual(events('List'), [
    'About to List from storage',
    'Listing from storage done',
    'Writing http response done',
  ]);
  assert.deepEqual(events('Delete'), [
    ...['limitedReadBody succeeded', 'Decoded delete options', 'Recorded the audit event'],
    ...['About to delete object from database', 'Object deleted from database', ...answer],
  ]);
  const written = collector.spans.find(({ name }) => name === 'SerializeObject');
  assert.deepEqual(written?.events, ['About to start writing response', 'Write call succeeded']);
  assert.equal(written?.attributes['encoder'], '{"encodeGV":"v1","encoder":"json","name":"versioning"}');
});

test('requests of other users begin a new trace at the configured rate, with a link to the caller', async () => {
  using collector = await startCollector();
  const rate = `endpoint: 127.0.0.1:${collector.port}\nsamplingRatePerMillion: 1000000\n`;
  const tracingConfigFile = file(HEAD + rate);
  const server = await startTestServer({ tracingConfigFile });
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
  assert.equal((await server.fetch(new Request('https://localhost/version', { headers }))).status, 200);
  await server.close();
  const [root] = collector.spans.filter(({ name }) => name === 'GET');
  assert.equal(root?.links, 1);
  assert.equal(root?.parentId, '');
  assert.notEqual(root?.traceId, TRACE);
});

test('webhooks receive the trace of the request under review', async () => {
  using collector = await startCollector();
  await using hook = await startWebhook(({ review: { request, ...review } }) => ({
    ...review,
    response: { uid: request['uid'], allowed: true },
  }));
  const tracingConfigFile = file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`);
  await using server = await startTestServer({ tracingConfigFile });
  const configuration = {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'a.hooks.example.com',
        clientConfig: { url: hook.url, caBundle: hook.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore' },
      },
    ],
  };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  assert.equal((await server.request('POST', path, configuration)).status, 201);
  assert.equal((await post(server, 'a', { traceparent: `00-${TRACE}-${CALLER}-01` })).status, 201);
  await server.close();
  const named = (name: string) => collector.spans.find((span) => span.name === name);
  const sent = named('HTTP POST');
  assert.equal(hook.seen[0]?.traceparent, `00-${TRACE}-${sent?.spanId}-01`);
  const call = named('Call validating webhook');
  assert.deepEqual([sent?.kind, sent?.parentId], [CLIENT, call?.spanId]);
  assert.equal(call?.parentId, named('Create')?.spanId);
  assert.deepEqual(
    ['configuration', 'webhook', 'resource', 'operation'].map((key) => call?.attributes[key]),
    ['hooks', 'a.hooks.example.com', '/v1, Resource=configmaps', 'CREATE'],
  );
});

test('aggregated servers receive the trace, but not that of an unauthenticated client', async () => {
  using collector = await startCollector();
  await using other = await startOtherApiServer((_asked, response) => answerJson(response, {}));
  const tracingConfigFile = file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`);
  const server = await startTestServer({ tracingConfigFile });
  await register(server, other);
  await untilSays(server, 'Passed');
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
  const things = 'https://localhost/apis/x.io/v1/things';
  const trusted = { ...headers, authorization: `Bearer ${server.token}` };
  const answer = await server.fetch(new Request(things, { headers: trusted }));
  await answer.text();
  // The trace ends when the answer has left, for which its reader does not wait.
  assert.equal((await post(server, 'later')).status, 201);
  await server.close();
  const [heard] = other.asked.filter(({ url }) => url.includes('things')).map(({ headers }) => headers['traceparent']);
  const sent = collector.spans.find(({ name }) => name === 'HTTP GET');
  assert.equal(heard, `00-${TRACE}-${sent?.spanId}-01`);
  assert.equal(sent?.parentId, collector.spans.find(({ name }) => name === 'authorization')?.spanId);
});

test('spans have the attributes of the request', async () => {
  using collector = await startCollector();
  const server = await startTestServer({ tracingConfigFile: file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`) });
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${server.token}`, traceparent: `00-${TRACE}-${CALLER}-01` };
    await (await server.fetch(new Request(`https://localhost${path}`, { headers }))).text();
  };
  await get('/api/v1/namespaces/default');
  await get('/api/v1/configmaps');
  await get('/api/v1/configmaps?watch=1&timeoutSeconds=1');
  await server.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const [root] = named('GET /api/v1/namespaces/{:namespace}/namespaces/{:name}');
  assert.equal(root?.attributes['http.target'], '/api/v1/namespaces/default');
  assert.equal(root?.attributes['net.protocol.version'], '1.1');
  const [list, ...others] = named('List');
  assert.deepEqual(others, []);
  assert.deepEqual([list?.attributes['verb'], list?.attributes['scope']], ['LIST', 'cluster']);
  assert.equal(named('SerializeObject').length, 2, 'a watch has none');
});

/** The kind of span of a call. */
const CLIENT = 3;

test('a rejected request has the span of the step that rejected it, and that of its Status', async () => {
  using collector = await startCollector();
  const server = await startTestServer({ tracingConfigFile: file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`) });
  const get = async (path: string, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${server.token}`, traceparent: `00-${TRACE}-${CALLER}-01`, ...more };
    return (await server.fetch(new Request(`https://localhost${path}`, { headers }))).status;
  };
  assert.equal(await get('/api/v1/configmaps', { 'impersonate-user': 'nobody', accept: 'application/yaml' }), 403);
  assert.equal(await get('/api/v1/configmaps', { 'impersonate-uid': 'nobody' }), 500);
  assert.equal(await get('/api/v1/nothings'), 404);
  assert.equal(await get('/version'), 200);
  await server.close();
  const roots = collector.spans.filter(({ kind }) => kind === SERVER);
  /** The names of the spans of a request, from the outermost. */
  const way = (root: SentSpan | undefined): string[] => {
    const inner = collector.spans.find(({ parentId }) => parentId === root?.spanId);
    return inner === undefined ? [] : [inner.name, ...way(inner)];
  };
  const toAuthorization = ['audit', 'impersonation', 'priorityandfairness', 'authorization'];
  assert.deepEqual(roots.map(way), [
    [...toAuthorization, 'SerializeObject'],
    // Answered with plain text.
    ['audit', 'impersonation'],
    [...toAuthorization, 'SerializeObject'],
    toAuthorization,
  ]);
  const [first] = collector.spans.filter(({ name }) => name === 'SerializeObject');
  assert.equal(first?.attributes['mediaType'], 'application/yaml');
});

describe('spans of later releases', () => {
  /** The spans of some reads, each in a trace of its own that is sampled. */
  const spansIn = async (kubernetesVersion: string): Promise<SentSpan[]> => {
    using collector = await startCollector();
    const tracingConfigFile = file(`${HEAD}endpoint: 127.0.0.1:${collector.port}\n`);
    const server = await startTestServer({ tracingConfigFile, kubernetesVersion });
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${server.token}`, traceparent: `00-${TRACE}-${CALLER}-01` };
      await (await server.fetch(new Request(`https://localhost${path}`, { headers }))).text();
    };
    await get('/api/v1/namespaces/default?pretty=1');
    await get('/api/v1/configmaps');
    const initial = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    await get(`/api/v1/configmaps?watch=1&timeoutSeconds=1&${initial}`);
    await server.close();
    return collector.spans;
  };

  it('spans of later releases have the attributes of stable conventions from 1.35 on', async () => {
    const rootIn = async (release: string) =>
      (await spansIn(release)).find(({ name }) => name === 'GET /api/v1/namespaces/{:namespace}/namespaces/{:name}');
    const { attributes: before = {} } = (await rootIn('1.34')) ?? {};
    const { attributes: after = {} } = (await rootIn('1.35')) ?? {};
    const path = '/api/v1/namespaces/default';
    const old = ['http.method', 'http.target', 'http.scheme'];
    assert.deepEqual(
      old.map((name) => [before[name], after[name]]),
      ['GET', `${path}?pretty=1`, 'https'].map((value) => [value, undefined]),
    );
    const later = ['http.request.method', 'url.path', 'url.scheme'];
    assert.deepEqual(
      later.map((name) => [before[name], after[name]]),
      ['GET', path, 'https'].map((value) => [undefined, value]),
    );
  });

  it('spans of later releases tell of reads from memory, and of watches that begin with a list from 1.36 on', async () => {
    const eventsIn = async (release: string) =>
      Object.fromEntries((await spansIn(release)).map(({ name, events }) => [name, events]));
    const [before, lists, reads] = await Promise.all(['1.35', '1.36', '1.37'].map(eventsIn));
    const fresh = ['watchCache locked acquired', 'watchCache fresh enough'];
    assert.deepEqual(before?.['cacher.Get'], ['About to fetch object from cache']);
    assert.deepEqual(reads?.['cacher.Get'], [...fresh, 'GetByKey success']);
    assert.deepEqual(before?.['cacher.GetList'], ['Ready', ...fresh, 'Listed items from cache', 'Filtered items']);
    assert.equal(before?.['List']?.length, 3);
    assert.deepEqual([lists?.['List'], reads?.['List']], [[], []]);
    assert.equal(before?.['WatchList'], undefined);
    assert.deepEqual([lists?.['WatchList'], lists?.['cacher.Watch']], [[], fresh]);
    assert.deepEqual(lists?.['WatchServer.HandleHTTP'], [
      'About to start writing response',
      'Writing initial events done',
    ]);
  });
});
