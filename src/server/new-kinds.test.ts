// The kinds that came with Kubernetes 1.35 to 1.37, in the real pipeline.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const SCHEDULING = '/apis/scheduling.k8s.io/v1beta1/namespaces/default';
const featureGates = { AllAlpha: true, AllBeta: true };
const runtimeConfig = { 'api/all': 'true' };

async function serving(kubernetesVersion = '1.37'): Promise<TestServer> {
  return startTestServer({ kubernetesVersion, featureGates, runtimeConfig });
}

const gang = { gang: { minCount: 2 } };

describe('pod groups', () => {
  test('pod groups get defaults, their priority and a protecting finalizer as PodGroups', async () => {
    await using server = await serving();
    const asked = { metadata: { name: 'g' }, spec: { schedulingPolicy: gang } };
    const { status, body } = await server.request('POST', `${SCHEDULING}/podgroups`, asked);
    assert.equal(status, 201);
    const { metadata, spec } = body as Body;
    assert.deepEqual(spec, {
      schedulingPolicy: gang,
      disruptionMode: { single: {} },
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
    });
    assert.deepEqual(metadata['finalizers'], ['scheduling.k8s.io/podgroup-protection']);
  });

  test('pod groups have unique names and one priority as templates of a Workload', async () => {
    await using server = await serving();
    const told = async (podGroupTemplates: object[], compositePodGroupTemplates: object[]): Promise<string> => {
      const asked = { metadata: { name: 'w' }, spec: { podGroupTemplates, compositePodGroupTemplates } };
      const { body } = await server.request('POST', `${SCHEDULING}/workloads`, asked);
      return (body as Body)['details']?.causes?.map(({ field, message }: Body) => `${field}: ${message}`).join('; ');
    };
    const template = { name: 't', schedulingPolicy: gang };
    const group = { name: 'c', schedulingPolicy: { gang: { minGroupCount: 1 } }, podGroupTemplates: [template] };
    const one = 'Invalid value: "{podGroupTemplates, compositePodGroupTemplates}": must specify exactly one of';
    assert.equal(
      await told([template], [group]),
      `spec.compositePodGroupTemplates[0].podGroupTemplates[0].name: Duplicate value: "t"; spec: ${one}: \`podGroupTemplates\`, \`compositePodGroupTemplates\``,
    );
    assert.match(
      await told([], [{ ...group, priority: 1 }]),
      /^spec: .*all priority and priorityClassName values must be identical, detected multiple values$/,
    );
    assert.match(await told([], [{ name: 'c', schedulingPolicy: { basic: {} } }]), /must have at least one child/);
  });

  test('pod groups need their Workload in 1.36', async () => {
    await using server = await serving('1.36');
    const path = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default';
    const podGroupTemplateRef = { workload: { workloadName: 'w', podGroupTemplateName: 't' } };
    const asked = { metadata: { name: 'g' }, spec: { podGroupTemplateRef, schedulingPolicy: gang } };
    const { body } = await server.request('POST', `${path}/podgroups`, asked);
    assert.equal(
      (body as Body)['message'],
      'podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected: Workload "w" not found',
    );
    const spec = { podGroupTemplates: [{ name: 't', schedulingPolicy: gang }] };
    await server.request('POST', `${path}/workloads`, { metadata: { name: 'w' }, spec });
    const made = await server.request('POST', `${path}/podgroups`, asked);
    assert.equal(made.status, 201);
    assert.equal((made.body as Body)['spec'].disruptionMode, 'Pod');
  });
});

describe('a ResourcePoolStatusRequest', () => {
  const path = '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests';

  test('a ResourcePoolStatusRequest has a default limit, is immutable, and gets its status once', async () => {
    await using server = await serving();
    const { body } = await server.request('POST', path, { metadata: { name: 'r' }, spec: { driver: 'a.b' } });
    assert.deepEqual((body as Body)['spec'], { driver: 'a.b', limit: 100 });
    const causes = async (name: string, change: object): Promise<string[]> => {
      const headers = { 'content-type': 'application/merge-patch+json', authorization: `Bearer ${server.token}` };
      const asked = { method: 'PATCH', headers, body: JSON.stringify(change) };
      const answer = await (await server.fetch(new Request(`https://localhost${path}/${name}`, asked))).json();
      return (answer as Body)['details']?.causes?.map(({ field, message }: Body) => `${field}: ${message}`) ?? [];
    };
    assert.deepEqual(await causes('r', { spec: { limit: 3 } }), ['spec: Invalid value: null: field is immutable']);
    assert.deepEqual(await causes('r/status', { status: {} }), ['status.poolCount: Required value']);
    assert.deepEqual(await causes('r/status', { status: { poolCount: 0 } }), []);
    assert.deepEqual(await causes('r/status', { status: { poolCount: 1 } }), [
      'status: Invalid value: {"PoolCount":1,"Pools":null,"Conditions":null}: field is immutable',
    ]);
  });
});

describe('a DeviceTaintRule in 1.37', () => {
  const path = '/apis/resource.k8s.io/v1/devicetaintrules';
  const rule = (effect: string, more: object = {}) => ({
    metadata: { name: 'r', ...more },
    spec: { deviceSelector: { driver: 'a.b' }, taint: { key: 'k', effect, timeAdded: '2020-01-01T00:00:00Z' } },
  });

  test('a DeviceTaintRule in 1.37 has the time of its taint, and validated conditions', async () => {
    await using server = await serving();
    const { body } = await server.request('POST', path, rule('NoSchedule'));
    const { resourceVersion } = (body as Body)['metadata'];
    assert.equal((body as Body)['spec'].taint.timeAdded, '2020-01-01T00:00:00Z');
    const { body: changed } = await server.request('PUT', `${path}/r`, rule('NoExecute', { resourceVersion }));
    assert.notEqual((changed as Body)['spec'].taint.timeAdded, '2020-01-01T00:00:00Z');
    const { body: told } = await server.request('PUT', `${path}/r/status`, {
      ...rule('NoExecute', { resourceVersion: (changed as Body)['metadata'].resourceVersion }),
      status: {
        conditions: [{ type: 'a b', status: 'True', reason: 'R', lastTransitionTime: '2020-01-01T00:00:00Z' }],
      },
    });
    assert.deepEqual(
      (told as Body)['details'].causes.map(({ field }: Body) => field),
      ['status.conditions[0].type'],
    );
  });

  test('a DeviceTaintRule in 1.37 of v1 is not validated like earlier versions', async () => {
    await using server = await serving();
    await server.request('POST', path, rule('NoSchedule'));
    assert.equal((await server.request('PUT', `${path}/r`, rule('None'))).status, 422);
    const old = '/apis/resource.k8s.io/v1alpha3/devicetaintrules';
    assert.equal((await server.request('PUT', `${old}/r`, rule('None'))).status, 200);
    const deleted = async (at: string) => {
      await server.request('POST', path, rule('NoSchedule'));
      return ((await server.request('DELETE', `${at}/r`)).body as Body)['kind'];
    };
    assert.deepEqual([await deleted(old), await deleted(path)], ['DeviceTaintRule', 'Status']);
  });
});
