// API versions that only releases of Kubernetes before 1.34 serve (--kubernetes-version with --runtime-config), in the
// real pipeline.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

async function serving(kubernetesVersion: string, featureGates: Record<string, boolean> = {}): Promise<TestServer> {
  return startTestServer({ kubernetesVersion, runtimeConfig: { 'api/all': 'true' }, featureGates });
}

async function ask(server: TestServer, method: string, path: string, object?: object): Promise<Body> {
  return (await server.request(method, path, object)).body as Body;
}

const RESOURCE = '/apis/resource.k8s.io';

describe('API versions of releases before 1.34', () => {
  test('alpha versions are served by the releases that have them', async () => {
    const versions = async (version: string, group: string): Promise<string[]> => {
      await using server = await serving(version);
      const { versions: served } = await ask(server, 'GET', `/apis/${group}`);
      return (served ?? []).map((each: Body) => each['version']);
    };
    assert.deepEqual(await versions('1.29', 'networking.k8s.io'), ['v1', 'v1alpha1']);
    assert.deepEqual(await versions('1.31', 'networking.k8s.io'), ['v1', 'v1beta1']);
    assert.deepEqual(await versions('1.29', 'admissionregistration.k8s.io'), ['v1', 'v1beta1', 'v1alpha1']);
    assert.deepEqual(await versions('1.31', 'coordination.k8s.io'), ['v1', 'v1alpha1']);
    assert.deepEqual(await versions('1.30', 'resource.k8s.io'), ['v1alpha2']);
    assert.deepEqual(await versions('1.31', 'resource.k8s.io'), ['v1alpha3']);
    assert.deepEqual(await versions('1.33', 'resource.k8s.io'), ['v1beta2', 'v1beta1', 'v1alpha3']);
  });

  test('APIServices have the priorities of the release', async () => {
    const priorities = async (version: string, name: string): Promise<unknown[]> => {
      await using server = await serving(version);
      const { spec } = await ask(server, 'GET', `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
      return [spec.groupPriorityMinimum, spec.versionPriority];
    };
    assert.deepEqual(await priorities('1.29', 'v1alpha1.authentication.k8s.io'), [17700, 1]);
    assert.deepEqual(await priorities('1.30', 'v1alpha1.networking.k8s.io'), [17200, 1]);
    assert.deepEqual(await priorities('1.30', 'v1alpha2.resource.k8s.io'), [15900, 9]);
    assert.deepEqual(await priorities('1.31', 'v1alpha1.coordination.k8s.io'), [16500, 9]);
    assert.deepEqual(await priorities('1.31', 'v1alpha3.resource.k8s.io'), [15900, 9]);
    assert.deepEqual(await priorities('1.32', 'v1alpha3.resource.k8s.io'), [16200, 1]);
  });

  test('a ResourceClaim of v1alpha3 is the same object in v1beta2', async () => {
    await using server = await serving('1.33', { DynamicResourceAllocation: true });
    const requests = [{ name: 'a', deviceClassName: 'class.example.com' }];
    const path = `namespaces/default/resourceclaims`;
    const claim = { metadata: { name: 'a' }, spec: { devices: { requests } } };
    const created = await ask(server, 'POST', `${RESOURCE}/v1alpha3/${path}`, claim);
    assert.equal(created['spec'].devices.requests[0].deviceClassName, 'class.example.com');
    const newer = await ask(server, 'GET', `${RESOURCE}/v1beta2/${path}/a`);
    assert.equal(newer['spec'].devices.requests[0].exactly.deviceClassName, 'class.example.com');
  });

  test('a ResourceClaim of v1alpha2 has an allocation mode and a class', async () => {
    await using server = await serving('1.30', { DynamicResourceAllocation: true });
    const path = `${RESOURCE}/v1alpha2/namespaces/default/resourceclaims`;
    const created = await ask(server, 'POST', path, { metadata: { name: 'a' }, spec: { resourceClassName: 'b' } });
    assert.deepEqual(created['spec'], { resourceClassName: 'b', allocationMode: 'WaitForFirstConsumer' });
    const refused = await ask(server, 'POST', path, {
      metadata: { name: 'b' },
      spec: { resourceClassName: 'b', allocationMode: 'Never', parametersRef: { kind: 'A' } },
    });
    assert.deepEqual(
      refused['details'].causes.map(({ field, message }: Body) => `${field}: ${message}`),
      [
        'spec.parametersRef.name: Required value',
        'spec.allocationMode: Unsupported value: "Never": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    );
    created['spec'].allocationMode = 'Immediate';
    const { message } = await ask(server, 'PUT', `${path}/a`, created);
    assert.match(message, /spec: Invalid value: .*: field is immutable$/);
  });

  test('kinds without a successor are stored in the releases that have them', async () => {
    await using server = await serving('1.30', { DynamicResourceAllocation: true });
    const create = async (path: string, object: object) =>
      (await ask(server, 'POST', `${RESOURCE}/v1alpha2/${path}`, { metadata: { name: 'a' }, ...object }))['kind'];
    assert.equal(await create('resourceclasses', { driverName: 'a.example.com' }), 'ResourceClass');
    assert.equal(await create('resourceclasses', { driverName: '' }), 'Status');
    assert.equal(
      await create('resourceslices', { driverName: 'a.example.com', nodeName: 'n', namedResources: {} }),
      'ResourceSlice',
    );
    const scheduling = { spec: { selectedNode: 'n' } };
    assert.equal(await create('namespaces/default/podschedulingcontexts', scheduling), 'PodSchedulingContext');
    const parameters = { shareable: true };
    assert.equal(await create('namespaces/default/resourceclaimparameters', parameters), 'ResourceClaimParameters');
  });

  test('a LeaseCandidate of v1alpha1 has preferred strategies', async () => {
    await using server = await serving('1.31', { CoordinatedLeaderElection: true });
    const path = '/apis/coordination.k8s.io/v1alpha1/namespaces/default/leasecandidates';
    const preferredStrategies = ['OldestEmulationVersion'];
    const spec = { leaseName: 'l', binaryVersion: '1.31.0', emulationVersion: '1.31.0', preferredStrategies };
    const created = await ask(server, 'POST', path, { metadata: { name: 'a' }, spec });
    assert.deepEqual(created['spec'].preferredStrategies, preferredStrategies);
  });

  test('a ValidatingAdmissionPolicy is served without v1 up to 1.29', async () => {
    await using server = await serving('1.29', { ValidatingAdmissionPolicy: true });
    const path = '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies';
    const matchConstraints = {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    };
    const spec = { matchConstraints, validations: [{ expression: 'true' }] };
    await ask(server, 'POST', path, { metadata: { name: 'a' }, spec });
    const other = await ask(server, 'GET', `${path.replace('v1alpha1', 'v1beta1')}/a`);
    assert.equal(other['apiVersion'], 'admissionregistration.k8s.io/v1beta1');
    assert.equal(other['spec'].failurePolicy, 'Fail');
  });

  test('resizes of pods have a subresource from 1.32 on', async () => {
    const found = async (version: string): Promise<boolean> => {
      await using server = await serving(version);
      const { resources } = await ask(server, 'GET', '/api/v1');
      return resources.some(({ name }: Body) => name === 'pods/resize');
    };
    assert.equal(await found('1.31'), false);
    assert.equal(await found('1.33'), true);
  });
});
