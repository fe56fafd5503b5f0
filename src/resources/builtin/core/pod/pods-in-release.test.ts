import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { startTestServer } from '../../../../testing.ts';

type Answer = ApiObject & { readonly message?: string; readonly code?: number };

async function podsIn(kubernetesVersion: string) {
  const server = await startTestServer({ controllers: '', kubernetesVersion });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });
  const create = async (name: string, spec: JsonObject): Promise<Answer> => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    return (await server.request('POST', '/api/v1/namespaces/default/pods', pod)).body as Answer;
  };
  return { server, create, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const limited = { name: 'a', image: 'b', resources: { limits: { cpu: '2', memory: '1Gi' } } };
const resourcesOf = (pod: Answer) => (pod['spec'] as JsonObject)['resources'];

test('pod-level limits follow from those of the containers from 1.37 on', async () => {
  const spec = { containers: [limited], resources: { requests: { cpu: '3' } } };
  await using old = await podsIn('1.36');
  assert.deepEqual(resourcesOf(await old.create('p', spec)), { requests: { cpu: '3' } });
  await using now = await podsIn('1.37');
  assert.deepEqual(resourcesOf(await now.create('p', spec)), {
    limits: { cpu: '3', memory: '1Gi' },
    requests: { cpu: '3', memory: '1Gi' },
  });
});

test('empty pod-level resources leave the QoS class to the containers from 1.37 on', async () => {
  const spec = { containers: [limited], resources: {} };
  const qosOf = (pod: Answer) => (pod['status'] as JsonObject)['qosClass'];
  await using old = await podsIn('1.36');
  assert.equal(qosOf(await old.create('p', spec)), 'BestEffort');
  await using now = await podsIn('1.37');
  assert.equal(qosOf(await now.create('p', spec)), 'Guaranteed');
});

test('a restart rule may restart all containers of a pod from 1.36 on', async () => {
  const rule = { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } };
  const spec = { containers: [{ ...limited, restartPolicy: 'Never', restartPolicyRules: [rule] }] };
  await using old = await podsIn('1.35');
  assert.equal(
    (await old.create('p', spec)).message,
    'Pod "p" is invalid: spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"',
  );
  await using now = await podsIn('1.36');
  assert.equal((await now.create('p', spec)).kind, 'Pod');
});

test('an init container is not restarted for a resize from 1.36 on', async () => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const spec = { containers: [limited], initContainers: [{ name: 'i', image: 'b', resizePolicy }] };
  await using old = await podsIn('1.35');
  assert.equal((await old.create('p', spec)).kind, 'Pod');
  await using now = await podsIn('1.36');
  assert.equal(
    (await now.create('p', spec)).message,
    'Pod "p" is invalid: spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
  );
});

test('the declared features of a node are valid names in order from 1.36 on', async () => {
  await using server = await startTestServer({ controllers: '', kubernetesVersion: '1.36' });
  const status = { declaredFeatures: ['Zebra', 'Apple', 'not-a-feature'] };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status };
  const { body } = await server.request('POST', '/api/v1/nodes', node);
  const { causes } = (body as { details: { causes: { field: string; message: string }[] } }).details;
  assert.deepEqual(
    causes.map(({ field, message }) => `${field}: ${message.slice(0, 60)}`),
    [
      'status.declaredFeatures[1]: Invalid value: "Apple": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Invalid value: "not-a-feature": invalid feature name "not-a-',
    ],
  );
});

test('a create cannot set the status of a ServiceCIDR from 1.36 on', async () => {
  const cidr = {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'more' } },
    ...{ spec: { cidrs: ['10.9.0.0/24'] }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
  };
  const statusIn = async (kubernetesVersion: string) => {
    await using server = await startTestServer({ controllers: '', kubernetesVersion });
    const condition = { reason: 'x', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = cidr.status.conditions.map((each) => ({ ...each, ...condition }));
    const sent = { ...cidr, status: { conditions } };
    const { body } = await server.request('POST', '/apis/networking.k8s.io/v1/servicecidrs', sent);
    return (body as JsonObject)['status'];
  };
  assert.notDeepEqual(await statusIn('1.35'), {});
  assert.deepEqual(await statusIn('1.36'), {});
});
