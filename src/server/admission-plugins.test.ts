import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import type { AdmissionOptions } from './options/admission.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-admission-'));
after(() => rmSync(folder, { recursive: true }));

const NAMESPACES = '/api/v1/namespaces';

/** A server with plugins that are off by default, and no controllers. */
function start(enable: string, options: Partial<AdmissionOptions> = {}): Promise<TestServer> {
  return startTestServer({ enableAdmissionPlugins: enable.split(',').filter(Boolean), controllers: '', ...options });
}

let files = 0;

/** The path of a configuration of plugins, by their names. */
function configFile(plugins: Readonly<Record<string, JsonObject>>): string {
  const path = join(folder, `${files++}.json`);
  const list = Object.entries(plugins).map(([name, configuration]) => ({ name, configuration }));
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' };
  writeFileSync(path, JSON.stringify({ ...head, plugins: list }));
  return path;
}

async function makeNamespace(server: TestServer, name: string, metadata: JsonObject = {}): Promise<void> {
  await server.request('POST', NAMESPACES, { metadata: { name, ...metadata } });
  await server.request('POST', `${NAMESPACES}/${name}/serviceaccounts`, { metadata: { name: 'default' } });
}

function pod(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function assertRefused({ status, body }: Answer, expected: number, message: string): void {
  assert.equal((body as JsonObject)['message'], message);
  assert.equal(status, expected);
}

function specOf({ status, body }: Answer): JsonObject {
  assert.ok(status < 300, JSON.stringify(body));
  return (body as { spec: JsonObject }).spec;
}

suite('admission plugins that are off by default', () => {
  test('AlwaysDeny rejects every write', async () => {
    await using server = await start('AlwaysDeny');
    const answer = await server.request('POST', `${NAMESPACES}/default/configmaps`, { metadata: { name: 'a' } });
    assertRefused(answer, 403, 'configmaps "a" is forbidden: admission control is denying all modifications');
  });

  test('AlwaysPullImages sets imagePullPolicy Always, for containers and image volumes', async () => {
    await using server = await startTestServer({
      enableAdmissionPlugins: ['AlwaysPullImages'],
      featureGates: { ImageVolume: true },
      controllers: '',
    });
    await makeNamespace(server, 't');
    const containers = [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }];
    const volumes = [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }];
    const spec = specOf(await server.request('POST', `${NAMESPACES}/t/pods`, pod('a', { containers, volumes })));
    assert.equal((spec['containers'] as JsonObject[])[0]?.['imagePullPolicy'], 'Always');
    assert.deepEqual((spec['volumes'] as JsonObject[])[0]?.['image'], { reference: 'r', pullPolicy: 'Always' });
  });

  test('DenyServiceExternalIPs lets Services keep existing externalIPs', async () => {
    await using server = await start('DenyServiceExternalIPs');
    const services = `${NAMESPACES}/default/services`;
    const refused = 'services "s" is forbidden: Use of external IPs is denied by admission control';
    const service = (spec: JsonObject) => ({ metadata: { name: 's' }, spec: { ports: [{ port: 1 }], ...spec } });
    assertRefused(await server.request('POST', services, service({ externalIPs: ['192.0.2.1'] })), 403, refused);
    specOf(await server.request('POST', services, service({})));
    assertRefused(await server.patch(`${services}/s`, { spec: { externalIPs: ['192.0.2.1'] } }), 403, refused);
  });

  test('ExtendedResourceToleration adds a toleration for each requested extended resource', async () => {
    await using server = await start('ExtendedResourceToleration');
    await makeNamespace(server, 't');
    const amounts = { 'example.com/gpu': '1' };
    const containers = [{ name: 'c', image: 'i', resources: { requests: amounts, limits: amounts } }];
    const spec = specOf(await server.request('POST', `${NAMESPACES}/t/pods`, pod('a', { containers })));
    const last = (spec['tolerations'] as JsonObject[]).at(-1);
    assert.deepEqual(last, { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
  });

  test('LimitPodHardAntiAffinityTopology rejects required anti-affinity by zone', async () => {
    await using server = await start('LimitPodHardAntiAffinityTopology');
    await makeNamespace(server, 't');
    const term = { topologyKey: 'zone', labelSelector: {} };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    assertRefused(
      await server.request('POST', `${NAMESPACES}/t/pods`, pod('a', { affinity })),
      403,
      'pods "a" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    );
  });

  test('NamespaceAutoProvision creates the namespace, but not in a dry run', async () => {
    await using server = await start('NamespaceAutoProvision');
    const path = `${NAMESPACES}/new/configmaps`;
    const object = { metadata: { name: 'a' } };
    assertRefused(await server.request('POST', `${path}?dryRun=All`, object), 404, 'namespaces "new" not found');
    assert.equal((await server.request('POST', path, object)).status, 201);
    const { finalizers } = specOf(await server.request('GET', `${NAMESPACES}/new`));
    assert.deepEqual(finalizers, ['kubernetes']);
  });

  test('NamespaceLifecycle refuses updates, not deletions, of what a removed namespace left behind', async () => {
    await using server = await startTestServer({ controllers: '' });
    await makeNamespace(server, 'gone');
    const maps = `${NAMESPACES}/gone/configmaps`;
    await server.request('POST', maps, { metadata: { name: 'left', finalizers: ['a.b/c'] } });
    await server.request('DELETE', `${NAMESPACES}/gone`);
    const update = () => server.request('PUT', `${maps}/left`, { metadata: { name: 'left' }, data: { a: '1' } });
    assert.equal((await server.request('DELETE', `${maps}/left`)).status, 200);
    await server.request('PUT', `${NAMESPACES}/gone/finalize`, { metadata: { name: 'gone' }, spec: {} });
    assertRefused(await update(), 404, 'namespaces "gone" not found');
    assert.equal((await server.request('GET', `${maps}/left`)).status, 200);
    assert.equal((await server.request('DELETE', `${maps}/left`)).status, 200);
  });

  test('NamespaceExists replaces NamespaceLifecycle', async () => {
    await using lax = await start('', { disableAdmissionPlugins: ['NamespaceLifecycle'] });
    const object = { metadata: { name: 'a' } };
    assert.equal((await lax.request('POST', `${NAMESPACES}/nowhere/configmaps`, object)).status, 201);
    await using server = await start('NamespaceExists', { disableAdmissionPlugins: ['NamespaceLifecycle'] });
    const answer = await server.request('POST', `${NAMESPACES}/nowhere/configmaps`, object);
    assertRefused(answer, 404, 'namespaces "nowhere" not found');
  });

  test('PodNodeSelector applies the node selector of the namespace or of the cluster', async () => {
    const podNodeSelectorPluginConfig = { clusterDefaultNodeSelector: 'a=b', limited: 'a=b, c=d' };
    const admissionControlConfigFile = configFile({ PodNodeSelector: { podNodeSelectorPluginConfig } });
    await using server = await start('PodNodeSelector', { admissionControlConfigFile });
    await makeNamespace(server, 'limited');
    const annotations = { 'scheduler.alpha.kubernetes.io/node-selector': 'e=f' };
    await makeNamespace(server, 'own', { annotations });
    const create = (namespace: string, nodeSelector: JsonObject = {}) =>
      server.request('POST', `${NAMESPACES}/${namespace}/pods`, pod('p', { nodeSelector }));
    const forbidden = 'pods "p" is forbidden: pod node label selector';
    assertRefused(
      await create('limited', { a: 'z' }),
      403,
      `${forbidden} conflicts with its namespace node label selector`,
    );
    assertRefused(
      await create('limited', { q: 'z' }),
      403,
      `${forbidden} labels conflict with its namespace whitelist`,
    );
    assert.deepEqual(specOf(await create('limited', { c: 'd' }))['nodeSelector'], { a: 'b', c: 'd' });
    assert.deepEqual(specOf(await create('own'))['nodeSelector'], { e: 'f' });
    await makeNamespace(server, 'bad', {
      annotations: { 'scheduler.alpha.kubernetes.io/node-selector': 'zone' },
    });
    assertRefused(await create('bad'), 500, 'invalid selector: [zone]');
  });

  test('PodTolerationRestriction adds default tolerations and rejects those that are not allowed', async () => {
    await using server = await start('PodTolerationRestriction');
    const annotations = {
      'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"x","operator":"Exists"}]',
      'scheduler.alpha.kubernetes.io/tolerationsWhitelist':
        '[{"key":"x","operator":"Exists"},{"operator":"Exists","effect":"NoExecute"}]',
    };
    await makeNamespace(server, 't', { annotations });
    const pods = `${NAMESPACES}/t/pods`;
    const { tolerations } = specOf(await server.request('POST', pods, pod('a')));
    assert.deepEqual((tolerations as JsonObject[]).at(-1), { key: 'x', operator: 'Exists' });
    const other = { tolerations: [{ key: 'y', operator: 'Exists', effect: 'NoSchedule' }] };
    const why =
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';
    assertRefused(await server.request('POST', pods, pod('b', other)), 500, why);
    const unreadable = [
      ['x', "invalid character 'x' looking for beginning of value"],
      ['{}', 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
      ['[1]', 'json: cannot unmarshal number into Go value of type v1.Toleration'],
    ];
    for (const [index, [text = '', told = '']] of unreadable.entries()) {
      await makeNamespace(server, `u${index}`, {
        annotations: { 'scheduler.alpha.kubernetes.io/defaultTolerations': text },
      });
      assertRefused(await server.request('POST', `${NAMESPACES}/u${index}/pods`, pod('a')), 500, told);
    }
  });

  test('EventRateLimit counts each event at every limit, and no event of a dry run', async () => {
    const limits = [
      { type: 'Namespace', qps: 1, burst: 1 },
      { type: 'User', qps: 1, burst: 2 },
    ];
    const head = { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' };
    const admissionControlConfigFile = configFile({ EventRateLimit: { ...head, limits } });
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    await using server = await startTestServer(
      { enableAdmissionPlugins: ['EventRateLimit'], admissionControlConfigFile, controllers: '' },
      { clock },
    );
    const tell = (name: string, query = '') =>
      server.request('POST', `${NAMESPACES}/default/events${query}`, {
        metadata: { name, namespace: 'default' },
        involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      });
    assert.equal((await tell('a')).status, 201);
    const ofNamespace = 'limit reached on type Namespace for key default';
    assertRefused(await tell('b'), 429, `Too many requests: ${ofNamespace}`);
    const both = `[${ofNamespace}, limit reached on type User for key admin]`;
    assertRefused(await tell('b'), 429, `Too many requests: ${both}`);
    assert.equal((await tell('b', '?dryRun=All')).status, 201);
    clock.advance(1_000);
    assert.equal((await tell('b')).status, 201);
  });

  test('validating plugins see the create of a subresource, as OwnerReferencesPermissionEnforcement an eviction', async () => {
    await using server = await start('OwnerReferencesPermissionEnforcement');
    await makeNamespace(server, 't');
    await server.request('POST', `${NAMESPACES}/t/pods`, pod('p'));
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] }];
    await server.request('POST', `${rbac}/clusterroles`, { metadata: { name: 'w' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'w' };
    const subjects = [{ kind: 'User', name: 'low' }];
    await server.request('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'w' }, roleRef, subjects });
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: '1', blockOwnerDeletion: true };
    const eviction = (ownerReferences: JsonObject[]) =>
      server.fetch(
        new Request(`https://localhost${NAMESPACES}/t/pods/p/eviction`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${server.token}`,
            'content-type': 'application/json',
            'impersonate-user': 'low',
          },
          body: JSON.stringify({ metadata: { name: 'p', ownerReferences } }),
        }),
      );
    assert.equal((await eviction([owner])).status, 403);
    assert.equal((await eviction([])).status, 201);
  });

  test('OwnerReferencesPermissionEnforcement requires the permissions to delete and to update finalizers', async () => {
    await using server = await start('OwnerReferencesPermissionEnforcement');
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch', 'get'] }];
    await server.request('POST', `${rbac}/clusterroles`, { metadata: { name: 'w' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'w' };
    const subjects = [{ kind: 'User', name: 'low' }];
    await server.request('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'w' }, roleRef, subjects });
    const send = async (method: string, path: string, value: unknown): Promise<Answer> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': type, 'impersonate-user': 'low' };
      const url = `https://localhost${NAMESPACES}/default/configmaps${path}`;
      const response = await server.fetch(new Request(url, { method, headers, body: JSON.stringify(value) }));
      return { status: response.status, body: await response.json() };
    };
    const owned = (name: string, members: JsonObject = {}) => ({
      metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '1', ...members }] },
    });
    assert.equal((await send('POST', '', owned('a'))).status, 201);
    const forbidden = (name: string, why: string) => `configmaps "${name}" is forbidden: cannot set ${why}`;
    assertRefused(
      await send('POST', '', owned('b', { blockOwnerDeletion: true })),
      403,
      forbidden(
        'b',
        "blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
      ),
    );
    assertRefused(
      await send('POST', '', owned('b', { blockOwnerDeletion: true, kind: 'Nope' })),
      403,
      forbidden(
        'b',
        'blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Nope: no matches for kind "Nope" in version "v1"',
      ),
    );
    assertRefused(
      await send('PATCH', '/a', { metadata: { ownerReferences: null } }),
      403,
      forbidden('a', "an ownerRef on a resource you can't delete: , <nil>"),
    );
  });
});

suite('admission plugins that are on by default', () => {
  test('StorageObjectInUseProtection adds finalizers to volumes and claims unless it is disabled', async () => {
    const claim = {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const finalizersOf = async (server: TestServer) => {
      const { body } = await server.request('POST', `${NAMESPACES}/default/persistentvolumeclaims`, claim);
      return (body as { metadata: JsonObject }).metadata['finalizers'];
    };
    await using server = await start('');
    assert.deepEqual(await finalizersOf(server), ['kubernetes.io/pvc-protection']);
    await using without = await start('', { disableAdmissionPlugins: ['StorageObjectInUseProtection'] });
    assert.equal(await finalizersOf(without), undefined);
  });

  test('PersistentVolumeClaimResize requires allowVolumeExpansion of the StorageClass', async () => {
    await using server = await start('');
    const claims = `${NAMESPACES}/default/persistentvolumeclaims`;
    const size = (storage: string) => ({ resources: { requests: { storage } } });
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'x', volumeName: 'v', ...size('1Gi') };
    await server.request('POST', claims, { metadata: { name: 'c' }, spec });
    await server.patch(`${claims}/c/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
    const grow = () => server.patch(`${claims}/c`, { spec: size('2Gi') });
    const why =
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    assertRefused(await grow(), 403, `persistentvolumeclaims "c" is forbidden: ${why}`);
    const storageClass = { metadata: { name: 'x' }, provisioner: 'p', allowVolumeExpansion: true };
    await server.request('POST', '/apis/storage.k8s.io/v1/storageclasses', storageClass);
    specOf(await grow());
  });

  test('PodSecurity has defaults for namespaces without labels, and exemptions', async () => {
    const admissionControlConfigFile = configFile({
      PodSecurity: {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: { enforce: 'baseline', 'enforce-version': 'v1.30' },
        exemptions: { namespaces: ['exempt'], runtimeClasses: [], usernames: [] },
      },
    });
    await using server = await start('', { admissionControlConfigFile });
    await makeNamespace(server, 't');
    await makeNamespace(server, 'exempt');
    const create = (namespace: string) =>
      server.request('POST', `${NAMESPACES}/${namespace}/pods`, pod('p', { hostNetwork: true }));
    const why = 'violates PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true)';
    assertRefused(await create('t'), 403, `pods "p" is forbidden: ${why}`);
    specOf(await create('exempt'));
    const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
    const response = await server.fetch(
      new Request(`https://localhost${NAMESPACES}/exempt`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({
          metadata: { labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
        }),
      }),
    );
    assert.equal(
      response.headers.get('warning'),
      '299 - "namespace \\"exempt\\" is exempt from Pod Security, and the policy (enforce=restricted:v1.30, warn=restricted:latest) will be ignored"',
    );
  });

  test('ServiceAccount can be disabled, and is off if another list of plugins is enabled', async () => {
    for (const options of [
      { disableAdmissionPlugins: ['ServiceAccount'] },
      { admissionControl: ['NamespaceLifecycle'] },
    ]) {
      await using server = await start('', options);
      const spec = specOf(await server.request('POST', `${NAMESPACES}/default/pods`, pod('p')));
      assert.equal(spec['serviceAccountName'], undefined);
    }
  });
});

suite('invalid configuration of admission plugins', () => {
  const refusals: readonly [title: string, options: () => Partial<AdmissionOptions>, message: string | RegExp][] = [
    [
      'an unknown plugin',
      () => ({ enableAdmissionPlugins: ['Nope'], disableAdmissionPlugins: ['Nor'] }),
      '[enable-admission-plugins plugin "Nope" is unknown, disable-admission-plugins plugin "Nor" is unknown]',
    ],
    [
      'a plugin that is both enabled and disabled',
      () => ({ enableAdmissionPlugins: ['AlwaysDeny'], disableAdmissionPlugins: ['AlwaysDeny'] }),
      '[AlwaysDeny] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    [
      'EventRateLimit without limits',
      () => ({ enableAdmissionPlugins: ['EventRateLimit'] }),
      'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty',
    ],
    [
      'a missing configuration file',
      () => ({ admissionControlConfigFile: join(folder, 'missing') }),
      /^failed to apply admission: failed to read plugin config: unable to read admission control configuration from ".*missing"/,
    ],
    [
      'an invalid exemption of PodSecurity',
      () => ({
        admissionControlConfigFile: configFile({
          PodSecurity: {
            apiVersion: 'pod-security.admission.config.k8s.io/v1',
            kind: 'PodSecurityConfiguration',
            exemptions: { namespaces: ['a', 'a'] },
          },
        }),
      }),
      'failed to apply admission: failed to initialize admission plugin "PodSecurity": PodSecurity invalid: exemptions.namespaces[1]: Duplicate value: "a"',
    ],
    [
      'a limited resource without a name',
      () => ({
        admissionControlConfigFile: configFile({
          ResourceQuota: {
            apiVersion: 'apiserver.config.k8s.io/v1',
            kind: 'ResourceQuotaConfiguration',
            limitedResources: [{ matchContains: ['count/'] }],
          },
        }),
      }),
      'failed to apply admission: couldn\'t init admission plugin "ResourceQuota": limitedResources[0].resource: Required value',
    ],
    [
      'unknown levels of PodSecurity',
      () => ({
        admissionControlConfigFile: configFile({
          PodSecurity: {
            apiVersion: 'pod-security.admission.config.k8s.io/v1',
            kind: 'PodSecurityConfiguration',
            defaults: { enforce: 'lax', 'warn-version': 'v2' },
          },
        }),
      }),
      'failed to apply admission: failed to initialize admission plugin "PodSecurity": PodSecurity configuration error: [enforce: must be one of privileged, baseline, restricted, warn-version: must be "latest" or "v1.x"]',
    ],
    [
      'an unknown field',
      () => ({
        admissionControlConfigFile: configFile({
          PodSecurity: {
            apiVersion: 'pod-security.admission.config.k8s.io/v1',
            kind: 'PodSecurityConfiguration',
            defaults: { enforced: 'baseline' },
          },
        }),
      }),
      'failed to apply admission: couldn\'t init admission plugin "PodSecurity": strict decoding error: unknown field "defaults.enforced"',
    ],
  ];
  for (const [title, options, message] of refusals) {
    test(`invalid configuration of admission plugins is rejected at the start: ${title}`, () =>
      assert.rejects(start('', options()), { message }));
  }
});
