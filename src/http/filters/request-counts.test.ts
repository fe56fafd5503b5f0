import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import type { TokenAuthenticator } from '../../auth/authn/authenticator.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { silentLog, startServer } from '../../server/server.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Sent {
  readonly type?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly token?: string;
}

async function send(server: TestServer, request: string, { type, accept, body, token }: Sent = {}): Promise<void> {
  const [method = '', path = ''] = request.split(' ');
  const headers: Record<string, string> = { authorization: `Bearer ${token ?? server.token}` };
  if (body !== undefined) headers['content-type'] = type ?? 'application/json';
  if (accept !== undefined) headers['accept'] = accept;
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  await (await server.fetch(new Request(`https://localhost${path}`, init))).text();
}

/** The series of a family that count something, without labels that are empty. */
async function counted(server: TestServer, family: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${family}{`) && !line.endsWith(' 0'));
  return lines.map((line) =>
    line
      .slice(family.length)
      .replaceAll(/[a-z_]+="",?/g, '')
      .replace(',}', '}'),
  );
}

/** Sends a request. @returns what it has added to the count up to now */
async function adding(server: TestServer, request: string, sent?: Sent): Promise<() => Promise<string[]>> {
  const before = new Set(await counted(server, 'apiserver_request_total'));
  await send(server, request, sent);
  return async () => (await counted(server, 'apiserver_request_total')).filter((line) => !before.has(line));
}

/** A request is counted when its answer has left, for which its client may not wait. */
async function assertCounted(server: TestServer, request: string, sent: Sent, labels: string): Promise<void> {
  const added = await adding(server, request, sent);
  const lines = await until(`${request} is counted`, async () => ((await added()).length > 0 ? added() : false));
  assert.deepEqual(lines, [`{${labels}} 1`], request);
}

/** The request for the metrics passes behind the one that is not to be counted. */
async function assertNotCounted(server: TestServer, request: string, sent?: Sent): Promise<void> {
  assert.deepEqual(await (await adding(server, request, sent))(), [], request);
}

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const PLACE = 'component="apiserver",resource="configmaps"';

test('requests for resources are counted with the labels of kube-apiserver', async () => {
  await using server = await startTestServer();
  const cases: [request: string, sent: Sent, labels: string][] = [
    [`POST ${MAPS}`, { body: MAP }, `code="201",${PLACE},scope="resource",verb="POST",version="v1"`],
    [`POST ${MAPS}?dryRun=All`, { body: MAP }, `code="409",${PLACE},dry_run="All",scope="resource",verb="POST"`],
    [`POST ${MAPS}?dryRun=x`, { body: MAP }, `code="422",${PLACE},dry_run="invalid",scope="resource",verb="POST"`],
    [`GET ${MAPS}`, {}, `code="200",${PLACE},scope="namespace",verb="LIST",version="v1"`],
    ['GET /api/v1/configmaps', {}, `code="200",${PLACE},scope="cluster",verb="LIST",version="v1"`],
    [`GET ${MAPS}/none`, {}, `code="404",${PLACE},scope="resource",verb="GET",version="v1"`],
    [
      `PATCH ${MAPS}/a?fieldManager=x`,
      { body: MAP, type: 'application/apply-patch+yaml' },
      `code="200",${PLACE},scope="resource",verb="APPLY",version="v1"`,
    ],
    [
      `PATCH ${MAPS}/a`,
      { body: {}, type: 'application/merge-patch+json' },
      `code="200",${PLACE},scope="resource",verb="PATCH",version="v1"`,
    ],
    [`DELETE ${MAPS}/a`, {}, `code="200",${PLACE},scope="resource",verb="DELETE",version="v1"`],
    [`DELETE ${MAPS}`, {}, `code="200",${PLACE},scope="namespace",verb="DELETE",version="v1"`],
    [
      'GET /api/v1/namespaces/default/pods/none/log',
      {},
      'code="404",component="apiserver",resource="pods",scope="resource",subresource="log",verb="CONNECT",version="v1"',
    ],
  ];
  for (const [request, sent, labels] of cases) {
    const sorted = labels.split(',').sort().join(',');
    const expected = sorted.includes('version=') ? sorted : `${sorted},version="v1"`;
    await assertCounted(server, request, sent, expected);
  }
  const sizes = await counted(server, 'apiserver_request_body_size_bytes_count');
  assert.ok(sizes.includes('{resource="configmaps",verb="delete_collection"} 1'));
});

test('requests for OpenAPI, health and aggregated discovery are counted, those for other paths not', async () => {
  await using server = await startTestServer();
  const cases: [request: string, sent: Sent, labels: string][] = [
    ['GET /livez', {}, 'code="200",subresource="/livez",verb="GET"'],
    ['GET /openapi/v3', {}, 'code="200",subresource="openapi/v3",verb="GET"'],
    ['GET /openapi/v3/none', {}, 'code="404",subresource="openapi/v3/",verb="GET"'],
    ['GET /apis', { accept: AGGREGATED }, 'code="200",component="apiserver",subresource="apis",verb="GET"'],
  ];
  for (const [request, sent, labels] of cases) {
    await assertCounted(server, request, sent, labels);
  }
});

test('requests that do not reach a handler are not counted', async () => {
  await using server = await startTestServer();
  for (const request of ['/version', '/apis', '/apis/apps/v1', '/openapi/v2', '/none', '/livez/ping', '/metrics']) {
    await assertNotCounted(server, `GET ${request}`);
  }
  await assertNotCounted(server, `GET ${MAPS}`, { token: 'wrong' });
  await assertNotCounted(server, `GET ${MAPS}`, { accept: 'text/x' });
  await assertNotCounted(server, `PUT ${MAPS}`, { body: MAP });
  await assertNotCounted(server, `GET ${MAPS}?timeout=x`);
  await assertNotCounted(server, 'GET /api/v1/namespaces/default/none');
});

test('apiserver_request_filter_duration_seconds measures each filter, and rejected requests up to their last one', async () => {
  await using server = await startTestServer();
  const passed = async () => {
    const lines = await counted(server, 'apiserver_request_filter_duration_seconds_count');
    return new Map(lines.map((line) => [/filter="(\w+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]));
  };
  const before = await passed();
  await send(server, `GET ${MAPS}`, { token: 'wrong' });
  const after = await passed();
  const grown = [...after].map(([filter, count]) => [filter, count - (before.get(filter) ?? 0)]);
  // The one more is the request that asks for the metrics.
  assert.deepEqual(Object.fromEntries(grown), {
    ...{ audit: 1, authentication: 2, authorization: 1, impersonation: 1, priorityandfairness: 1 },
  });
});

test('response sizes are measured alike for long and short responses', async () => {
  await using server = await startTestServer();
  const data = { long: 'x'.repeat(limits.responsePieceBytes) };
  for (const name of ['one', 'other']) await server.request('POST', MAPS, { metadata: { name }, data });
  await send(server, `GET ${MAPS}`);
  const sum = await until('the list is measured', async () => {
    const [line] = await counted(server, 'apiserver_response_sizes_sum');
    return line === undefined ? false : Number(line.split(' ').at(-1));
  });
  assert.ok(sum > 2 * limits.responsePieceBytes, String(sum));
});

test('watches have no SLI metric, and those of custom resources have no response size either', async () => {
  await using server = await startTestServer();
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const spec = { group: 'w.example', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.request('POST', definitions, { metadata: { name: 'things.w.example' }, spec });
  const things = '/apis/w.example/v1/things';
  await until('the resource', async () => (await server.request('GET', things)).status === 200);
  for (const path of [MAPS, things]) await send(server, `GET ${path}?watch=1&timeoutSeconds=1`);
  const watched = async (family: string) => (await counted(server, family)).filter((line) => line.includes('"WATCH"'));
  const total = () => watched('apiserver_request_total');
  await until('the watches are counted', async () => (await total()).length === 2);
  assert.deepEqual(await watched('apiserver_request_sli_duration_seconds_count'), []);
  assert.match((await watched('apiserver_response_sizes_count')).join(), /configmaps/);
  assert.doesNotMatch((await watched('apiserver_response_sizes_count')).join(), /things/);
});

test('admission plugins are counted for reviews, too', async () => {
  await using server = await startTestServer({ controllers: '' });
  const validated = async () =>
    (await counted(server, 'apiserver_admission_controller_admission_duration_seconds_count'))
      .filter((line) => line.includes('operation="CREATE"') && line.includes('type="validate"'))
      .map((line) => `${/name="(\w+)"/.exec(line)?.[1]} ${line.split(' ').at(-1)}`);
  const before = new Set(await validated());
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  await server.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
  const grown = (await validated()).filter((line) => !before.has(line)).map((line) => line.split(' ')[0]);
  for (const name of ['LimitRanger', 'PodSecurity', 'ResourceQuota', 'ValidatingAdmissionPolicy']) {
    assert.ok(grown.includes(name), name);
  }
  assert.ok(!grown.includes('CertificateApproval'), 'it handles updates only');
});

test('a request past its deadline is counted as ended, and once more when its work ends', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const put = store.put.bind(store);
  const waiting: (() => void)[] = [];
  const tokens: TokenAuthenticator[] = [
    { permanent: true, authenticateToken: () => ({ name: 'admin', groups: ['system:masters'], uid: '', extra: {} }) },
  ];
  const environment = { clock, log: silentLog, tokens, store: Promise.resolve(store), listens: false, ephemeral: true };
  await using server = await startServer({ store: 'memory' }, environment);
  const ask = (method: string, path: string, body?: object) => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return server.fetch(new Request(`https://localhost${path}`, init));
  };
  store.put = async (...write) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return put(...write);
  };
  const late = ask('POST', `${MAPS}?timeout=2s`, MAP);
  await until('the store is asked', () => waiting.length > 0);
  clock.advance(2_000);
  assert.equal((await late).status, 504);
  const lines = async () => (await (await ask('GET', '/metrics')).text()).split('\n');
  const ended = (await lines()).filter((line) => line.startsWith('apiserver_request_terminations_total{code="504"'));
  assert.equal(ended.length, 1);
  store.put = put;
  for (const go of waiting) go();
  const after = 'apiserver_request_post_timeout_total{source="timeout-handler",status="ok"} 1';
  await until('the work has ended', async () => (await lines()).includes(after));
});
