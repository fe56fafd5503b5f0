// Webhooks that the file of admission configuration says more about: how the server makes itself known to webhooks of
// admission, and the webhook that judges images.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../src/api/object.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { strangers } from '../listening.ts';
import { respond, startWebhook, type WebhookAnswer, type WebhookServer } from '../webhook-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-admission-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: JsonObject): string {
  const path = join(folder, `${crypto.randomUUID()}-${name}`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

function configuration(plugins: JsonObject): string {
  return file('admission.yaml', {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: Object.entries(plugins).map(([name, told]) => ({ name, configuration: told })),
  } as JsonObject);
}

/** How the server makes itself known, by users of a kubeconfig. */
function users(given: JsonObject): string {
  const list = Object.entries(given).map(([name, user]) => ({ name, user }));
  const kubeConfigFile = file('users', { apiVersion: 'v1', kind: 'Config', users: list } as JsonObject);
  const told = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile };
  return configuration({ ValidatingAdmissionWebhook: told });
}

async function judgedBy(server: TestServer, clientConfig: JsonObject): Promise<void> {
  const { status } = await server.request(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      metadata: { name: 'hook' },
      webhooks: [
        {
          ...{ name: 'hook.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' },
          clientConfig,
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
      ],
    },
  );
  assert.equal(status, 201);
}

test('the server authenticates to an admission webhook as the kubeconfig user named after it', async () => {
  await using hook = await startWebhook((seen) => respond(seen, { allowed: true }));
  const { adminCertPem, adminKeyPem } = strangers(['localhost']);
  const certificate = {
    'client-certificate-data': Buffer.from(adminCertPem).toString('base64'),
    'client-key-data': Buffer.from(adminKeyPem).toString('base64'),
  };
  const cases: [given: JsonObject, authorization: string | undefined, clientName: string | undefined][] = [
    [{ [`127.0.0.1:${hook.port}`]: { token: 'exact' }, '*': { token: 'all' } }, 'Bearer exact', undefined],
    [{ [`*.0.0.1:${hook.port}`]: { token: 'wild' }, '*': { token: 'all' } }, 'Bearer wild', undefined],
    [{ 'other.example': { token: 'no' }, '*': { username: 'a', password: 'b' } }, 'Basic YTpi', undefined],
    [{ 'other.example': { token: 'no' } }, undefined, undefined],
    [{ '*': certificate }, undefined, 'kubernetes-admin'],
  ];
  for (const [given, authorization, clientName] of cases) {
    await using server = await startTestServer({ controllers: '', admissionControlConfigFile: users(given) });
    await judgedBy(server, { url: `${hook.url}/judge`, caBundle: hook.caBundle });
    const created = await server.request('POST', '/api/v1/namespaces/default/configmaps', {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const seen = hook.seen.at(-1);
    assert.deepEqual([seen?.authorization, seen?.clientName], [authorization, clientName], JSON.stringify(given));
  }
});

test("the server's own service as an admission webhook is called without a connection, as system:apiserver", async () => {
  const auditLogPath = join(folder, 'audit.log');
  const rules = [{ level: 'Metadata', nonResourceURLs: ['/judge'] }, { level: 'None' }];
  const auditPolicyFile = file('policy', { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
  const audit = { auditLogPath, auditPolicyFile, auditLogMode: 'blocking-strict' } as const;
  // A token for everything is not for the server itself.
  const admissionControlConfigFile = users({ '*': { token: 'all' } });
  await using server = await startTestServer({ controllers: '', admissionControlConfigFile, ...audit });
  await judgedBy(server, { service: { namespace: 'default', name: 'kubernetes', path: '/judge' } });
  const { body } = await server.request('POST', '/api/v1/namespaces/default/configmaps', {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  });
  assert.match(String((body as JsonObject)['message']), /the server could not find the requested resource$/);
  const [event] = readFileSync(auditLogPath, 'utf8').split('\n');
  const { user, requestURI, verb, userAgent } = JSON.parse(event ?? '');
  assert.deepEqual([user.username, user.groups], ['system:apiserver', ['system:masters', 'system:authenticated']]);
  assert.match(user.uid, /^[0-9a-f-]{36}$/);
  assert.deepEqual([requestURI, verb, userAgent], ['/judge?timeout=10s', 'post', 'kube-apiserver-admission']);
});

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };

function pod(image: string, more: JsonObject = {}): JsonObject {
  return {
    ...POD,
    metadata: { name: 'web', ...more },
    spec: { containers: [{ name: 'a', image }], initContainers: [{ name: 'b', image: 'init' }] },
  };
}

function imagePolicy(hook: WebhookServer, more: JsonObject = {}): string {
  const kubeConfigFile = file('kubeconfig', {
    clusters: [{ name: 'c', cluster: { server: `${hook.url}/images`, 'certificate-authority-data': hook.caBundle } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  return configuration({ ImagePolicyWebhook: { imagePolicy: { kubeConfigFile, ...more } } });
}

function review(status: JsonObject): WebhookAnswer {
  return { apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', status };
}

async function startJudged(admissionControlConfigFile: string, clock?: ManualClock): Promise<TestServer> {
  const options = {
    controllers: '',
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
  };
  return startTestServer({ ...options, admissionControlConfigFile }, clock === undefined ? {} : { clock });
}

const PODS = '/api/v1/namespaces/default/pods';

async function create(
  server: TestServer,
  object: JsonObject,
): Promise<{ status: number; body: ApiObject & { message: string } }> {
  const { status, body } = await server.request('POST', `${PODS}?dryRun=All`, object);
  return { status, body: body as ApiObject & { message: string } };
}

test('ImagePolicyWebhook sends the images of a pod, with the annotations that are meant for it', async () => {
  let status: JsonObject = { allowed: true };
  await using hook = await startWebhook(() => review(status));
  const clock = new ManualClock(Date.now());
  await using server = await startJudged(imagePolicy(hook, { allowTTL: 10, denyTTL: -1 }), clock);
  const annotations = { 'mycluster.image-policy.k8s.io/ticket': '1', 'example.com/other': '2' };
  assert.equal((await create(server, pod('good', { annotations }))).status, 201);
  const [seen] = hook.seen;
  assert.equal(seen?.url, '/images?timeout=30s');
  assert.equal(seen?.authorization, 'Bearer secret');
  assert.deepEqual(seen?.review['spec'], {
    containers: [{ image: 'good' }, { image: 'init' }],
    annotations: { 'mycluster.image-policy.k8s.io/ticket': '1' },
    namespace: 'default',
  });
  // What it allows is remembered for a while, what it refuses is not.
  assert.equal((await create(server, pod('good', { annotations }))).status, 201);
  assert.equal(hook.seen.length, 1);
  clock.advance(10_000);
  status = { allowed: false, reason: 'not signed' };
  const refused = await create(server, pod('good', { annotations }));
  assert.equal(refused.status, 403);
  assert.equal(
    refused.body.message,
    'pods "web" is forbidden: image policy webhook backend denied one or more images: not signed',
  );
  status = { allowed: false };
  const silent = await create(server, pod('good', { annotations }));
  assert.equal(silent.body.message, 'pods "web" is forbidden: one or more images rejected by webhook backend');
  assert.equal(hook.seen.length, 3);
});

test('ImagePolicyWebhook sends the images of ephemeral containers alone, and no other subresources', async () => {
  await using hook = await startWebhook(() => review({ allowed: true }));
  await using server = await startJudged(imagePolicy(hook));
  assert.equal((await server.request('POST', PODS, pod('good'))).status, 201);
  const added = { spec: { ephemeralContainers: [{ name: 'debug', image: 'tools' }] } };
  const patch = async (subresource: string, body: JsonObject) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' };
    const request = { method: 'PATCH', headers, body: JSON.stringify(body) };
    return (await server.fetch(new Request(`https://x${PODS}/web/${subresource}`, request))).status;
  };
  assert.equal(await patch('ephemeralcontainers', added), 200);
  assert.deepEqual(hook.seen.at(-1)?.review['spec'], { containers: [{ image: 'tools' }], namespace: 'default' });
  const asked = hook.seen.length;
  assert.equal(await patch('status', { status: { phase: 'Running' } }), 200);
  assert.equal(hook.seen.length, asked);
});

test('ImagePolicyWebhook rejects pods if the webhook fails, unless defaultAllow is set', async () => {
  const bad: [name: string, answer: () => WebhookAnswer, why: RegExp][] = [
    ['fails', () => ({ status: 403, text: 'no' }), /is forbidden: no$/],
    ['lies', () => ({ kind: 'Pod', apiVersion: 'v1' }), /no kind "Pod" is registered for version "v1"/],
  ];
  for (const [name, misbehave, why] of bad) {
    await using hook = await startWebhook(misbehave);
    await using strict = await startJudged(imagePolicy(hook));
    const refused = await create(strict, pod('good'));
    assert.equal(refused.status, 403, name);
    assert.match(refused.body.message, why);
    await using open = await startJudged(imagePolicy(hook, { defaultAllow: true }));
    const created = await open.request('POST', PODS, pod('good'));
    assert.equal(created.status, 201, name);
    assert.equal((created.body as ApiObject).metadata.annotations, undefined, name);
  }
});

test('an invalid ImagePolicyWebhook configuration ends the start in the words of kube-apiserver', async () => {
  await using hook = await startWebhook(() => review({ allowed: true }));
  const plugin = (name: string) => `failed to apply admission: couldn't init admission plugin "${name}": `;
  const judged: [path: string | undefined, why: string][] = [
    [undefined, 'no config specified'],
    [imagePolicy(hook, { allowTTL: 5000 }), 'valid value is between 1s and 30m0s, got 1h23m20s'],
    [imagePolicy(hook, { denyTTL: -2 }), 'valid value is between 1s and 30m0s, got -2s'],
    [imagePolicy(hook, { retryBackoff: 400_000 }), 'valid value is between 1ns and 5m0s, got 6m40s'],
    [imagePolicy(hook, { kubeConfigFile: '/nope' }), 'stat /nope: no such file or directory'],
  ];
  for (const [path, why] of judged) {
    const options = { enableAdmissionPlugins: ['ImagePolicyWebhook'], admissionControlConfigFile: path };
    await assert.rejects(startTestServer(options), { message: plugin('ImagePolicyWebhook') + why });
  }
  const kind = 'WebhookAdmissionConfiguration';
  const apiVersion = 'apiserver.config.k8s.io/v1';
  const known: [told: JsonObject, why: string][] = [
    [
      { apiVersion, kind, kubeConfigFile: 'rel' },
      'kubeConfigFile: Invalid value: "rel": must be an absolute file path',
    ],
    [{ apiVersion, kind, kubeConfigFile: '/nope' }, 'stat /nope: no such file or directory'],
    [
      { apiVersion, kind: 'WebhookAdmission' },
      `no kind "WebhookAdmission" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`,
    ],
    [{ kind }, `Object 'apiVersion' is missing in '{"kind":"${kind}"}'`],
  ];
  for (const [told, why] of known) {
    const admissionControlConfigFile = configuration({ MutatingAdmissionWebhook: told });
    const message = plugin('MutatingAdmissionWebhook') + why;
    await assert.rejects(startTestServer({ admissionControlConfigFile }), { message });
  }
});
