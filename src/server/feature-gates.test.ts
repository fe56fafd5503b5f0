// Tests of feature gates in the real pipeline: each case runs with the gate off and on.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const SERVICES = '/api/v1/namespaces/default/services';

async function post(server: TestServer, path: string, object: object): Promise<Body> {
  return (await server.request('POST', path, object)).body as Body;
}

function get(server: TestServer, path: string, accept: string): Promise<Response> {
  const headers = { authorization: `Bearer ${server.token}`, accept };
  return server.fetch(new Request(`https://localhost${path}`, { headers }));
}

/** Runs a case on a server where some gates are off, and on one where they are on. */
async function offAndOn(
  gates: string[],
  run: (server: TestServer, on: boolean) => Promise<void>,
  more: object = {},
): Promise<void> {
  for (const on of [false, true]) {
    await using server = await startTestServer({
      featureGates: Object.fromEntries(gates.map((gate) => [gate, on])),
      ...more,
    });
    await run(server, on);
  }
}

test('with WatchList a watch may request initial events', () =>
  offAndOn(['WatchList'], async (server, on) => {
    const watch = '/api/v1/configmaps?watch=1&timeoutSeconds=1&allowWatchBookmarks=1';
    const asked = await get(server, `${watch}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, '*/*');
    assert.equal(asked.status, on ? 200 : 422);
    const text = await asked.text();
    const why = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature';
    assert.equal(text.includes(why), !on);
    assert.equal(text.includes('k8s.io/initial-events-end'), on);
    const legacy = await (await get(server, watch, '*/*')).text();
    assert.match(legacy, /kube-root-ca.crt|ADDED|BOOKMARK/);
    assert.equal(legacy.includes('k8s.io/initial-events-end'), on, 'a watch from nowhere is such a watch, too');
  }));

test('with OpenAPIEnums OpenAPI lists the values of enums', () =>
  offAndOn(['OpenAPIEnums'], async (server, on) => {
    const count = async (path: string) =>
      (await (await get(server, path, '*/*')).text()).match(/"enum": ?\[/g)?.length ?? 0;
    const [v2, v3] = [await count('/openapi/v2'), await count('/openapi/v3/apis/apps/v1')];
    assert.equal(v2 > 50, on, `${v2} in version 2`);
    assert.equal(v3 > 5, on, `${v3} in version 3`);
    if (!on) assert.deepEqual([v2, v3], [0, 0]);
  }));

test('without AggregatedDiscoveryRemoveBetaType older clients get aggregated discovery in v2beta1', () =>
  offAndOn(['AggregatedDiscoveryRemoveBetaType'], async (server, on) => {
    const type = (version: string) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const old = await get(server, '/apis', `${type('v2beta1')},application/json;q=0.5`);
    const body = (await old.json()) as Body;
    assert.equal(body['apiVersion'], on ? 'v1' : 'apidiscovery.k8s.io/v2beta1');
    const both = await get(server, '/apis', `${type('v2')},${type('v2beta1')}`);
    assert.equal(both.headers.get('content-type'), type('v2'));
    assert.notEqual(old.headers.get('etag'), both.headers.get('etag'));
  }));

test('with ComponentStatusz and ComponentFlagz the server has the pages /statusz and /flagz', () =>
  offAndOn(['ComponentStatusz', 'ComponentFlagz'], async (server, on) => {
    const status = await get(server, '/statusz', 'text/plain');
    assert.equal(status.status, on ? 200 : 404);
    if (!on) return;
    const text = await status.text();
    assert.match(text, /^\napiserver statusz\nWarning: .*\n\nStarted.* UTC \d{4}\nUp.* 0 hr 00 min \d\d sec\n/);
    assert.match(text, /\nBinary version.* 1\.34\.4\nEmulation version.* 1\.34\nPaths.* \/healthz .*\/statusz/);
    for (const accept of ['application/json', '']) {
      const refused = await get(server, '/statusz', accept);
      assert.equal(refused.status, 406, accept);
      assert.equal(refused.headers.get('x-content-type-options'), 'nosniff');
    }
    assert.equal((await get(server, '/statusz', 'text/plain;charset=UTF-8')).status, 200);
    const role = await get(server, '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:monitoring', '*/*');
    assert.match(await role.text(), /"\/flagz".*"\/statusz"/);
    assert.equal((await get(server, '/flagz', '*/*')).status, 404, 'a server without a command line has no flags');
  }));

test('/statusz since 1.36 is an object of config.k8s.io for clients that ask for one, and else text', async () => {
  await using server = await startTestServer({ kubernetesVersion: '1.37' });
  const type = (version: string, kind = 'Statusz') => `application/json;v=${version};g=config.k8s.io;as=${kind}`;
  const read = async (accept: string) => {
    const answer = await get(server, '/statusz', accept);
    return [answer.status, answer.headers.get('content-type'), answer.headers.get('warning')];
  };
  assert.deepEqual(await read(type('v1beta1')), [200, 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', null]);
  const deprecated = '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."';
  assert.equal((await read(type('v1alpha1')))[2], deprecated);
  for (const accept of ['', '*/*', 'text/plain'])
    assert.deepEqual((await read(accept))[1], 'text/plain; charset=utf-8');
  const protobuf = 'application/vnd.kubernetes.protobuf';
  for (const accept of ['application/json', 'application/*', protobuf, type('v1'), type('v1beta1', 'Flagz')]) {
    const refused = await get(server, '/statusz', accept);
    const { message } = (await refused.json()) as { message: string };
    const types = 'application/json, application/yaml, text/plain';
    assert.deepEqual([refused.status, message], [406, `only the following media types are accepted: ${types}`]);
  }
  const body = (await (await get(server, '/statusz', type('v1beta1'))).json()) as Record<string, unknown>;
  const { kind, metadata, binaryVersion, emulationVersion, paths } = body;
  assert.deepEqual(
    [kind, metadata, binaryVersion, emulationVersion],
    ['Statusz', { name: 'apiserver' }, '1.37.2', '1.37'],
  );
  assert.ok((paths as string[]).includes('/statusz'));
});

test('WatchCacheInitializationPostStartHook and APIServerIdentity have health checks', () =>
  offAndOn(['WatchCacheInitializationPostStartHook', 'APIServerIdentity'], async (server, on) => {
    const text = await (await get(server, '/readyz?verbose', '*/*')).text();
    assert.equal(text.includes('poststarthook/storage-readiness ok'), on);
    assert.equal(text.includes('poststarthook/start-kube-apiserver-identity-lease-controller ok'), on);
    assert.ok(!text.includes('storage-version-updater'), 'which needs StorageVersionAPI besides');
  }));

test('CoordinatedLeaderElection has a health check before those of peers', () =>
  offAndOn(['CoordinatedLeaderElection'], async (server, on) => {
    const text = await (await get(server, '/readyz?verbose', '*/*')).text();
    const names = [...text.matchAll(/poststarthook\/(\S+) ok/g)].map(([, name]) => name);
    const at = names.indexOf('start-kube-apiserver-coordinated-leader-election-controller');
    assert.equal(at, on ? names.indexOf('start-system-namespaces-controller') + 1 : -1);
  }));

test('MultiCIDRServiceAllocator decides which health checks of service ranges there are', () =>
  offAndOn(
    ['MultiCIDRServiceAllocator'],
    async (server, on) => {
      const text = await (await get(server, '/readyz?verbose', '*/*')).text();
      assert.equal(text.includes('poststarthook/start-kubernetes-service-cidr-controller ok'), on);
    },
    { emulatedVersion: ['1.32'] },
  ));

test('with RelaxedServiceNameValidation the name of a Service may begin with a digit', () =>
  offAndOn(['RelaxedServiceNameValidation'], async (server, on) => {
    const made = await post(server, SERVICES, { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } });
    assert.equal(made['code'], on ? undefined : 422);
    const backend = { service: { name: '1st', port: { number: 80 } } };
    const ingress = { metadata: { name: 'a' }, spec: { defaultBackend: backend } };
    const { code } = await post(server, '/apis/networking.k8s.io/v1/namespaces/default/ingresses', ingress);
    assert.equal(code, on ? undefined : 422);
  }));

test('with PreferSameTrafficDistribution a Service may prefer the same node or zone', () =>
  offAndOn(['PreferSameTrafficDistribution'], async (server, on) => {
    const spec = { ports: [{ port: 80 }], trafficDistribution: 'PreferSameNode' };
    const made = await post(server, SERVICES, { metadata: { name: 'a' }, spec });
    const why = 'spec.trafficDistribution: Unsupported value: "PreferSameNode": supported values: "PreferClose"';
    if (on) assert.equal(made['spec'].trafficDistribution, 'PreferSameNode');
    else assert.match(made['message'], new RegExp(why));
    const slice = await post(server, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], hints: { forNodes: [{ name: 'n' }] } }],
    });
    assert.equal(slice['endpoints'][0].hints?.forNodes !== undefined, on);
  }));

test('without JobManagedBy and ProcMountType their fields are dropped or rejected', () =>
  offAndOn(['JobManagedBy', 'ProcMountType', 'PodDeletionCost'], async (server, on) => {
    const securityContext = { procMount: 'Unmasked' };
    const spec = {
      restartPolicy: 'Never',
      hostUsers: false,
      containers: [{ name: 'a', image: 'a', securityContext }],
    };
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': 'much' };
    const job = { metadata: { name: 'a' }, spec: { managedBy: 'example.com/me', template: { spec } } };
    const made = await post(server, '/apis/batch/v1/namespaces/default/jobs', job);
    assert.equal(made['spec'].managedBy, on ? 'example.com/me' : undefined);
    const container = made['spec'].template.spec.containers[0];
    assert.equal(container.securityContext.procMount, on ? 'Unmasked' : 'Default');
    const pod = await post(server, '/api/v1/namespaces/default/pods', { metadata: { name: 'a', annotations }, spec });
    assert.equal(pod['code'], on ? 422 : undefined);
  }));

test('with ClearingNominatedNodeNameAfterBinding a bound pod has no nominatedNodeName', () =>
  offAndOn(['ClearingNominatedNodeNameAfterBinding'], async (server, on) => {
    const pods = '/api/v1/namespaces/default/pods';
    await post(server, pods, { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } });
    const nominate = (node: string) => server.patch(`${pods}/a/status`, { status: { nominatedNodeName: node } });
    await nominate('n1');
    await post(server, `${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n2' } });
    const { body } = await server.request('GET', `${pods}/a`);
    assert.equal((body as Body)['status'].nominatedNodeName, on ? undefined : 'n1');
    assert.equal((await nominate('n3')).status, on ? 422 : 200);
  }));

test('GitRepoVolumeDriver decides the warning about gitRepo volumes', () =>
  offAndOn(['GitRepoVolumeDriver'], async (server, on) => {
    const volumes = [{ name: 'v', gitRepo: { repository: 'https://example.com/a.git' } }];
    const pod = { metadata: { name: 'a' }, spec: { volumes, containers: [{ name: 'a', image: 'a' }] } };
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(pod) };
    const answer = await server.fetch(new Request('https://localhost/api/v1/namespaces/default/pods', init));
    const warning = answer.headers.get('warning') ?? '';
    assert.match(warning, /gitRepo: deprecated in v1.11/);
    assert.equal(warning.includes('disabled by default'), !on);
  }));

test('with TokenRequestServiceAccountUIDValidation a token request checks the UID of the ServiceAccount', () =>
  offAndOn(['TokenRequestServiceAccountUIDValidation'], async (server, on) => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const { metadata } = await post(server, accounts, { metadata: { name: 'a' } });
    const ask = (uid: string) => post(server, `${accounts}/a/token`, { metadata: { uid }, spec: { audiences: ['a'] } });
    assert.ok((await ask(metadata.uid))['status'].token);
    const other = await ask('other');
    assert.equal(other['code'], on ? 409 : undefined);
    if (!on) return;
    const why = `the UID in the token request (other) does not match the UID of the service account (${metadata.uid})`;
    assert.equal(other['message'], `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "a": ${why}`);
  }));

test('default roles include the permissions that a feature gate needs', () =>
  offAndOn(['DRADeviceTaints', 'StorageVersionMigrator', 'KubeletFineGrainedAuthz'], async (server, on) => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const has = async (name: string) => (await server.request('GET', `${roles}/system:${name}`)).status === 200;
    assert.equal(await has('controller:device-taint-eviction-controller'), on);
    assert.equal(await has('controller:storage-version-migrator-controller'), on);
    assert.ok(await has('controller:resource-claim-controller'));
    const { body } = await server.request('GET', `${roles}/system:kubelet-api-admin`);
    assert.equal(JSON.stringify(body).includes('nodes/configz'), on);
  }));

test('with OrderedNamespaceDeletion pods of a namespace are deleted before the rest', () =>
  offAndOn(
    ['OrderedNamespaceDeletion'],
    async (server, on) => {
      await post(server, '/api/v1/namespaces', { metadata: { name: 'n' } });
      const pod = {
        metadata: { name: 'a', finalizers: ['example.com/a'] },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      };
      await post(server, '/api/v1/namespaces/n/pods', pod);
      await post(server, '/api/v1/namespaces/n/configmaps', { metadata: { name: 'used' } });
      await server.request('DELETE', '/api/v1/namespaces/n');
      const conditions = async () => {
        const { body } = await server.request('GET', '/api/v1/namespaces/n');
        return ((body as Body)['status'].conditions ?? []) as Body[];
      };
      for (
        let turn = 0;
        turn < 200 && !(await conditions()).some(({ reason }) => reason === 'SomeResourcesRemain');
        turn++
      ) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const { status } = await server.request('GET', '/api/v1/namespaces/n/configmaps/used');
      assert.equal(status, on ? 200 : 404);
    },
    { controllers: '*', emulatedVersion: ['1.33'] },
  ));

test('fields that an object got while their gate was on stay when it is off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-gates-'));
  const SETS = '/apis/apps/v1/namespaces/default/statefulsets';
  const labels = { a: 'b' };
  const set = (name: string, maxUnavailable: number) => ({
    metadata: { name },
    spec: {
      ...{ serviceName: 's', selector: { matchLabels: labels } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } },
    },
  });
  const unavailable = ({ spec }: Body) => spec.updateStrategy.rollingUpdate.maxUnavailable;
  const start = (on: boolean) =>
    startTestServer({
      ...{ store: 'embedded', dataDir: folder, controllers: '' },
      featureGates: { MaxUnavailableStatefulSet: on },
    });
  try {
    {
      await using server = await start(true);
      assert.equal(unavailable(await post(server, SETS, set('old', 2))), 2);
    }
    await using server = await start(false);
    assert.equal(unavailable(await post(server, SETS, set('new', 2))), undefined, 'new objects have no such field');
    const put = (await server.request('PUT', `${SETS}/old`, set('old', 3))).body as Body;
    assert.equal(unavailable(put), 3, 'an update');
    const patched = (await server.patch(`${SETS}/old`, { metadata: { labels } })).body as Body;
    assert.equal(unavailable(patched), 3, 'a patch of something else');
    const applied = await server.patch(
      `${SETS}/old?fieldManager=m&force=true`,
      { apiVersion: 'apps/v1', kind: 'StatefulSet', ...set('old', 4) },
      'application/apply-patch+yaml',
    );
    assert.equal(unavailable(applied.body as Body), 4, 'an applied configuration');
    await server.patch(`${SETS}/old`, { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: null } } } });
    const again = (await server.request('PUT', `${SETS}/old`, set('old', 3))).body as Body;
    assert.equal(unavailable(again), undefined, 'what was given up does not come back');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a ResourceClaim with distinctAttribute keeps it with the gate off, as in Kubernetes', async () => {
  await using server = await startTestServer({ controllers: '' });
  const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const exactly = { deviceClassName: 'gpu.example.com', capacity: { requests: { memory: '10Gi' } } };
  const requests = [{ name: 'one', exactly }];
  for (const [name, attribute, expected] of [
    ['distinct', 'distinctAttribute', { memory: '10Gi' }],
    ['matching', 'matchAttribute', undefined],
  ] as const) {
    const devices = { requests, constraints: [{ requests: ['one'], [attribute]: 'gpu.example.com/card' }] };
    const made = await post(server, CLAIMS, { metadata: { name }, spec: { devices } });
    assert.equal(made['spec'].devices.requests[0].exactly.capacity, undefined, JSON.stringify(made));
    const result = { request: 'one', driver: 'gpu.example.com', pool: 'p', device: 'd' };
    const results = [{ ...result, consumedCapacity: { memory: '10Gi' } }];
    const { body } = await server.patch(`${CLAIMS}/${name}/status`, {
      status: { allocation: { devices: { results } } },
    });
    assert.deepEqual((body as Body)['status'].allocation.devices.results[0].consumedCapacity, expected);
  }
});
