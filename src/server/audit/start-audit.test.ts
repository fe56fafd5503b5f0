import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { until } from '../../../test/until.ts';
import { startWebhook, type WebhookServer } from '../../../test/webhook-server.ts';
import type { TokenAuthenticator } from '../../auth/authn/authenticator.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { startTestServer } from '../../testing.ts';
import type { AuditOptions } from '../options/audit.ts';
import { RotatingFile } from './rotating-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-audit-'));
after(() => rmSync(folder, { recursive: true }));

const auditPolicyFile = join(folder, 'policy.yaml');
writeFileSync(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');

function webhookFile(webhook: WebhookServer): string {
  const path = join(folder, 'webhook.kubeconfig');
  const cluster = { server: `${webhook.url}/audit`, 'certificate-authority-data': webhook.caBundle };
  const config = {
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Long enough for what could happen without anybody's doing. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

suite('the audit log of a server', () => {
  test('the audit log of a server holds the event of a request when its response is sent, in a file for its owner only', async () => {
    const auditLogPath = join(folder, 'new', 'audit.log');
    await using server = await startTestServer({ auditPolicyFile, auditLogPath, controllers: '' });
    await server.request('GET', '/version');
    const lines = readFileSync(auditLogPath, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).stage),
      ['RequestReceived', 'ResponseComplete'],
    );
    assert.equal(statSync(auditLogPath).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'new')).mode & 0o777, 0o700);
  });

  test('the audit log of a server has the source addresses of the first X-Forwarded-For header, not of further ones', async () => {
    const auditLogPath = join(folder, 'sources.log');
    await using server = await startTestServer({ auditPolicyFile, auditLogPath, controllers: '', listen: true });
    const addresses = { 'x-forwarded-for': ['10.0.0.1, 10.0.0.2', '10.0.0.3'], 'x-real-ip': ['10.0.0.4', '10.0.0.5'] };
    const headers = { ...addresses, 'audit-id': ['one', 'two'] };
    await new Promise((resolve, reject) => {
      get(`${server.url}/version`, { headers, rejectUnauthorized: false }, (answer) =>
        answer.resume().on('end', resolve),
      ).on('error', reject);
    });
    const [event = ''] = readFileSync(auditLogPath, 'utf8').split('\n');
    assert.equal(JSON.parse(event).auditID, 'one');
    assert.deepEqual(JSON.parse(event).sourceIPs, ['10.0.0.1', '10.0.0.2', '10.0.0.4', '127.0.0.1']);
  });

  test('the audit log of a server marks requests for a deprecated version of a custom resource', async () => {
    const auditLogPath = join(folder, 'deprecated.log');
    await using server = await startTestServer({ auditPolicyFile, auditLogPath });
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, deprecated: true, schema }];
    const spec = { group: 'old.example', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.request('POST', definitions, { metadata: { name: 'things.old.example' }, spec });
    const things = '/apis/old.example/v1/things';
    await until('the resource', async () => (await server.request('GET', things)).status === 200);
    assert.equal((await server.request('GET', `${things}/a/scale`)).status, 404);
    assert.equal((await server.request('GET', `${things}?watch=1&timeoutSeconds=1`)).status, 200);
    const read = () =>
      readFileSync(auditLogPath, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const isOver = () => read().some(({ verb, stage }) => verb === 'watch' && stage === 'ResponseComplete');
    await until('the end of the watch', isOver);
    const events = read();
    const last = (uri: string) => events.findLast(({ requestURI }) => requestURI === uri).annotations;
    assert.equal(last(things)['k8s.io/deprecated'], 'true');
    assert.equal(last(`${things}/a/scale`)['k8s.io/deprecated'], undefined);
    const watched = events.filter(({ requestURI }) => requestURI.includes('watch=1'));
    assert.deepEqual(
      watched.map(({ stage, annotations }) => [stage, annotations?.['k8s.io/deprecated']]),
      [
        ['RequestReceived', undefined],
        ['ResponseStarted', undefined],
        ['ResponseComplete', 'true'],
      ],
    );
  });

  test('the audit log of a server holds a rejected custom resource of another kind than the path', async () => {
    const auditLogPath = join(folder, 'other-kind.log');
    const everything = join(folder, 'everything.yaml');
    writeFileSync(everything, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Request}]\n');
    await using server = await startTestServer({ auditPolicyFile: everything, auditLogPath });
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const spec = { group: 'k.example', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.request('POST', definitions, { metadata: { name: 'things.k.example' }, spec });
    const things = '/apis/k.example/v1/things';
    await until('the resource', async () => (await server.request('GET', things)).status === 200);
    const other = { apiVersion: 'k.example/v1', kind: 'Other', metadata: { name: 'x' } };
    assert.equal((await server.request('POST', things, other)).status, 422);
    const event = JSON.parse(readFileSync(auditLogPath, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    assert.deepEqual([event.objectRef.name, event.requestObject], ['x', other]);
  });

  test('the audit log of a server holds a body with its empty required lists and the fields behind disabled gates', async () => {
    const auditLogPath = join(folder, 'given.log');
    const requests = join(folder, 'requests.yaml');
    writeFileSync(requests, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Request}]\n');
    await using server = await startTestServer({ auditPolicyFile: requests, auditLogPath, controllers: '' });
    const bodies = [
      ['/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'a' }, rules: [] }],
      [
        '/apis/coordination.k8s.io/v1/namespaces/default/leases',
        { metadata: { name: 'a' }, spec: { holderIdentity: 'b', preferredHolder: 'c' } },
      ],
    ] as const;
    for (const [path, body] of bodies) {
      assert.equal((await server.request('POST', path, body)).status, 201, path);
      const event = JSON.parse(readFileSync(auditLogPath, 'utf8').trimEnd().split('\n').at(-1) ?? '');
      assert.deepEqual({ ...event.requestObject, ...body }, event.requestObject, path);
    }
  });

  test('the audit log of a server is empty without a policy, but is created', async () => {
    const auditLogPath = join(folder, 'empty.log');
    await using server = await startTestServer({ auditLogPath, controllers: '' });
    await server.request('GET', '/version');
    assert.equal(readFileSync(auditLogPath, 'utf8'), '');
  });

  test('the audit log of a server rejects and counts requests that cannot be recorded in blocking-strict mode', async () => {
    const auditLogPath = join(folder, 'full', 'audit.log');
    const options = { auditPolicyFile, auditLogPath, auditLogMode: 'blocking-strict', controllers: '' };
    await using server = await startTestServer(options);
    rmSync(join(folder, 'full'), { recursive: true });
    const request = () =>
      server.fetch(
        new Request('https://localhost/version?a=1&b=2', { headers: { authorization: `Bearer ${server.token}` } }),
      );
    const response = await request();
    assert.equal(response.status, 500);
    assert.equal(await response.text(), 'Internal Server Error: "/version?a=1&amp;b=2": failed to store audit event\n');
    assert.notEqual(response.headers.get('audit-id'), null);
  });

  test('the audit log of a server in blocking webhook mode sends one event after another before the response', async () => {
    const answers: (() => void)[] = [];
    await using webhook = await startWebhook(
      () => new Promise((resolve) => answers.push(() => resolve({ status: 200, text: '' }))),
    );
    const auditWebhookConfigFile = webhookFile(webhook);
    const options = { auditPolicyFile, auditWebhookConfigFile, auditWebhookMode: 'blocking', controllers: '' };
    await using server = await startTestServer(options);
    const made = server.request('POST', '/api/v1/namespaces', { metadata: { name: 'made' } });
    const stages = () =>
      webhook.seen.map(({ review }) => (review['items'] as { stage: string; verb: string }[])[0]!.stage);
    await until('the first event is there', () => answers.length === 1);
    await turns();
    assert.deepEqual(stages(), ['RequestReceived']);
    answers.shift()!();
    await until('the last event is there', () => answers.length === 1);
    let isAnswered = false;
    void made.then(() => {
      isAnswered = true;
    });
    await turns();
    assert.deepEqual([stages(), isAnswered], [['RequestReceived', 'ResponseComplete'], false]);
    answers.shift()!();
    assert.equal((await made).status, 201);
  });

  test('the audit log of a server goes to a webhook, with the events that wait at shutdown', async () => {
    await using webhook = await startWebhook(() => ({ status: 200, text: '' }));
    const auditWebhookConfigFile = webhookFile(webhook);
    {
      await using server = await startTestServer({ auditPolicyFile, auditWebhookConfigFile, controllers: '' });
      await server.request('GET', '/version');
      assert.equal(webhook.seen.length, 0, 'a batch waits for more');
    }
    const [seen] = webhook.seen;
    assert.equal(seen?.url, '/audit?timeout=30s');
    const items = seen?.review['items'] as { stage: string; kind?: string }[];
    assert.deepEqual(
      items.map(({ stage, kind }) => [stage, kind]),
      [
        ['RequestReceived', undefined],
        ['ResponseComplete', undefined],
      ],
    );
  });

  const refusals: [title: string, options: Partial<AuditOptions>, message: RegExp][] = [
    [
      'a missing policy',
      { auditPolicyFile: join(folder, 'missing') },
      /^loading audit policy file: failed to read file path ".*missing"/,
    ],
    ['an unknown mode', { auditLogPath: 'x', auditLogMode: 'x' }, /^invalid audit log mode x, allowed modes are/],
    [
      'a missing webhook configuration',
      { auditPolicyFile, auditWebhookConfigFile: join(folder, 'missing') },
      /^initializing audit webhook: stat .*missing: no such file or directory$/,
    ],
    [
      'a log path that cannot be written',
      { auditLogPath: '/proc/x/audit.log' },
      /^ensureLogFile: mkdir \/proc\/x: no such file or directory$/,
    ],
    ['a folder as log path', { auditLogPath: folder }, /^ensureLogFile: open .*: is a directory$/],
  ];
  for (const [title, options, message] of refusals) {
    test(`the audit log of a server ends the start with ${title}`, async () => {
      await assert.rejects(startTestServer({ ...options, controllers: '' }), (error: Error) => {
        assert.match(error.message, message);
        return true;
      });
    });
  }
});

test('an audit log file is rotated before it grows too large, and old ones are compressed and limited in number', async () => {
  const logs = join(folder, 'rotated');
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  mkdirSync(logs);
  const file = new RotatingFile({
    ...{ clock, log: silentLog, maxMegabytes: 1, maxBackups: 2, maxAgeDays: 0, compresses: true },
    path: join(logs, 'audit.log'),
  });
  const line = `${'x'.repeat(600 * 1024)}\n`;
  for (let written = 0; written < 4; written++) {
    await file.write([line]);
    clock.advance(1_000);
  }
  await file.close();
  const names = readdirSync(logs).sort();
  assert.deepEqual(names, [
    'audit-2026-01-02T03-04-07.678.log.gz',
    'audit-2026-01-02T03-04-08.678.log.gz',
    'audit.log',
  ]);
  await until('the compressed text', () => gunzipSync(readFileSync(join(logs, names[0]!))).toString() === line);
  await assert.rejects(file.write([`${'x'.repeat(1024 * 1024)}\n`]), /exceeds maximum file size/);
  await file.close();
});

test('writes to an audit log file that begin while another is under way follow it, with their lines whole', async () => {
  const path = join(folder, 'shared.log');
  const clock = new ManualClock();
  // Every write seems slow, so that those after it are left to another thread.
  const now = () => {
    clock.advance(10);
    return clock.now();
  };
  const slow = { now, after: clock.after.bind(clock) };
  const file = new RotatingFile({
    ...{ clock: slow, log: silentLog, maxMegabytes: 1, maxBackups: 2, maxAgeDays: 0, compresses: false },
    path,
  });
  const lines = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(1_000 * (8 - index))}\n`);
  await Promise.all(lines.map((line) => file.write([line])));
  await Promise.all(lines.map((line) => file.write([line])));
  await file.close();
  assert.equal(readFileSync(path, 'utf8'), [...lines, ...lines].join(''));
});

test('audit events hold the annotations and warnings of token authenticators', async () => {
  const auditLogPath = join(folder, 'remarks.log');
  const user = { name: 'late', uid: '', groups: ['system:masters'], extra: {} };
  const source: TokenAuthenticator = {
    permanent: false,
    authenticateToken: (token, remarks) => {
      remarks?.annotations.push(['authentication.k8s.io/stale-token', 'very']);
      remarks?.warnings.push('it is late');
      return token === 'late' ? user : undefined;
    },
  };
  await using server = await startTestServer({ auditPolicyFile, auditLogPath, controllers: '' }, { tokens: [source] });
  const headers = { authorization: 'Bearer late' };
  const answer = await server.fetch(new Request('https://x/api/v1/namespaces/default', { headers }));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('warning'), '299 - "it is late"');
  await server.close();
  const events = readFileSync(auditLogPath, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(events.length, 2);
  for (const { annotations } of events) assert.equal(annotations['authentication.k8s.io/stale-token'], 'very');
});

test('the audit event of a request that timed out has its outcome', async () => {
  const auditLogPath = join(folder, 'late.log');
  const clock = new ManualClock(Date.UTC(2026, 0, 2));
  await using server = await startTestServer({ auditPolicyFile, auditLogPath, controllers: '' }, { clock });
  const headers = { authorization: `Bearer ${server.token}` };
  const query = 'resourceVersion=99999999&resourceVersionMatch=NotOlderThan&timeout=1s';
  const answer = server.fetch(new Request(`https://x/api/v1/configmaps?${query}`, { headers }));
  const ends = () =>
    readFileSync(auditLogPath, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"ResponseComplete"'));
  await until('the request has arrived', () => readFileSync(auditLogPath, 'utf8').includes('RequestReceived'));
  clock.advance(1_000);
  assert.match(await (await answer).text(), /request did not complete within the allotted timeout/);
  assert.deepEqual(ends(), []);
  clock.advance(3_000);
  const [end] = await until('its event', () => ends().length > 0 && ends());
  const { code, message } = JSON.parse(end!).responseStatus;
  assert.equal(code, 504);
  assert.match(message, /^Timeout: Too large resource version: 99999999/);
});

test('a request body that its client aborts is reported in the terms of its protocol', async () => {
  const auditLogPath = join(folder, 'gone.log');
  await using server = await startTestServer({ auditPolicyFile, auditLogPath, controllers: '', listen: true });
  const session = connect(server.url, { rejectUnauthorized: false });
  const stream = session
    .on('error', () => {})
    .request({
      ':method': 'POST',
      ':path': '/api/v1/namespaces/default/configmaps',
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
    });
  stream.on('error', () => {}).write('{"apiVersion":');
  const log = () => readFileSync(auditLogPath, 'utf8');
  await until('the request has arrived', () => log().includes('/configmaps'));
  session.destroy();
  await until('its end', () => log().includes('"message":"client disconnected","code":500'));
});

test('an audit event of a request for aggregated discovery has the document, whatever its encoding', async () => {
  const auditLogPath = join(folder, 'discovery.log');
  const policy = join(folder, 'whole.yaml');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n');
  await using server = await startTestServer({ auditPolicyFile: policy, auditLogPath, controllers: '' });
  const accept = 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const headers = { authorization: `Bearer ${server.token}`, accept };
  await (await server.fetch(new Request('https://localhost/api', { headers }))).arrayBuffer();
  const [event = ''] = readFileSync(auditLogPath, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"ResponseComplete"'));
  const { apiVersion, kind, items } = JSON.parse(event).responseObject;
  assert.deepEqual([apiVersion, kind, items.length], ['apidiscovery.k8s.io/v2', 'APIGroupDiscoveryList', 1]);
});
