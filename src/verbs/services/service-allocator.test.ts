import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SeededRandom } from '../../base/seeded-random.ts';
import { parseCidr, parseIp } from '../../resources/validation/ip-addresses.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { AddressRange } from './address-range.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';

interface ServiceBody {
  message?: string;
  status?: unknown;
  spec: {
    clusterIP: string;
    clusterIPs?: string[];
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
    healthCheckNodePort?: number;
    ports: { nodePort?: number }[];
  };
}

async function create(
  server: TestServer,
  name: string,
  { dryRun = false, ...spec }: { dryRun?: boolean; [member: string]: unknown } = {},
) {
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
  const { status, body: answer } = await server.request('POST', dryRun ? `${SERVICES}?dryRun=All` : SERVICES, body);
  return { status, service: answer as ServiceBody };
}

async function patch(server: TestServer, name: string, spec: object) {
  const { status, body } = await server.patch(`${SERVICES}/${name}`, { spec }, 'application/merge-patch+json');
  return { status, service: body as ServiceBody };
}

describe('cluster IPs of Services', () => {
  test('concurrent creates of Services get distinct cluster IPs until the range is full', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/28' });
    // Of 16 addresses two belong to nobody, and the kubernetes service has one.
    const made = await Promise.all(Array.from({ length: 15 }, (_, index) => create(server, `s${index}`)));
    const given = made.filter(({ status }) => status === 201).map(({ service }) => service.spec.clusterIP);
    assert.equal(new Set(given).size, 13);
    const refused = made.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map(({ status, service }) => [status, service.message]),
      new Array(2).fill([500, 'Internal error occurred: failed to allocate a serviceIP: range is full']),
    );
  });

  test('cluster IPs come from a ServiceCIDR from when it is ready until it is being deleted', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/29' });
    const outside = { clusterIP: '203.0.113.14' };
    const refused = /failed to allocate IP 203\.0\.113\.14: the provided network does not match the current range/;
    const ranges = '/apis/networking.k8s.io/v1/servicecidrs';
    const metadata = { name: 'second', finalizers: ['example.com/kept'] };
    const range = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata };
    await server.request('POST', ranges, { ...range, spec: { cidrs: ['203.0.113.0/28'] } });
    assert.match((await create(server, 'early', outside)).service.message ?? '', refused);
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: '',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const status = { conditions: [ready] };
    await server.patch(`${ranges}/second/status`, { status }, 'application/merge-patch+json');
    assert.equal((await create(server, 'asked', outside)).service.spec.clusterIP, '203.0.113.14');
    // The server's own range has six addresses, of which the kubernetes service has one.
    const given = [];
    for (let count = 1; count <= 6; count++) given.push(await create(server, `any-${count}`));
    const inSecond = given.filter(({ service }) => service.spec.clusterIP.startsWith('203.0.113.'));
    assert.equal(inSecond.length, 1);
    await server.request('DELETE', `${ranges}/second`);
    assert.match((await create(server, 'late', { clusterIP: '203.0.113.13' })).service.message ?? '', /does not match/);
  });

  test('an IPAddress object exists as long as the Service with its cluster IP', async () => {
    await using server = await startTestServer();
    const { service } = await create(server, 'a', { clusterIP: '10.0.0.20' });
    assert.deepEqual(service.spec.clusterIPs, ['10.0.0.20']);
    const taken = await create(server, 'b', { clusterIP: '10.0.0.20' });
    assert.equal(taken.status, 422);
    assert.match(taken.service.message ?? '', /failed to allocate IP 10\.0\.0\.20: provided IP is already allocated/);
    assert.equal((await server.request('GET', `${ADDRESSES}/10.0.0.20`)).status, 200);
    await server.request('DELETE', `${SERVICES}/a`);
    assert.equal((await server.request('GET', `${ADDRESSES}/10.0.0.20`)).status, 404);
    assert.equal((await create(server, 'b', { clusterIP: '10.0.0.20' })).status, 201);
  });

  test('a Service without a name gets no cluster IP', async () => {
    await using server = await startTestServer();
    const { status, service } = await create(server, '', {});
    assert.equal(status, 500);
    assert.match(service.message ?? '', /range is full$/);
    const named = await create(server, '', { clusterIP: '10.0.0.20' });
    assert.equal(named.status, 422);
    assert.match(
      named.service.message ?? '',
      /IPAddress.*"10\.0\.0\.20" is invalid: spec\.parentRef\.name: Required value/,
    );
  });

  test('the error of a Service without a name contains the allocated address before 1.34 and from 1.35 on', async () => {
    const told = async (kubernetesVersion: string) => {
      await using server = await startTestServer({ kubernetesVersion });
      const { status, service } = await create(server, '', {});
      return [status, (service.message ?? '').replace(/10\.0\.0\.\d+/, '<address>')];
    };
    const why = 'IPAddress.networking.k8s.io "<address>" is invalid: spec.parentRef.name: Required value';
    assert.deepEqual(await told('1.33'), [500, `Internal error occurred: failed to allocate a serviceIP: ${why}`]);
    const invalid = 'Service "" is invalid: spec.clusterIPs: Invalid value: [""]: failed to allocate IP';
    assert.deepEqual(await told('1.35'), [422, `${invalid}: ${why}`]);
  });

  test('a Service that is rejected allocates no cluster IP', async () => {
    await using server = await startTestServer();
    assert.equal((await create(server, 'a', { clusterIP: '10.0.0.20', sessionAffinity: 'Cookie' })).status, 422);
    assert.equal((await create(server, 'kubernetes', { clusterIP: '10.0.0.20' })).status, 409);
    assert.equal((await server.request('GET', `${ADDRESSES}/10.0.0.20`)).status, 404);
    assert.equal((await create(server, 'a', { clusterIP: '10.0.0.20' })).status, 201);
  });

  test('a dry run of a Service allocates no cluster IP and checks only its range', async () => {
    await using server = await startTestServer();
    assert.equal((await create(server, 'a', { dryRun: true })).service.spec.clusterIP, '10.0.0.0');
    assert.equal((await create(server, 'a', { dryRun: true, clusterIP: '10.0.0.1' })).status, 201);
    const elsewhere = await create(server, 'a', { clusterIP: '10.0.0.255' });
    assert.match(elsewhere.service.message ?? '', /the provided network does not match the current range/);
    const outside = await create(server, 'a', { dryRun: true, clusterIP: '10.0.0.255' });
    assert.match(outside.service.message ?? '', /the provided IP \(10\.0\.0\.255\) is not in the valid range/);
  });
});

describe('cluster IPs of updated Services', () => {
  test('a Service that becomes an ExternalName releases its cluster IP', async () => {
    await using server = await startTestServer();
    await create(server, 'a', { clusterIP: '10.0.0.20' });
    const { service } = await patch(server, 'a', { type: 'ExternalName', externalName: 'example.com' });
    assert.equal(service.spec.clusterIP, undefined);
    assert.equal((await server.request('GET', `${ADDRESSES}/10.0.0.20`)).status, 404);
    const back = await patch(server, 'a', { type: 'ClusterIP', externalName: null });
    assert.ok(parseIp(back.service.spec.clusterIP) !== undefined);
  });

  test('a dual-stack Service gets a cluster IP of each family', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.0.0.0/24,fd00::/112' });
    const { service } = await create(server, 'a', { ipFamilyPolicy: 'RequireDualStack' });
    assert.deepEqual(service.spec.ipFamilies, ['IPv4', 'IPv6']);
    assert.deepEqual(
      service.spec.clusterIPs?.map((text) => parseIp(text)?.family),
      ['IPv4', 'IPv6'],
    );
    const second = service.spec.clusterIPs?.[1] ?? '';
    const single = await patch(server, 'a', { ipFamilyPolicy: 'SingleStack' });
    assert.equal(single.service.spec.clusterIPs?.length, 1);
    assert.equal((await server.request('GET', `${ADDRESSES}/${second}`)).status, 404);
    const again = await patch(server, 'a', { ipFamilyPolicy: 'PreferDualStack' });
    assert.equal(again.service.spec.clusterIPs?.length, 2);
    assert.equal((await create(server, 'six', { ipFamilies: ['IPv6'] })).service.spec.clusterIPs?.length, 1);
  });

  test('an update of a Service without ipFamilyPolicy keeps it', async () => {
    await using server = await startTestServer();
    await create(server, 'a', { ipFamilyPolicy: 'PreferDualStack' });
    const left = { ipFamilyPolicy: null, ipFamilies: null };
    assert.equal((await patch(server, 'a', left)).service.spec.ipFamilyPolicy, 'PreferDualStack');
    await create(server, 'b', { clusterIP: 'None' });
    const selected = await patch(server, 'b', { ...left, selector: { app: 'b' } });
    assert.match(selected.service.message ?? '', /"RequireDualStack": this cluster is not configured for dual-stack/);
  });

  test('a Service releases its secondary cluster IP only with ipFamilyPolicy SingleStack', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.0.0.0/24,fd00::/112' });
    const both = ['10.0.0.20', 'fd00::20'];
    await create(server, 'a', { ipFamilyPolicy: 'RequireDualStack', clusterIPs: both, clusterIP: both[0] });
    const less = { clusterIPs: both.slice(0, 1), ipFamilies: ['IPv4'] };
    const { service } = await patch(server, 'a', less);
    assert.match(service.message ?? '', /'SingleStack' to release the secondary cluster IP, /);
    assert.match(service.message ?? '', /'SingleStack' to release the secondary IP family\]$/);
    assert.equal((await patch(server, 'a', { ...less, ipFamilyPolicy: 'SingleStack' })).status, 200);
    const again = await patch(server, 'a', { clusterIPs: both });
    assert.match(
      again.service.message ?? '',
      /must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified$/,
    );
    await create(server, 'headless', { clusterIP: 'None' });
    const headless = await patch(server, 'headless', { ipFamilies: ['IPv4'] });
    assert.match(headless.service.message ?? '', /'SingleStack' to release the secondary IP family$/);
  });

  test('a Service that is no longer a load balancer keeps the conditions of its status', async () => {
    await using server = await startTestServer();
    await create(server, 'a', { type: 'LoadBalancer' });
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Known', message: '', lastTransitionTime }];
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] }, conditions };
    await server.patch(`${SERVICES}/a/status`, { status }, 'application/merge-patch+json');
    const { service } = await patch(server, 'a', { type: 'ClusterIP' });
    assert.deepEqual(service.status, { loadBalancer: {}, conditions });
  });

  test('an IPAddress that a user created is not allocated to a Service', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/29' });
    for (const last of [2, 3, 4, 5]) {
      const metadata = { name: `10.9.0.${last}` };
      const spec = { parentRef: { resource: 'gateways', name: 'a' } };
      await server.request('POST', ADDRESSES, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata,
        spec,
      });
    }
    assert.equal((await create(server, 'a')).service.spec.clusterIP, '10.9.0.6');
    assert.equal((await create(server, 'b', { clusterIP: '10.9.0.3' })).status, 422);
  });

  test('cluster IPs that are in use are not allocated after a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'keelson-services-'));
    try {
      const options = { store: 'embedded', dataDir, serviceClusterIpRange: '10.9.0.0/29' } as const;
      {
        await using server = await startTestServer(options);
        for (const name of ['a', 'b', 'c']) assert.equal((await create(server, name)).status, 201);
      }
      await using server = await startTestServer(options);
      const made = await Promise.all(['d', 'e', 'f'].map((name) => create(server, name)));
      assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 500]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

describe('node ports of Services', () => {
  const options = { serviceNodePortRange: { first: 30_000, last: 30_003 } };

  test('concurrent creates of Services get distinct node ports until the range is full', async () => {
    await using server = await startTestServer(options);
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(server, name, { type: 'NodePort' })));
    const ports = made.filter(({ status }) => status === 201).map(({ service }) => service.spec.ports[0]?.nodePort);
    assert.deepEqual(ports.sort(), [30_000, 30_001, 30_002, 30_003]);
    assert.equal(made.filter(({ status }) => status === 500).length, 1);
    assert.equal((await patch(server, 'a', { type: 'ClusterIP' })).service.spec.ports[0]?.nodePort, undefined);
    assert.equal((await create(server, 'f', { type: 'NodePort' })).status, 201);
  });

  test('a requested node port must be free and in the range, and for a dry run only free', async () => {
    await using server = await startTestServer(options);
    const asking = (nodePort: number) => ({ type: 'NodePort', ports: [{ port: 80, nodePort }] });
    assert.equal((await create(server, 'a', asking(30_001))).status, 201);
    const taken = await create(server, 'b', { dryRun: true, ...asking(30_001) });
    assert.match(taken.service.message ?? '', /30001: provided port is already allocated/);
    const outside = await create(server, 'b', asking(80));
    assert.match(outside.service.message ?? '', /80: provided port is not in the valid range.* 30000-30003/);
    assert.equal((await create(server, 'b', { dryRun: true, ...asking(80) })).status, 201);
  });

  test('a dry run gives the number after the highest that the service requests', async () => {
    await using server = await startTestServer(options);
    const ports = (...numbers: number[]) => numbers.map((nodePort, i) => ({ name: `p${i}`, port: 80 + i, nodePort }));
    const given = async (...numbers: number[]) => {
      const { service } = await create(server, 'a', { type: 'NodePort', dryRun: true, ports: ports(...numbers) });
      return service.spec.ports.map(({ nodePort }) => nodePort);
    };
    assert.deepEqual(await given(0, 0), [32_769, 32_770]);
    assert.deepEqual(await given(30_001, 0, 0), [30_001, 30_002, 30_003]);
    assert.deepEqual(await given(0, 30_001, 0), [32_769, 30_001, 32_770]);
  });

  test('Service ports with the same number share a node port across protocols, and others do not', async () => {
    await using server = await startTestServer(options);
    const shared = [
      { name: 't', port: 53, protocol: 'TCP', nodePort: 30_002 },
      { name: 'u', port: 53, protocol: 'UDP' },
    ];
    const { service } = await create(server, 'dns', { type: 'NodePort', ports: shared });
    assert.deepEqual(
      service.spec.ports.map(({ nodePort }) => nodePort),
      [30_002, 30_002],
    );
    const apart = shared.map((port, index) => ({ ...port, port: 80 + index, nodePort: 30_003 }));
    assert.equal((await create(server, 'web', { type: 'NodePort', ports: apart })).status, 422);
  });

  test('a replaced Service keeps the node ports of ports with the same names', async () => {
    await using server = await startTestServer(options);
    await create(server, 'a', { type: 'NodePort', ports: [{ name: 'x', port: 80, nodePort: 30_002 }] });
    const metadata = { name: 'a' };
    const spec = {
      type: 'NodePort',
      ports: [
        { name: 'y', port: 80 },
        { name: 'x', port: 81 },
      ],
    };
    const { body } = await server.request('PUT', `${SERVICES}/a`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec,
    });
    const ports = (body as ServiceBody).spec.ports.map(({ nodePort }) => nodePort);
    assert.equal(ports[1], 30_002);
    assert.ok(ports[0] !== undefined && ports[0] !== 30_002);
  });

  test('a load balancer with allocateLoadBalancerNodePorts=false keeps no node port that its ports omit', async () => {
    await using server = await startTestServer(options);
    const ports = [{ port: 80 }];
    await create(server, 'a', { type: 'NodePort', ports });
    const { service } = await patch(server, 'a', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports });
    assert.equal(service.spec.ports[0]?.nodePort, undefined);
  });

  test('a load balancer with externalTrafficPolicy Local gets a healthCheckNodePort', async () => {
    await using server = await startTestServer(options);
    const { service } = await create(server, 'a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    assert.ok((service.spec.healthCheckNodePort ?? 0) >= 30_000);
    const without = await patch(server, 'a', { externalTrafficPolicy: 'Cluster' });
    assert.equal(without.service.spec.healthCheckNodePort, undefined);
  });
});

test('an address range allocates the addresses of its lower part last', () => {
  const range = new AddressRange(parseCidr('10.0.0.0/24')!);
  const random = new SeededRandom(1);
  const taken = new Set<string>();
  const order: number[] = [];
  for (let count = 0; count < 254; count++) {
    const address = range.next(random, (each) => !taken.has(each));
    assert.ok(address !== undefined);
    taken.add(address);
    order.push(Number(address.split('.')[3]));
  }
  assert.equal(
    range.next(random, (each) => !taken.has(each)),
    undefined,
  );
  assert.deepEqual(
    order.slice(-16),
    Array.from({ length: 16 }, (_, index) => index + 1),
  );
  assert.ok(!range.holds(parseIp('10.0.0.0')!) && !range.holds(parseIp('10.0.0.255')!));
});

test('an address range of any size allocates addresses', () => {
  const range = new AddressRange(parseCidr('fd00::/48')!);
  const address = range.next({ below: randomInt, uuid: () => '' }, () => true);
  assert.ok(range.holds(parseIp(address!)!));
  assert.ok(range.holds(parseIp('fd00:0:0:ffff:ffff:ffff:ffff:ffff')!), 'also those that it does not choose');
});

test('metrics report allocated and available cluster IPs and node ports', async () => {
  await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/28' });
  const twoPorts = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81, nodePort: 30_001 },
  ];
  // Addresses that are asked for come first: one that is given out could be the same.
  await create(server, 'asked', { clusterIP: '10.9.0.3' });
  await create(server, 'taken', { clusterIP: '10.9.0.3' });
  await create(server, 'outside', { clusterIP: '10.8.0.1' });
  await create(server, 'tried', { clusterIP: '10.9.0.4', dryRun: true });
  await create(server, 'any');
  await create(server, 'ports', { type: 'NodePort', ports: twoPorts });
  await create(server, 'clash', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
  await create(server, 'gone', { type: 'NodePort' });
  await server.request('DELETE', `${SERVICES}/gone`);
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const found = text.match(/^kube_apiserver_\w+_allocator_.*$/gm)?.filter((line) => !/_bucket|_sum/.test(line));
  const ips = 'kube_apiserver_clusterip_allocator';
  const ports = 'kube_apiserver_nodeport_allocator';
  const cidr = 'cidr="10.9.0.0/28"';
  assert.deepEqual(found, [
    // The kubernetes service has one, too.
    `${ips}_allocated_ips{${cidr}} 4`,
    `${ips}_allocation_duration_seconds_count{${cidr}} 5`,
    `${ips}_allocation_errors_total{${cidr},scope="static"} 1`,
    `${ips}_allocation_total{${cidr},scope="dynamic"} 4`,
    `${ips}_allocation_total{${cidr},scope="static"} 1`,
    `${ips}_available_ips{${cidr}} 10`,
    `${ports}_allocated_ports 2`,
    `${ports}_allocation_errors_total{scope="static"} 1`,
    `${ports}_allocation_total{scope="dynamic"} 2`,
    `${ports}_allocation_total{scope="static"} 1`,
    `${ports}_available_ports 2766`,
  ]);
});
