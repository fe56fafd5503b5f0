import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const CORE = '/api/v1/namespaces/default';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

interface Slice {
  readonly metadata: {
    readonly name: string;
    readonly generateName?: string;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly addressType: string;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
  readonly endpoints: readonly { readonly addresses: string[]; readonly conditions: { readonly ready: boolean } }[];
}

const started = () => startTestServer({ controllers: '*,endpointslice-mirroring-controller' });

function service(server: TestServer, selector?: object): Promise<unknown> {
  const spec = { ports: [{ port: 80 }], ...(selector === undefined ? {} : { selector }) };
  return created(server, `${CORE}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db' }, spec });
}

function endpoints(server: TestServer, subsets: object[], metadata: object = {}): Promise<unknown> {
  const body = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'db', ...metadata }, subsets };
  return created(server, `${CORE}/endpoints`, body);
}

async function mirrors(server: TestServer): Promise<Slice[]> {
  await server.cluster.settled();
  const all = await items<Slice>(server, SLICES);
  return all.filter(({ metadata }) => metadata.labels['kubernetes.io/service-name'] === 'db');
}

const ports = [{ name: 'sql', port: 5432 }];

test('Endpoints of a Service without a selector are mirrored to an EndpointSlice', async () => {
  await using server = await started();
  await service(server);
  const annotations = { note: 'a', 'endpoints.kubernetes.io/last-change-trigger-time': '2024-01-01T00:00:00Z' };
  const subsets = [{ addresses: [{ ip: '10.1.0.1' }], notReadyAddresses: [{ ip: '10.1.0.2' }], ports }];
  await endpoints(server, subsets, { labels: { tier: 'data' }, annotations });
  const [slice, ...others] = await mirrors(server);
  assert.deepEqual(others, []);
  assert.deepEqual(slice?.metadata.labels, {
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
    'kubernetes.io/service-name': 'db',
    tier: 'data',
  });
  assert.deepEqual(slice.metadata.annotations, { note: 'a' });
  assert.deepEqual(
    slice.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
    ['Endpoints db'],
  );
  assert.deepEqual(
    slice.endpoints.map(({ addresses, conditions }) => [...addresses, conditions.ready]),
    [
      ['10.1.0.1', true],
      ['10.1.0.2', false],
    ],
  );
  assert.deepEqual(slice.ports, [{ name: 'sql', port: 5432, protocol: 'TCP' }]);
});

test('a mirrored EndpointSlice follows the addresses and annotations of its Endpoints', async () => {
  await using server = await started();
  await service(server);
  await endpoints(server, [{ addresses: [{ ip: '10.1.0.1' }], ports }], { annotations: { note: 'a' } });
  const [before] = await mirrors(server);
  const subsets = [{ addresses: [{ ip: '10.1.0.3' }, { ip: 'fd00::1' }], ports }];
  await server.patch(`${CORE}/endpoints/db`, { metadata: { annotations: { note: null } }, subsets });
  const after = await mirrors(server);
  assert.deepEqual(
    after.map(({ addressType, endpoints: all }) => [addressType, ...all.flatMap(({ addresses }) => addresses)]).sort(),
    [
      ['IPv4', '10.1.0.3'],
      ['IPv6', 'fd00::1'],
    ],
  );
  const same = after.find(({ metadata }) => metadata.name === before?.metadata.name);
  assert.equal(same?.metadata.annotations, undefined);
});

test('a mirrored EndpointSlice has a generateName until it is written again, unless its ports change or it has none', async () => {
  await using server = await started();
  await service(server);
  const addresses = [{ ip: '10.1.0.1' }];
  await endpoints(server, [{ addresses, ports }], { annotations: { note: 'a' } });
  const change = async (patch: object) => {
    await server.patch(`${CORE}/endpoints/db`, patch);
    const [slice, ...others] = await mirrors(server);
    assert.deepEqual(others, []);
    return [slice?.metadata.generateName, slice?.metadata.name];
  };
  const [generateName, name] = await change({});
  assert.equal(generateName, 'db-');
  assert.deepEqual(await change({ metadata: { annotations: { note: 'b' } } }), [undefined, name]);
  assert.deepEqual(await change({ subsets: [{ addresses, ports: [{ port: 80 }] }] }), ['db-', name]);
  assert.deepEqual(await change({ subsets: [{ addresses }] }), ['db-', name]);
  assert.deepEqual(await change({ metadata: { annotations: { note: 'c' } } }), ['db-', name]);
});

test('ports that reach the same addresses share a mirrored EndpointSlice', async () => {
  await using server = await started();
  await service(server);
  const [a, b] = [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }];
  const [http, https] = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ];
  await endpoints(server, [
    { addresses: [a], ports: [http] },
    { addresses: [b], ports: [http, https] },
    { addresses: [a], ports: [https] },
  ]);
  const slices = await mirrors(server);
  assert.equal(slices.length, 1);
  assert.deepEqual(slices[0]?.ports.map(({ port }) => port).sort(), [443, 80]);
});

test('mirrored EndpointSlices end with the Endpoints, with a selector of the Service, and with the label skip-mirror', async () => {
  await using server = await started();
  const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports }];
  await service(server);
  await endpoints(server, subsets);
  assert.equal((await mirrors(server)).length, 1);
  await server.patch(`${CORE}/services/db`, { spec: { selector: { app: 'db' } } });
  assert.equal((await mirrors(server)).length, 0);
  await server.patch(`${CORE}/services/db`, { spec: { selector: null } });
  assert.equal((await mirrors(server)).length, 1);
  const label = 'endpointslice.kubernetes.io/skip-mirror';
  await server.patch(`${CORE}/endpoints/db`, { metadata: { labels: { [label]: 'true' } } });
  assert.equal((await mirrors(server)).length, 0);
  await server.patch(`${CORE}/endpoints/db`, { metadata: { labels: { [label]: null } } });
  assert.equal((await mirrors(server)).length, 1);
  await server.request('DELETE', `${CORE}/endpoints/db`);
  assert.equal((await mirrors(server)).length, 0);
});
