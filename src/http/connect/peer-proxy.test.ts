import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { answerJson, type OtherApiServer, startOtherApiServer } from '../../../test/api-server.ts';
import { startConnectProxy } from '../../../test/egress-proxies.ts';
import { realClock } from '../../../test/listening.ts';
import { until } from '../../../test/until.ts';
import { makeCertificates } from '../../server/pki.ts';
import { systemClock } from '../../server/system-clock.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-peers-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const own = makeCertificates({ clock: realClock, hosts: ['localhost'] });
const CERTIFICATE = {
  proxyClientCertFile: file('proxy.crt', own.adminCertPem),
  proxyClientKeyFile: file('proxy.key', own.adminKeyPem),
};
const FEATURE = { featureGates: { UnknownVersionInteroperabilityProxy: true } };
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const discovery = (name: string, version: string, resource: string) => ({
  items: [{ metadata: { name }, versions: [{ version, resources: [{ resource }] }] }],
});

/** A peer that serves jobs. */
const WELL: OtherApiServer['answer'] = ({ url }, response) => {
  if (url === '/api') return answerJson(response, discovery('', 'v1', 'pods'));
  if (url === '/apis') return answerJson(response, discovery('batch', 'v1', 'jobs'));
  answerJson(response, { asked: url }, 203);
};

/** A server without jobs, and the store by which it finds a peer at a port. */
async function startBeside(
  other: OtherApiServer,
  more: object = {},
): Promise<{ server: TestServer; store: MemoryStore }> {
  const store = new MemoryStore({ clock: systemClock });
  const server = await startTestServer(
    {
      ...{ ...FEATURE, ...CERTIFICATE, runtimeConfig: { 'batch/v1': 'false' }, ...more },
      peerCaFile: file('peers.crt', Buffer.from(other.caBundle, 'base64').toString()),
    },
    { store: Promise.resolve(store) },
  );
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  const lease = { metadata: { name: 'other', labels }, spec: { holderIdentity: 'other_1' } };
  assert.equal((await server.request('POST', LEASES, lease)).status, 201);
  return { server, store };
}

const ADDRESS = '/registry/peerserverleases/other';

async function publish(store: MemoryStore, port: number): Promise<void> {
  const subsets = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
  await store.put(ADDRESS, Buffer.from(JSON.stringify({ kind: 'Endpoints', apiVersion: 'v1', subsets })), 'any');
}

function get(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const all = { authorization: `Bearer ${server.token}`, ...headers };
  return server.fetch(new Request(`https://api.example.com${path}`, { headers: all }));
}

describe('a server that forwards requests to peers', () => {
  const hooks = async (kubernetesVersion: string): Promise<string[]> => {
    await using other = await startOtherApiServer(WELL);
    const { server } = await startBeside(other, { kubernetesVersion });
    await using _ = server;
    const text = await (await get(server, '/livez?verbose')).text();
    const names = [...text.matchAll(/poststarthook\/(\S+) ok/g)].map(([, name]) => name!);
    return names.slice(names.indexOf('peer-endpoint-reconciler-controller') + 1).slice(0, 3);
  };

  it('a server that forwards requests to peers has the health checks of its release', async () => {
    const last = 'start-cluster-authentication-info-controller';
    const [handler, local] = ['mixed-version-proxy-handler', 'local-discovery-cache-sync'];
    assert.deepEqual((await hooks('1.32')).slice(0, 2), ['unknown-version-proxy-filter', last]);
    assert.deepEqual(await hooks('1.34'), [local, 'peer-discovery-cache-sync', handler]);
    assert.deepEqual(await hooks('1.36'), [handler, local, 'peer-discovery-workers']);
  });
});

describe('a request for a resource that only a peer serves', () => {
  it('a request for a resource that only a peer serves is forwarded to it, in the name of the user', async () => {
    await using other = await startOtherApiServer(WELL);
    const { server, store } = await startBeside(other);
    await using _ = server;
    await publish(store, other.port);
    const answer = await get(server, `${JOBS}?limit=1`);
    assert.deepEqual([answer.status, await answer.json()], [203, { asked: `${JOBS}?limit=1` }]);
    const [core, groups, job] = other.asked;
    assert.deepEqual([core?.url, groups?.url, core?.headers['x-remote-user']], ['/api', '/apis', 'system:apiserver']);
    assert.equal(core?.headers['accept'], 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const { headers, shownName } = job!;
    assert.equal(shownName, 'kubernetes-admin');
    assert.equal(headers['x-remote-user'], 'admin');
    assert.equal(headers['x-kubernetes-peer-proxied'], 'true');
    assert.equal(headers['authorization'], undefined);
    await until('the forwarded request, which has ended for its client first, is counted', async () =>
      /^apiserver_rerouted_request_total\{code="203"\} 1$/m.test(await (await get(server, '/metrics')).text()),
    );
  });

  it('a request for a resource that only a peer serves is counted by its resource from 1.36 on, and by the reason if it is not forwarded', async () => {
    await using other = await startOtherApiServer(WELL);
    const { server, store } = await startBeside(other, { kubernetesVersion: '1.36' });
    await using _ = server;
    await publish(store, other.port);
    assert.equal((await get(server, JOBS)).status, 203);
    await store.delete(ADDRESS, 'any');
    assert.equal((await get(server, JOBS)).status, 503);
    const of = 'group="batch",resource="jobs"';
    const counted = `apiserver_rerouted_request_total{code="203",${of},version="v1"} 1\n`;
    let metrics = '';
    await until('the forwarded request, which has ended for its client first, is counted', async () => {
      metrics = await (await get(server, '/metrics')).text();
      return metrics.includes(counted);
    });
    const failed = `apiserver_peer_proxy_errors_total{${of},type="endpoint_resolution",version="v1"} 1\n`;
    assert.ok(metrics.includes(failed));
  });

  it('a request for a resource that only a peer serves is served here if it was forwarded before, and if no peer knows the resource', async () => {
    await using other = await startOtherApiServer(WELL);
    const { server, store } = await startBeside(other);
    await using _ = server;
    await publish(store, other.port);
    assert.equal((await get(server, JOBS, { 'x-kubernetes-peer-proxied': 'true' })).status, 404);
    assert.equal(other.asked.length, 0);
    assert.equal((await get(server, '/apis/batch/v2/namespaces/default/jobs')).status, 404);
    assert.equal((await get(server, '/api/v1/namespaces/default/configmaps')).status, 200);
    assert.deepEqual(
      other.asked.map(({ url }) => url),
      ['/api', '/apis'],
    );
  });

  it('a request for a resource that only a peer serves fails with 503 if that peer has gone', async () => {
    await using other = await startOtherApiServer(WELL);
    const { server, store } = await startBeside(other);
    await using _ = server;
    await publish(store, other.port);
    assert.equal((await get(server, JOBS)).status, 203);
    await publish(store, 1);
    const refused = await get(server, JOBS);
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [503, 'text/plain; charset=utf-8']);
    assert.match(await refused.text(), /connection refused/);
    await store.delete(ADDRESS, 'any');
    const lost = await get(server, JOBS);
    const { message } = (await lost.json()) as { message: string };
    const why = 'Error getting ip and port info of the remote server while proxying';
    assert.deepEqual([lost.status, message], [503, why]);
  });
});

describe('a peer with an egress selector for the control plane', () => {
  const askedProxy = async (kubernetesVersion: string) => {
    await using other = await startOtherApiServer(WELL);
    await using proxy = await startConnectProxy({ to: other.port });
    const connection = {
      proxyProtocol: 'HTTPConnect',
      transport: { tcp: { url: `http://127.0.0.1:${proxy.port}` } },
    };
    const selector = {
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [{ name: 'controlplane', connection }],
    };
    const egressSelectorConfigFile = file('egress.json', JSON.stringify(selector));
    const { server, store } = await startBeside(other, { kubernetesVersion, egressSelectorConfigFile });
    await using _ = server;
    await publish(store, other.port);
    assert.equal((await get(server, JOBS)).status, 203);
    return proxy.asked.map((address) => address === `127.0.0.1:${other.port}`);
  };

  it('a peer is asked directly before 1.36, whatever the egress selector says', async () => {
    assert.deepEqual(await askedProxy('1.35'), []);
  });

  it('a peer is asked through the egress selector for the control plane from 1.36 on', async () => {
    const asked = await askedProxy('1.36');
    assert.ok(asked.length > 0 && asked.every((isPeer) => isPeer), String(asked));
  });
});

describe('the aggregated discovery document of servers with peers', () => {
  const FORM = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const groupsIn = async (server: TestServer, accept: string, path = '/apis') => {
    const answer = await get(server, path, { accept });
    const { items } = (await answer.json()) as { items: { metadata: { name?: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  };
  const start = async (kubernetesVersion: string, other: OtherApiServer) => {
    const { server, store } = await startBeside(other, { kubernetesVersion });
    await publish(store, other.port);
    return server;
  };

  it('the aggregated discovery document has what only peers serve from 1.35 on', async () => {
    await using other = await startOtherApiServer(WELL);
    await using before = await start('1.34', other);
    assert.ok(!(await groupsIn(before, FORM)).includes('batch'));
    assert.equal(other.asked.length, 0);
    await using server = await start('1.35', other);
    assert.ok((await groupsIn(server, FORM)).includes('batch'));
    assert.equal(other.asked[1]?.headers['accept'], `${FORM};profile=nopeer,${FORM}`);
  });

  it('the aggregated discovery document is of one server alone on request, and for the core group', async () => {
    await using other = await startOtherApiServer(WELL);
    await using server = await start('1.35', other);
    assert.ok(!(await groupsIn(server, `${FORM};profile=nopeer`)).includes('batch'));
    assert.equal((await groupsIn(server, FORM, '/api')).length, 1);
    assert.equal(other.asked.length, 0);
    assert.ok((await groupsIn(server, FORM)).includes('batch'));
    assert.ok((await groupsIn(server, FORM)).includes('batch'));
    const metrics = await (await get(server, '/metrics')).text();
    for (const count of ['nopeer_requests', 'peer_aggregated_cache_hits', 'peer_aggregated_cache_misses']) {
      assert.match(metrics, new RegExp(`^aggregator_discovery_${count}_total 1$`, 'm'));
    }
  });

  it('the aggregated discovery document has none of the custom resources that only a peer still knows', async () => {
    await using other = await startOtherApiServer(({ url }, response) =>
      answerJson(response, url === '/apis' ? discovery('example.com', 'v1', 'things') : { items: [] }),
    );
    await using server = await start('1.35', other);
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const schema = { openAPIV3Schema: { type: 'object' } };
    const { status } = await server.request('POST', definitions, {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    assert.equal(status, 201);
    const isServed = async () => (await groupsIn(server, FORM)).includes('example.com');
    const things = '/apis/example.com/v1/things';
    await until('things are served', async () => (await server.request('GET', things)).status === 200);
    assert.equal(await isServed(), true);
    await server.request('DELETE', `${definitions}/things.example.com`);
    await until('things are not in the document any more', async () => !(await isServed()));
  });
});

it('forwarding to peers needs its feature gate and a client certificate', async () => {
  const peerCaFile = CERTIFICATE.proxyClientCertFile;
  await assert.rejects(startTestServer({ peerCaFile, ...CERTIFICATE }), /requires UnknownVersionInteroperabilityProxy/);
  await assert.rejects(startTestServer({ peerCaFile, ...FEATURE }), /proxy-cert-file not specified/);
});
