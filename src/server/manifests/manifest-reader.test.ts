import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { ManifestPlugin } from '../../admission/manifests.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { ShortTurns } from '../../base/short-turns.ts';
import { systemClock } from '../system-clock.ts';
import { readManifests } from './manifest-reader.ts';

const root = mkdtempSync(join(tmpdir(), 'keelson-manifests-'));
after(() => rmSync(root, { recursive: true }));

const V1 = 'admissionregistration.k8s.io/v1';
let folders = 0;

/** A folder with files, by name; objects become JSON. */
function folderOf(files: Readonly<Record<string, string | JsonObject>>): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

function read(
  plugin: ManifestPlugin,
  folder: string,
  minor = 37,
  turns: Pick<ShortTurns, 'begin'> = new ShortTurns(systemClock, setImmediate),
) {
  const registry = {
    turns,
    strategyContext: (user: never) => ({ nowMs: 0, minor, user, gateEnabled: () => true }),
  };
  return readManifests(plugin, folder, { registry, minor });
}

function webhooks(name: string, of: JsonObject = {}, kind = 'ValidatingWebhookConfiguration'): JsonObject {
  const webhook = {
    ...{ name: 'w.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...{ clientConfig: { url: 'https://localhost/' }, ...of },
  };
  return { apiVersion: V1, kind, metadata: { name }, webhooks: [webhook] };
}

const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];

function policy(name: string, spec: JsonObject = {}): JsonObject {
  const all = { matchConstraints: { resourceRules: RULES }, validations: [{ expression: 'true' }], ...spec };
  return { apiVersion: V1, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: all };
}

function binding(name: string, policyName: string, spec: JsonObject = {}): JsonObject {
  const all = { policyName, validationActions: ['Deny'], ...spec };
  return { apiVersion: V1, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: all };
}

/** Asserts why a file of this content cannot be used; FILE stands for its path. */
async function refused(plugin: ManifestPlugin, content: string | JsonObject, message: string): Promise<void> {
  const folder = folderOf({ 'a.yaml': content });
  await assert.rejects(read(plugin, folder), { message: message.replaceAll('FILE', join(folder, 'a.yaml')) });
}

const VALIDATING = 'ValidatingAdmissionWebhook';
const POLICY = 'ValidatingAdmissionPolicy';

suite('manifests of admission objects', () => {
  test('manifests of admission objects are read from the .yaml, .yml and .json files of a folder, and sorted by name', async () => {
    const folder = folderOf({
      'b.yaml': `---\n${JSON.stringify(webhooks('c.static.k8s.io'))}\n--- # next\n${JSON.stringify(webhooks('b.static.k8s.io'))}\n`,
      'a.JSON': webhooks('d.static.k8s.io'),
      'z.yml': webhooks('a.static.k8s.io'),
      'empty.yaml': '',
      'notes.txt': 'not a manifest',
    });
    mkdirSync(join(folder, 'folder.yaml'));
    const { objects, hash } = await read(VALIDATING, folder);
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name),
      ['a', 'b', 'c', 'd'].map((name) => `${name}.static.k8s.io`),
    );
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
  });

  test('manifests of admission objects have a hash over their files, each followed by a zero byte, and none without content', async () => {
    const content = JSON.stringify(webhooks('a.static.k8s.io'));
    const { hash } = await read(VALIDATING, folderOf({ 'a.json': content, 'b.json': '' }));
    assert.equal(hash, `sha256:${createHash('sha256').update(`${content}\0`).digest('hex')}`);
    assert.deepEqual(await read(VALIDATING, folderOf({ 'a.json': '' })), { objects: [], hash: '' });
  });

  test('manifests of admission objects get the same defaults as objects of the API', async () => {
    const { objects } = await read(VALIDATING, folderOf({ 'a.json': webhooks('a.static.k8s.io') }));
    const [first] = objects as [ApiObject];
    const [{ failurePolicy, timeoutSeconds }] = first['webhooks'] as [JsonObject];
    assert.deepEqual({ failurePolicy, timeoutSeconds }, { failurePolicy: 'Fail', timeoutSeconds: 10 });
  });

  test('manifests of admission objects may be lists of one kind or of any kinds', async () => {
    const folder = folderOf({
      'a.json': {
        ...{ apiVersion: 'v1', kind: 'List' },
        items: [policy('a.static.k8s.io'), binding('a.static.k8s.io', 'b.static.k8s.io')],
      },
      'b.json': { apiVersion: V1, kind: 'ValidatingAdmissionPolicyList', items: [policy('b.static.k8s.io')] },
    });
    const { objects } = await read(POLICY, folder);
    assert.deepEqual(objects.map(({ kind }) => kind).sort(), [
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ]);
  });

  for (const minor of [36, 37]) {
    test(`manifests of admission objects may be mutating policies of v1 in 1.${minor}, whatever version those are stored in`, async () => {
      const spec = {
        ...{ matchConstraints: { resourceRules: RULES }, reinvocationPolicy: 'Never' },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
      };
      const object = { apiVersion: V1, kind: 'MutatingAdmissionPolicy', metadata: { name: 'a.static.k8s.io' }, spec };
      const { objects } = await read('MutatingAdmissionPolicy', folderOf({ 'a.json': object }), minor);
      const [first] = objects as [ApiObject];
      assert.equal((first['spec'] as JsonObject)['failurePolicy'], 'Fail');
    });
  }

  test('manifests of admission objects are rejected with kinds and versions that the plugin does not read', async () => {
    const mutating = webhooks('a.static.k8s.io', {}, 'MutatingWebhookConfiguration');
    await refused(
      VALIDATING,
      mutating,
      'error loading FILE: unsupported resource type *v1.MutatingWebhookConfiguration',
    );
    await refused(POLICY, mutating, 'error loading FILE: unsupported resource type *v1.MutatingWebhookConfiguration');
    const old = { ...policy('a.static.k8s.io'), apiVersion: 'admissionregistration.k8s.io/v1beta1' };
    await refused(POLICY, old, 'error loading FILE: unsupported resource type *v1beta1.ValidatingAdmissionPolicy');
    await refused(
      POLICY,
      { apiVersion: 'v1', kind: 'ConfigMap' },
      'error loading FILE: no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    );
    await refused(POLICY, 'a: 1', "error loading FILE: Object 'Kind' is missing in 'a: 1'");
    await refused(
      POLICY,
      { apiVersion: 'v1', kind: 'List', items: [{ kind: 'A' }] },
      `error loading FILE: failed to decode list item: Object 'apiVersion' is missing in '{"kind":"A"}'`,
    );
  });

  test('manifests of admission objects are rejected with an unknown or a duplicate field', async () => {
    const unknown = { ...webhooks('a.static.k8s.io'), colour: 'red' };
    await refused(VALIDATING, unknown, 'error loading FILE: strict decoding error: unknown field "colour"');
    const list = { apiVersion: 'v1', kind: 'List', items: [unknown] };
    await refused(
      VALIDATING,
      list,
      'error loading FILE: failed to decode list item: strict decoding error: unknown field "colour"',
    );
    const repeated = 'kind: ValidatingWebhookConfiguration\nkind: ValidatingWebhookConfiguration\n';
    await assert.rejects(
      read(VALIDATING, folderOf({ 'a.yaml': `apiVersion: ${V1}\n${repeated}` })),
      /strict decoding error: yaml: unmarshal errors:\n {2}line 3: key "kind" already set in map/,
    );
  });

  test('manifests of admission objects are rejected with the validation errors of the API', async () => {
    await refused(
      VALIDATING,
      webhooks('a.static.k8s.io', { sideEffects: 'Some' }),
      'error loading FILE: ValidatingWebhookConfiguration "a.static.k8s.io": webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    );
    await assert.rejects(
      read(POLICY, folderOf({ 'a.json': policy('a.static.k8s.io', { validations: [{ expression: 'object.' }] }) })),
      /: ValidatingAdmissionPolicy "a\.static\.k8s\.io": spec\.validations\[0\]\.expression: Invalid value: .*compilation failed/s,
    );
  });

  test('manifests of admission objects have unique names with the suffix for manifests', async () => {
    await refused(
      VALIDATING,
      webhooks('a.example.com'),
      'error loading FILE: "a.example.com" in file "FILE" must have a name ending with ".static.k8s.io"',
    );
    const folder = folderOf({ 'a.json': webhooks('a.static.k8s.io'), 'b.json': webhooks('a.static.k8s.io') });
    const [a, b] = ['a.json', 'b.json'].map((name) => join(folder, name));
    await assert.rejects(read(VALIDATING, folder), {
      message: `error loading ${b}: duplicate name "a.static.k8s.io" found in file "${b}" (previously seen in "${a}")`,
    });
    const same = { 'a.json': policy('a.static.k8s.io'), 'b.json': binding('a.static.k8s.io', 'a.static.k8s.io') };
    assert.equal((await read(POLICY, folderOf(same))).objects.length, 2);
  });

  test('manifests of admission objects require a URL for webhooks', async () => {
    await refused(
      VALIDATING,
      webhooks('a.static.k8s.io', { clientConfig: { service: { namespace: 'a', name: 'b' } } }),
      'error loading FILE: webhook "w.example.com" in "a.static.k8s.io" (file "FILE"): clientConfig.service is not supported for static manifests; use clientConfig.url instead',
    );
  });

  test('manifests of admission objects may not have parameters in policies and bindings, and bindings name policies among them', async () => {
    const parameters = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    const cases: [JsonObject, string][] = [
      [
        policy('a.static.k8s.io', parameters),
        'error loading FILE: ValidatingAdmissionPolicy "a.static.k8s.io": spec.paramKind is not supported for static manifests',
      ],
      [
        binding('b.static.k8s.io', 'a'),
        'error loading FILE: binding "b.static.k8s.io": spec.policyName "a" must end with ".static.k8s.io"',
      ],
      [
        binding('b.static.k8s.io', 'a.static.k8s.io', { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }),
        'error loading FILE: binding "b.static.k8s.io": spec.paramRef is not supported for static manifests',
      ],
      [
        binding('b.static.k8s.io', 'a.static.k8s.io'),
        'binding "b.static.k8s.io" references policy "a.static.k8s.io" which does not exist in the manifest directory',
      ],
    ];
    for (const [object, message] of cases) await refused(POLICY, object, message);
  });

  test('manifests of admission objects are rejected with the path of a folder or file that cannot be read', async () => {
    const missing = join(root, 'missing');
    await assert.rejects(read(POLICY, missing), {
      message: `failed to read manifest directory "${missing}": open ${missing}: no such file or directory`,
    });
    const folder = folderOf({});
    const link = join(folder, 'a.yaml');
    symlinkSync(join(root, 'nowhere'), link);
    await assert.rejects(read(POLICY, folder), {
      message: `failed to read file "${link}": open ${link}: no such file or directory`,
    });
    await assert.rejects(read(POLICY, folderOf({ 'a.yaml': '--- a\n' })), /invalid Yaml document separator: a$/);
  });

  test('manifests of admission objects are decoded with other work between them', async () => {
    const policies = Array.from({ length: 20 }, (_, index) => JSON.stringify(policy(`p${index}.static.k8s.io`)));
    let pauses = 0;
    const turn = { over: () => void pauses++ };
    await read(POLICY, folderOf({ 'a.yaml': policies.join('\n---\n') }), 37, { begin: () => turn });
    assert.ok(pauses >= policies.length, String(pauses));
  });

  test('manifests of admission objects are limited in number and size', async () => {
    const long = folderOf({ 'a.yaml': '#'.repeat(limits.manifestBytes + 1) });
    await assert.rejects(read(POLICY, long), /have more than 4194304 bytes/);
    const many = Array.from({ length: limits.manifestFiles + 1 }, (_, index) => [`${index}.yaml`, '']);
    await assert.rejects(read(POLICY, folderOf(Object.fromEntries(many))), /has more than 1000 manifests/);
  });
});
