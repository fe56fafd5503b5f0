import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { createCatalog } from './catalog.ts';
import type { StrategyContext } from './definition.ts';

const catalog = createCatalog();

const context: StrategyContext = {
  nowMs: Date.UTC(2026, 0, 1),
  gateEnabled: () => true,
  user: { name: 'admin', uid: '', groups: [], extra: {} },
};

function strategy(group: string, resource: string) {
  const found = catalog.find(group, resource);
  assert.ok(found);
  return found.strategy;
}

function created(group: string, resource: string, object: Partial<ApiObject>): ApiObject {
  const whole = { metadata: { name: 'x', creationTimestamp: '2026-01-01T00:00:00Z' }, ...object };
  const { defaults, prepareForCreate } = strategy(group, resource);
  defaults?.(whole, context);
  prepareForCreate?.(whole, context);
  return whole;
}

describe('the status of a new object', () => {
  const statuses: [group: string, resource: string, status: JsonObject][] = [
    ['apps', 'deployments', {}],
    ['apps', 'replicasets', { replicas: 0 }],
    ['', 'services', { loadBalancer: {} }],
    ['', 'namespaces', { phase: 'Active' }],
    ['', 'persistentvolumes', { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' }],
    ['', 'persistentvolumeclaims', {}],
    [
      'policy',
      'poddisruptionbudgets',
      { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    ],
    ['', 'pods', { phase: 'Pending', qosClass: 'BestEffort' }],
  ];
  for (const [group, resource, status] of statuses) {
    test(`the status of a new object of ${resource} is the initial one, whatever the client sends`, () => {
      assert.deepEqual(created(group, resource, { status: { replicas: 9, phase: 'Running' } })['status'], status);
    });
  }

  test('the status of a new object of nodes is the one that the client sends', () => {
    assert.deepEqual(created('', 'nodes', { status: { phase: 'x' } })['status'], { phase: 'x' });
  });
});

describe('core kinds on create', () => {
  test('stringData of a secret becomes data and takes precedence', () => {
    const secret = created('', 'secrets', {
      data: { user: 'YWRtaW4=', pass: 'b2xk' },
      stringData: { pass: 'new', 'tök\u{1f511}': 'ä' },
    });
    assert.deepEqual(secret['data'], { user: 'YWRtaW4=', pass: 'bmV3', 'tök\u{1f511}': 'w6Q=' });
    assert.equal(secret['stringData'], undefined);
    assert.equal(secret['type'], 'Opaque');
    assert.equal(created('', 'secrets', { stringData: {} })['data'], undefined);
  });

  test('a data key named __proto__ stays a key', () => {
    const secret = created('', 'secrets', { stringData: JSON.parse('{"__proto__":"a"}') as JsonObject });
    assert.deepEqual(Object.entries(secret['data'] as JsonObject), [['__proto__', 'YQ==']]);
  });

  test('a namespace gets a label with its name and the finalizer kubernetes', () => {
    const namespace = created('', 'namespaces', {});
    assert.deepEqual(namespace.metadata.labels, { 'kubernetes.io/metadata.name': 'x' });
    assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] });
    const next: ApiObject = { metadata: { name: 'x' }, spec: { finalizers: [] } };
    strategy('', 'namespaces').prepareForUpdate?.(next, namespace, context);
    assert.deepEqual(next['spec'], { finalizers: ['kubernetes'] });
  });

  test('a pod with scheduling gates gets the condition SchedulingGated', () => {
    const pod = created('', 'pods', { spec: { schedulingGates: [{ name: 'a' }], containers: [] } });
    assert.equal((pod['status'] as { conditions: JsonObject[] }).conditions[0]?.['reason'], 'SchedulingGated');
  });
});

describe('QoS class of a pod', () => {
  const classes: [name: string, resources: JsonObject[], expected: string][] = [
    ['no requests', [{}, {}], 'BestEffort'],
    ['requests of zero', [{ requests: { cpu: '0' } }], 'BestEffort'],
    ['requests of other resources', [{ requests: { 'ephemeral-storage': '1Gi' } }], 'BestEffort'],
    ['one request', [{ requests: { cpu: '1' } }, {}], 'Burstable'],
    [
      'limits beyond requests',
      [{ requests: { cpu: '1', memory: '1' }, limits: { cpu: '2', memory: '1' } }],
      'Burstable',
    ],
    [
      'limits equal to requests, however written',
      [{ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1000m', memory: '1024Mi' } }],
      'Guaranteed',
    ],
    [
      'one container without limits',
      [{ requests: { cpu: '1', memory: '1' }, limits: { cpu: '1', memory: '1' } }, {}],
      'Burstable',
    ],
  ];
  for (const [name, resources, expected] of classes) {
    test(`QoS class of a pod with ${name} is ${expected}`, () => {
      const containers = resources.map((each, index) => ({ name: `c${index}`, resources: each }));
      const status = created('', 'pods', { spec: { containers } })['status'] as JsonObject;
      assert.equal(status['qosClass'], expected);
    });
  }
});
