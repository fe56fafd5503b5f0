// Keelson and the real kube-apiserver on one etcd: each reads what the other wrote, of every kind, and writes it back.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts';
import { readArea } from '../conformance/scenario.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';
import { findKubeApiserver, type KubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from './kube-apiserver.ts';

interface AnyObject {
  kind?: string;
  metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string; managedFields?: unknown };
}

interface Resource {
  /** Of its collection, in all namespaces: `/apis/apps/v1/deployments`. */
  readonly path: string;
  readonly base: string;
  readonly name: string;
  readonly namespaced: boolean;
}

const program = findEtcd();
const reference = findKubeApiserver();
const skip = program === undefined ? NO_ETCD : reference === undefined ? NO_KUBE_APISERVER : false;

describe('Keelson beside kube-apiserver on one etcd', { skip, timeout: 300_000 }, () => {
  let etcd: EtcdProcess;
  let kube: KubeApiserver;
  let keelson: TestServer;
  let resources: Resource[] = [];

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
    kube = await startKubeApiserver(reference ?? '', etcd.url);
    keelson = await startTestServer({ etcdServers: [etcd.url], controllers: '' });
    await createEveryKind();
    resources = await storedResources();
  });
  after(async () => {
    await keelson?.close();
    await kube?.stop();
    await etcd?.stop();
  });

  /** Sends what the recorded conversations about kinds create. */
  async function createEveryKind(): Promise<void> {
    const scenarios = readArea('kinds').scenarios;
    for (const [index, scenario] of scenarios.entries()) {
      const ns = `n${index}`;
      const fill = <T>(value: T): T =>
        JSON.parse(JSON.stringify(value).replaceAll('{ns}', ns).replaceAll('{u}', ns)) as T;
      await kube.ask('POST', '/api/v1/namespaces', { metadata: { name: ns } });
      await kube.ask('POST', `/api/v1/namespaces/${ns}/serviceaccounts`, { metadata: { name: 'default' } });
      for (const step of scenario.steps as unknown as Record<string, never>[]) {
        const { method, path, body, query, expect } = step as unknown as Record<string, { status?: number }>;
        if ((method as unknown) !== 'POST' || body === undefined || query !== undefined) continue;
        if (expect?.status !== undefined && expect.status !== 201) continue;
        await kube.ask('POST', fill(String(path)), fill(body));
      }
    }
  }

  async function storedResources(): Promise<Resource[]> {
    const { body } = await kube.ask('GET', '/apis');
    const { groups } = body as { groups: { preferredVersion: { groupVersion: string } }[] };
    const bases = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
    const found: Resource[] = [];
    for (const base of bases) {
      const list = (await kube.ask('GET', base)).body as {
        resources?: { name: string; namespaced: boolean; verbs: string[] }[];
      };
      for (const { name, namespaced, verbs } of list.resources ?? []) {
        if (name.includes('/') || !verbs.includes('list') || !verbs.includes('patch')) continue;
        found.push({ path: `${base}/${name}`, base, name, namespaced });
      }
    }
    return found;
  }

  async function listed(ask: KubeApiserver['ask'], { path }: Resource): Promise<AnyObject[]> {
    return await until(`a list of ${path}`, async () => {
      const { status, body } = await ask('GET', path);
      return status === 200 && (body as { items: AnyObject[] }).items;
    });
  }

  const viaKeelson: KubeApiserver['ask'] = (method, path, body) => keelson.request(method, path, body);

  /** Leases are renewed all the time. */
  const compared = () => resources.filter(({ name }) => name !== 'leases');

  async function assertAlike(): Promise<number> {
    let count = 0;
    for (const resource of compared()) {
      const [expected, actual] = await Promise.all([listed(kube.ask, resource), listed(viaKeelson, resource)]);
      assert.deepEqual(actual, expected, resource.path);
      count += expected.length;
    }
    return count;
  }

  it('Keelson beside kube-apiserver on one etcd reads every object as kube-apiserver does', async () => {
    assert.ok((await assertAlike()) > 500);
  });

  it('Keelson beside kube-apiserver on one etcd changes objects so that kube-apiserver shows only that change', async () => {
    const refused: string[] = [];
    for (const resource of compared()) {
      for (const object of (await listed(viaKeelson, resource)).slice(0, 5)) {
        const { name, namespace } = object.metadata;
        const path = namespace === undefined ? '' : `/namespaces/${namespace}`;
        const patch = { metadata: { annotations: { 'example.com/changed': 'by keelson' } } };
        const { status } = await keelson.patch(`${resource.base}${path}/${resource.name}/${name}`, patch);
        if (status !== 200) refused.push(`${resource.path} ${name}: ${status}`);
      }
    }
    assert.deepEqual(refused, []);
    await assertAlike();
  });

  it('Keelson beside kube-apiserver on one etcd sees changes by kube-apiserver at once, and the other way round', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await kube.ask('POST', path, { metadata: { name: 'both' }, data: { n: '0' } });
    for (let round = 1; round <= 20; round++) {
      const ask = round % 2 === 0 ? kube.ask : viaKeelson;
      const { body } = await ask('GET', `${path}/both`);
      const current = body as AnyObject & { data: { n: string } };
      assert.equal(current.data.n, String(round - 1));
      const { status } = await ask('PUT', `${path}/both`, { ...current, data: { n: String(round) } });
      assert.equal(status, 200);
    }
  });

  it('Keelson beside kube-apiserver on one etcd loses no update of ten clients that use both, and watches of both report the same events', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await kube.ask('POST', path, { metadata: { name: 'shared' }, data: { n: '0' } });
    const { body: list } = await kube.ask('GET', path);
    const { resourceVersion } = (list as AnyObject).metadata;
    const watched = `${path}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=10`;
    const headers = { authorization: `Bearer ${keelson.token}` };
    const histories = [
      kube.ask('GET', watched).then(({ body }) => String(body)),
      keelson.fetch(new Request(`https://localhost${watched}`, { headers })).then((answer) => answer.text()),
    ];
    const increment = async (read: KubeApiserver['ask'], write: KubeApiserver['ask']): Promise<void> => {
      for (;;) {
        const { body } = await read('GET', `${path}/shared`);
        const current = body as AnyObject & { data: { n: string } };
        const data = { n: String(Number(current.data.n) + 1) };
        if ((await write('PUT', `${path}/shared`, { ...current, data })).status === 200) return;
      }
    };
    const servers = [kube.ask, viaKeelson] as const;
    const clients = Array.from({ length: 10 }, async (_, index) => {
      const [own, other] = index % 2 === 0 ? servers : servers.toReversed();
      await own!('POST', path, { metadata: { name: `of-${index}` } });
      assert.equal((await other!('GET', `${path}/of-${index}`)).status, 200);
      await increment(own!, other!);
      assert.equal((await other!('DELETE', `${path}/of-${index}`)).status, 200);
    });
    await Promise.all(clients);
    const { body: last } = await viaKeelson('GET', `${path}/shared`);
    assert.equal((last as { data: { n: string } }).data.n, '10');
    const [ofKube, ofKeelson] = await Promise.all(histories);
    assert.deepEqual(eventsIn(ofKeelson!), eventsIn(ofKube!));
    assert.equal(eventsIn(ofKube!).length, 30);
  });
});

/** What the events of a watch say: type, name and resource version. */
function eventsIn(stream: string): string[] {
  return stream
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { type, object } = JSON.parse(line) as { type: string; object: AnyObject };
      return `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`;
    });
}

describe('objects in etcd for older servers', {
  skip: program === undefined ? NO_ETCD : false,
  timeout: 60_000,
}, () => {
  /** The version of a policy in etcd. */
  const storedVersion = async (options: TestServerOptions, resource: string, spec: object): Promise<string> => {
    const etcd = await startEtcd({ program: program ?? '' });
    try {
      await using keelson = await startTestServer({
        ...{ etcdServers: [etcd.url], controllers: '', storageMediaType: 'application/json' },
        ...{ kubernetesVersion: '1.37', ...options },
      });
      const path = `/apis/admissionregistration.k8s.io/v1/${resource}`;
      const matchConstraints = {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      };
      const policy = { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } };
      assert.equal((await keelson.request('POST', path, policy)).status, 201);
      const key = Buffer.from(`/registry/${resource}/p`).toString('base64');
      const answer = await fetch(`${etcd.url}/v3/kv/range`, { method: 'POST', body: JSON.stringify({ key }) });
      const { kvs } = (await answer.json()) as { kvs: { value: string }[] };
      return (JSON.parse(atob(kvs[0]!.value)) as { apiVersion: string }).apiVersion;
    } finally {
      await etcd.stop();
    }
  };

  it('objects in etcd for older servers are stored in a version that the oldest compatible release can read', async () => {
    const validating = { validations: [{ expression: 'true' }] };
    const old = { emulatedVersion: ['1.33'], minCompatibilityVersion: ['1.29'] };
    const version = await storedVersion(old, 'validatingadmissionpolicies', validating);
    assert.equal(version, 'admissionregistration.k8s.io/v1beta1');
    const applyConfiguration = { expression: 'Object{}' };
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration }];
    for (const [emulatedVersion, stored] of [
      [['1.36'], 'v1beta1'],
      [[], 'v1'],
    ] as const) {
      const mutating = { reinvocationPolicy: 'Never', mutations };
      const found = await storedVersion(
        { emulatedVersion: [...emulatedVersion] },
        'mutatingadmissionpolicies',
        mutating,
      );
      assert.equal(found, `admissionregistration.k8s.io/${stored}`);
    }
  });

  it('keep the fields of a newer server beside an older one that reads them', async () => {
    const etcd = await startEtcd({ program: program ?? '' });
    try {
      const serving = (kubernetesVersion: string) =>
        startTestServer({ etcdServers: [etcd.url], controllers: '', kubernetesVersion });
      await using newer = await serving('1.37');
      await using older = await serving('1.34');
      const drivers = '/apis/storage.k8s.io/v1/csidrivers';
      const asked = async (server: TestServer, name: string): Promise<unknown> => {
        const { body } = await server.request('GET', `${drivers}/${name}`);
        return (body as { spec: { preventPodSchedulingIfMissing?: unknown } }).spec.preventPodSchedulingIfMissing;
      };
      for (const name of ['read', 'same', 'written']) {
        const driver = { metadata: { name }, spec: { preventPodSchedulingIfMissing: true } };
        assert.equal((await newer.request('POST', drivers, driver)).status, 201);
        assert.deepEqual([await asked(newer, name), await asked(older, name)], [true, undefined]);
      }
      assert.equal((await older.patch(`${drivers}/same`, {})).status, 200);
      assert.equal((await older.patch(`${drivers}/written`, { metadata: { labels: { a: 'b' } } })).status, 200);
      const kept = [await asked(newer, 'read'), await asked(newer, 'same'), await asked(newer, 'written')];
      assert.deepEqual(kept, [true, true, false]);
    } finally {
      await etcd.stop();
    }
  });
});
