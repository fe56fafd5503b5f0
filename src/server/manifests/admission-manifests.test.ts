// Tests of admission manifests in the real pipeline.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { CONFIG_MAPS, configure, create, GROUP, named, QUIET, RULE } from '../../../test/admission-webhooks.ts';
import { until } from '../../../test/until.ts';
import { patching, respond, startWebhook, type WebhookServer } from '../../../test/webhook-server.ts';
import type { ManifestPlugin } from '../../admission/manifests.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const root = mkdtempSync(join(tmpdir(), 'keelson-manifests-'));
after(() => rmSync(root, { recursive: true }));

const V1 = 'admissionregistration.k8s.io/v1';
const VALIDATING: ManifestPlugin = 'ValidatingAdmissionWebhook';
const MUTATING: ManifestPlugin = 'MutatingAdmissionWebhook';
const POLICY: ManifestPlugin = 'ValidatingAdmissionPolicy';
const EVERYTHING = { ...RULE, apiGroups: ['*'], resources: ['*'], apiVersions: ['*'] };
let folders = 0;

/** A new folder with a file of these objects. */
function folderOf(objects: readonly JsonObject[]): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  put(folder, objects);
  return folder;
}

function put(folder: string, objects: readonly JsonObject[]): void {
  writeFileSync(join(folder, 'manifests.yaml'), objects.map((each) => JSON.stringify(each)).join('\n---\n'));
}

function configFile(plugins: readonly JsonObject[]): string {
  const path = join(root, `${folders++}.json`);
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' };
  writeFileSync(path, JSON.stringify({ ...head, plugins: [...plugins] }));
  return path;
}

function pluginOf(name: string, staticManifestsDir: string): JsonObject {
  const kind = name.endsWith('Webhook') ? 'WebhookAdmissionConfiguration' : `${name}Configuration`;
  return { name, configuration: { apiVersion: 'apiserver.config.k8s.io/v1', kind, staticManifestsDir } };
}

/** A server whose plugins read manifests from folders. */
function start(
  manifests: Readonly<Partial<Record<ManifestPlugin, string>>>,
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<TestServer> {
  const plugins = Object.entries(manifests).map(([name, folder]) => pluginOf(name, folder));
  const admissionControlConfigFile = configFile(plugins);
  return startTestServer({ ...QUIET, kubernetesVersion: '1.37', admissionControlConfigFile, ...options });
}

function webhooks(plugin: ManifestPlugin, at: WebhookServer, of: JsonObject = {}): JsonObject {
  const webhook = {
    ...{ name: 'm.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], rules: [RULE] },
    ...{ clientConfig: { url: `${at.url}/manifest`, caBundle: at.caBundle }, ...of },
  };
  const kind = plugin === MUTATING ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  return { apiVersion: V1, kind, metadata: { name: 'z.static.k8s.io' }, webhooks: [webhook] };
}

/** A policy that refuses what has the data `refused`, with its binding. */
function policies(message: string, rule: JsonObject = RULE, expression = '!has(object.data)'): JsonObject[] {
  const name = 'p.static.k8s.io';
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression, message }] };
  const bound = { policyName: name, validationActions: ['Deny'] };
  return [
    { apiVersion: V1, kind: POLICY, metadata: { name }, spec },
    { apiVersion: V1, kind: `${POLICY}Binding`, metadata: { name }, spec: bound },
  ];
}

async function messageOf(server: TestServer, path: string, object: JsonObject): Promise<string | undefined> {
  const { body } = await server.request('POST', path, object);
  return (body as JsonObject)['message'] as string | undefined;
}

/** The values of a metric of manifests, by labels without the hash of the server. */
async function metric(server: TestServer, name: string): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const prefix = `apiserver_manifest_admission_config_controller_${name}{`;
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return Object.fromEntries(
    lines.map((line) => {
      const [labels = '', value = ''] = line.slice(prefix.length).split('} ');
      assert.match(labels, /apiserver_id_hash="sha256:[0-9a-f]{64}",?/);
      return [labels.replace(/apiserver_id_hash="[^"]*",?/, '').replace(/,$/, ''), value];
    }),
  );
}

suite('admission manifests of a server', () => {
  test('webhooks of manifests are called before those of the API, whatever their names', async () => {
    await using webhook = await startWebhook((seen) =>
      patching(seen, {
        op: 'add',
        path: '/data',
        value: { by: seen.url.startsWith('/manifest') ? 'manifest' : 'API' },
      }),
    );
    await using server = await start({ [MUTATING]: folderOf([webhooks(MUTATING, webhook)]) });
    await configure(server, 'mutating', [{ at: webhook, path: '/api' }], 'a');
    const { body } = await create(server, named('a'));
    assert.deepEqual(body['data'], { by: 'API' });
    assert.deepEqual(
      webhook.seen.map(({ url }) => url.replace(/\?.*/, '')),
      ['/manifest', '/api'],
    );
  });

  test('validating webhooks of manifests validate admission configuration, unlike those of the API', async () => {
    await using webhook = await startWebhook((seen) =>
      respond(seen, { allowed: !seen.url.startsWith('/manifest'), status: { message: 'not allowed' } }),
    );
    await using server = await start({
      [VALIDATING]: folderOf([webhooks(VALIDATING, webhook, { rules: [EVERYTHING] })]),
    });
    const refusal = 'admission webhook "m.example.com" denied the request: not allowed';
    for (const plural of ['validatingwebhookconfigurations', 'validatingadmissionpolicybindings']) {
      const spec = plural.endsWith('bindings') ? { spec: { policyName: 'a', validationActions: ['Deny'] } } : {};
      assert.equal(await messageOf(server, `${GROUP}/${plural}`, { metadata: { name: 'a' }, ...spec }), refusal);
    }
    const review = { spec: { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } } };
    const { status } = await server.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    assert.equal(status, 201);
  });

  test('policies of manifests apply to admission policies, and not to access reviews', async () => {
    const all = policies('not allowed', EVERYTHING, 'object == null');
    await using server = await start({ [POLICY]: folderOf(all) });
    const refused = (name: string, resource: string) =>
      `${resource} "${name}" is forbidden: ValidatingAdmissionPolicy 'p.static.k8s.io' with binding 'p.static.k8s.io' denied request: not allowed`;
    assert.equal(await messageOf(server, CONFIG_MAPS, named('a')), refused('a', 'configmaps'));
    const binding = { metadata: { name: 'b' }, spec: { policyName: 'a', validationActions: ['Deny'] } };
    const resource = 'validatingadmissionpolicybindings';
    assert.equal(
      await messageOf(server, `${GROUP}/${resource}`, binding),
      refused('b', `${resource}.admissionregistration.k8s.io`),
    );
    const review = { spec: { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } } };
    const { status } = await server.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    assert.equal(status, 201);
  });

  test('mutating policies of manifests change objects, in 1.36 with their gate too', async () => {
    const name = 'p.static.k8s.io';
    const expression = 'Object{data: {"by": "manifest"}}';
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
    const spec = { matchConstraints: { resourceRules: [RULE] }, reinvocationPolicy: 'Never', mutations };
    const plugin = 'MutatingAdmissionPolicy';
    const folder = folderOf([
      { apiVersion: V1, kind: plugin, metadata: { name }, spec },
      { apiVersion: V1, kind: `${plugin}Binding`, metadata: { name }, spec: { policyName: name } },
    ]);
    const gate = { ManifestBasedAdmissionControlConfig: true };
    for (const options of [{}, { kubernetesVersion: '1.36', featureGates: gate }]) {
      await using server = await start({ [plugin]: folder }, options);
      assert.deepEqual((await create(server, named('a'))).body['data'], { by: 'manifest' });
    }
  });

  test('changed manifests take effect while the server runs, and invalid ones do not; both are counted', async () => {
    const folder = folderOf(policies('first'));
    await using server = await start({ [POLICY]: folder });
    const plugin = `plugin="${POLICY}"`;
    const becomes = (expected: string | undefined) =>
      until(`refused with ${expected}`, async () => {
        server.clock?.advance('1s');
        const message = await messageOf(server, `${CONFIG_MAPS}?dryRun=All`, named('a', { a: 'b' }));
        return message?.replace(/.*: /, '') === expected;
      });
    await becomes('first');
    const [initial] = Object.keys(await metric(server, 'last_config_info'));
    put(folder, policies('second'));
    await becomes('second');
    assert.deepEqual(await metric(server, 'automatic_reloads_total'), { [`${plugin},status="success"`]: '2' });
    const [changed, ...others] = Object.keys(await metric(server, 'last_config_info'));
    assert.match(changed ?? '', /^hash="sha256:[0-9a-f]{64}",plugin="ValidatingAdmissionPolicy"$/);
    assert.notEqual(changed, initial);
    assert.deepEqual(others, []);
    put(folder, policies('third').slice(1));
    const failed = `${plugin},status="failure"`;
    await until('a failed reload', async () => {
      server.clock?.advance('1s');
      return (await metric(server, 'automatic_reloads_total'))[failed] === '1';
    });
    await becomes('second');
    assert.equal((await metric(server, 'automatic_reloads_total'))[failed], '1');
    assert.deepEqual(Object.keys(await metric(server, 'automatic_reload_last_timestamp_seconds')), [
      failed,
      `${plugin},status="success"`,
    ]);
    rmSync(join(folder, 'manifests.yaml'));
    await becomes(undefined);
  });

  test('a server without manifests has none of their metrics', async () => {
    await using server = await startTestServer({ ...QUIET, kubernetesVersion: '1.37' });
    assert.deepEqual(await metric(server, 'automatic_reloads_total'), {});
  });

  test('a server with invalid manifests does not start', async () => {
    const folder = folderOf(policies('a').slice(1));
    await assert.rejects(start({ [POLICY]: folder }), {
      message: `failed to apply admission: failed to initialize admission plugin "${POLICY}": failed to load static policy manifests from "${folder}": binding "p.static.k8s.io" references policy "p.static.k8s.io" which does not exist in the manifest directory`,
    });
  });

  test('a folder of manifests is rejected without the gate, and in releases that have no manifests', async () => {
    const gate = 'ManifestBasedAdmissionControlConfig';
    const why = `staticManifestsDir: Forbidden: staticManifestsDir requires the ${gate} feature gate to be enabled`;
    const off = { featureGates: { [gate]: false } };
    for (const plugin of [VALIDATING, MUTATING, POLICY] as const) {
      for (const options of [off, { kubernetesVersion: '1.36' }, { kubernetesVersion: '1.34' }]) {
        await assert.rejects(start({ [plugin]: root }, options), {
          message: `failed to apply admission: couldn't init admission plugin "${plugin}": ${why}`,
        });
      }
    }
  });

  test('a folder of manifests is a folder with an absolute path', async () => {
    const file = configFile([]);
    for (const [folder, why] of [
      ['manifests', 'Invalid value: "manifests": must be an absolute file path'],
      [
        '/nowhere/at/all',
        'Invalid value: "/nowhere/at/all": unable to read: stat /nowhere/at/all: no such file or directory',
      ],
      [file, `Invalid value: "${file}": must be a directory`],
    ] as const) {
      await assert.rejects(start({ [POLICY]: folder }), {
        message: `failed to apply admission: couldn't init admission plugin "${POLICY}": staticManifestsDir: ${why}`,
      });
    }
  });

  test('a configuration of another kind is rejected in the words of the release', async () => {
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
    for (const [name, configuration, why] of [
      [
        POLICY,
        { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'MutatingAdmissionPolicyConfiguration' },
        'unexpected type: *policyconfig.MutatingAdmissionPolicyConfiguration',
      ],
      [
        VALIDATING,
        { apiVersion: 'apiserver.config.k8s.io/v1alpha1', kind: 'WebhookAdmission', kubeConfigFile: '/a' },
        `no kind "WebhookAdmission" is registered for version "apiserver.config.k8s.io/v1alpha1" ${scheme}`,
      ],
      [
        MUTATING,
        { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', staticManifestsDir: 3 },
        'json: cannot unmarshal number into Go struct field WebhookAdmission.staticManifestsDir of type string',
      ],
      [
        MUTATING,
        { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile: 'x' },
        'kubeConfigFile: Invalid value: "x": must be an absolute file path',
      ],
    ] as const) {
      const admissionControlConfigFile = configFile([{ name, configuration }]);
      await assert.rejects(startTestServer({ ...QUIET, kubernetesVersion: '1.37', admissionControlConfigFile }), {
        message: `failed to apply admission: couldn't init admission plugin "${name}": ${why}`,
      });
    }
  });

  test('the configuration of a policy plugin is decoded strictly from 1.36 on, and ignored before', async () => {
    const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: `${POLICY}Configuration`, folder: '/' };
    const options = { ...QUIET, admissionControlConfigFile: configFile([{ name: POLICY, configuration }]) };
    await assert.rejects(startTestServer({ ...options, kubernetesVersion: '1.37' }), {
      message: `failed to apply admission: couldn't init admission plugin "${POLICY}": strict decoding error: unknown field "folder"`,
    });
    await using server = await startTestServer(options);
    assert.equal((await create(server, named('a'))).status, 201);
  });
});
