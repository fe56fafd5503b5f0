import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

interface Answer {
  readonly metadata: { readonly resourceVersion: string; readonly generation?: number };
}

/** How often versions were raised by these bodies in a row, each sent in this way. */
async function raises(
  bodies: readonly unknown[],
  send: (body: unknown) => Promise<{ body: unknown }>,
): Promise<string> {
  let last = '';
  const raised: string[] = [];
  for (const body of bodies) {
    const { metadata } = (await send(body)).body as Answer;
    const generation = metadata.generation === undefined ? '' : ` at ${metadata.generation}`;
    raised.push(`${metadata.resourceVersion === last ? 'same' : 'raised'}${generation}`);
    last = metadata.resourceVersion;
  }
  return raised.join(', ');
}

async function made(server: TestServer, path: string, body: object): Promise<string> {
  assert.equal((await server.request('POST', path, body)).status, 201);
  return `${path}/a`;
}

test('an empty caBundle of a webhook is stored, and left out by the next write', async () => {
  await using server = await startTestServer();
  const webhooks = (caBundle: object) => [
    {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { ...caBundle, service: { name: 'a', namespace: 'b' } },
    },
  ];
  const collection = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const path = await made(server, collection, { metadata: { name: 'a' }, webhooks: webhooks({ caBundle: '' }) });
  const patches = [{}, {}, { webhooks: webhooks({ caBundle: '' }) }, {}, {}];
  assert.equal(
    await raises(patches, (body) => server.patch(path, body)),
    'raised at 2, same at 2, raised at 3, raised at 4, same at 4',
  );
});

test('a null value in the data of a Secret differs from an empty one', async () => {
  await using server = await startTestServer();
  const path = await made(server, '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' }, data: { a: null } });
  const whole = { metadata: { name: 'a' }, data: { a: null } };
  assert.equal(await raises([{}, {}], (body) => server.patch(path, body)), 'raised, same');
  assert.equal(await raises([whole, whole], (body) => server.request('PUT', path, body)), 'raised, same');
});

test('the behavior annotation of autoscaling/v1 gets its defaults when it is read and written back', async () => {
  await using server = await startTestServer();
  const rules = '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}]}}';
  const annotations = { 'autoscaling.alpha.kubernetes.io/behavior': rules };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const body = { metadata: { name: 'a', annotations }, spec: { maxReplicas: 5, scaleTargetRef } };
  const path = await made(server, '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', body);
  assert.equal(await raises([{}, {}], (patch) => server.patch(path, patch)), 'raised, same');
  assert.equal(await raises([body, body], (whole) => server.request('PUT', path, whole)), 'raised, raised');
  const ofStatus = await raises([body, body], (whole) => server.request('PUT', `${path}/status`, whole));
  assert.equal(ofStatus, 'raised, same', 'the status was read with the defaults of the spec');
});

test('an empty caBundle of an APIService is left out by the next write', async () => {
  await using server = await startTestServer();
  const spec = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15, caBundle: '' };
  const collection = '/apis/apiregistration.k8s.io/v1/apiservices';
  await server.request('POST', collection, { metadata: { name: 'v1.example.com' }, spec });
  const path = `${collection}/v1.example.com`;
  assert.equal(await raises([{}, {}], (body) => server.patch(path, body)), 'raised, same');
});

test('another order of members in the parameters of a DeviceClass is another object', async () => {
  await using server = await startTestServer();
  const body = (parameters: object) => ({
    metadata: { name: 'a' },
    spec: { config: [{ opaque: { driver: 'd.example.com', parameters } }] },
  });
  const path = await made(server, '/apis/resource.k8s.io/v1/deviceclasses', body({ a: 1, b: 2 }));
  const bodies = [body({ a: 1, b: 2 }), body({ b: 2, a: 1 }), body({ b: 2, a: 1 }), body({ a: 1, b: 2 })];
  const told = await raises(bodies, (each) => server.request('PUT', path, each));
  assert.equal(told, 'raised at 1, raised at 2, same at 2, raised at 3');
});

test('another order of members in the allocation of a ResourceClaim is another allocation', async () => {
  await using server = await startTestServer();
  const collection = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const requests = [{ name: 'r', exactly: { deviceClassName: 'c' } }];
  const path = await made(server, collection, { metadata: { name: 'a' }, spec: { devices: { requests } } });
  const allocated = async (parameters: object) => {
    const config = [{ source: 'FromClaim', opaque: { driver: 'd.example.com', parameters } }];
    const results = [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'd' }];
    const status = { allocation: { devices: { results, config } } };
    return (await server.request('PUT', `${path}/status`, { metadata: { name: 'a' }, status })).status;
  };
  assert.deepEqual([await allocated({ a: 1, b: 2 }), await allocated({ a: 1, b: 2 })], [200, 200]);
  assert.equal(await allocated({ b: 2, a: 1 }), 422);
});

test('an apply that gives a custom object empty annotations is stored every time, and so is the next write', async () => {
  await using server = await startTestServer();
  const schema = { openAPIV3Schema: { type: 'object' } };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'as.x.com' },
    spec: {
      ...{ group: 'x.com', scope: 'Namespaced', names: { plural: 'as', kind: 'A' } },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  });
  const path = '/apis/x.com/v1/namespaces/default/as';
  await until('the kind is served', async () => (await server.request('GET', path)).status === 200);
  const apply = (metadata: object) => {
    const body = { apiVersion: 'x.com/v1', kind: 'A', metadata: { name: 'a', ...metadata } };
    return server.patch(`${path}/a?fieldManager=m`, body, 'application/apply-patch+yaml');
  };
  await apply({ annotations: {} });
  const empty = { annotations: {} };
  const applied = await raises([empty, empty, {}, {}, { finalizers: null }], (body) => apply(body as object));
  assert.equal(applied, 'raised at 1, raised at 1, raised at 1, same at 1, raised at 1');
  const patched = await raises([{}, {}], () => server.patch(`${path}/a`, {}));
  assert.equal(patched, 'raised at 1, same at 1');
  await apply({ labels: {} });
  const ofStatus = await raises([{}, {}], () => server.patch(`${path}/a/status`, {}));
  assert.equal(ofStatus, 'raised at 1, same at 1');
  const status = { apiVersion: 'x.com/v1', kind: 'A', metadata: { name: 'a', finalizers: [] } };
  const toStatus = await raises([status, status], (body) =>
    server.patch(`${path}/a/status?fieldManager=s`, body, 'application/apply-patch+yaml'),
  );
  assert.equal(toStatus, 'raised at 1, same at 1');
});
