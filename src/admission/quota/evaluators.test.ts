import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { createCatalog } from '../../resources/catalog.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { amountsObject } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';

function evaluator(resource: string, group = ''): Evaluator {
  const found = evaluatorOf({ group, resource } as ResourceDefinition);
  assert.ok(found !== undefined);
  return found;
}

const object = (spec: JsonObject, more: Partial<ApiObject> = {}): ApiObject => ({ metadata: {}, spec, ...more });

describe('the usage of quotas by an object', () => {
  const pod = {
    containers: [
      {
        name: 'a',
        resources: { requests: { cpu: '1', 'a.b/gpu': '2', 'hugepages-2Mi': '4Mi' }, limits: { cpu: '2' } },
      },
    ],
  };
  const cases: readonly [string, string, ApiObject, JsonObject][] = [
    [
      'is that of the containers of a pod',
      'pods',
      object(pod),
      {
        pods: '1',
        'count/pods': '1',
        cpu: '1',
        'requests.cpu': '1',
        'limits.cpu': '2',
        'requests.a.b/gpu': '2',
        'hugepages-2Mi': '4Mi',
        'requests.hugepages-2Mi': '4Mi',
      },
    ],
    [
      'is only the count for a pod that has ended',
      'pods',
      object(pod, { status: { phase: 'Failed' } }),
      { 'count/pods': '1' },
    ],
    [
      'includes the node ports of a Service',
      'services',
      object({ type: 'NodePort', ports: [{}, {}] }),
      { services: '1', 'count/services': '1', 'services.nodeports': '2', 'services.loadbalancers': '0' },
    ],
    [
      'is the maximum of the alternatives of a ResourceClaim',
      'resourceclaims.resource.k8s.io',
      object({
        devices: {
          requests: [
            { name: 'a', exactly: { deviceClassName: 'gold', allocationMode: 'ExactCount', count: 2 } },
            { name: 'b', exactly: { deviceClassName: 'tin', allocationMode: 'All' } },
            {
              name: 'c',
              firstAvailable: [
                { name: 'x', deviceClassName: 'gold', allocationMode: 'ExactCount', count: 3 },
                { name: 'y', deviceClassName: 'gold', allocationMode: 'ExactCount', count: 1 },
              ],
            },
          ],
        },
      }),
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'gold.deviceclass.resource.k8s.io/devices': '5',
        'tin.deviceclass.resource.k8s.io/devices': '32',
      },
    ],
    [
      'includes requested node ports of a Service that allocates none',
      'services',
      object({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{}, { nodePort: 30000 }] }),
      { services: '1', 'count/services': '1', 'services.nodeports': '1', 'services.loadbalancers': '1' },
    ],
    [
      'includes the storage and the class of a claim',
      'persistentvolumeclaims',
      object({ storageClassName: 'fast', resources: { requests: { storage: '1500m' } } }),
      {
        persistentvolumeclaims: '1',
        'count/persistentvolumeclaims': '1',
        'requests.storage': '2',
        'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        'fast.storageclass.storage.k8s.io/requests.storage': '2',
      },
    ],
    ['is the count of Secrets', 'secrets', object({}), { secrets: '1', 'count/secrets': '1' }],
    ['is the count of any other resource', 'endpoints', object({}), { 'count/endpoints': '1' }],
  ];
  for (const [title, resource, given, expected] of cases) {
    it(`the usage of quotas by an object ${title}`, () => {
      const [name = '', ...group] = resource.split('.');
      const { usage, counts } = evaluator(name, group.join('.'));
      const used = usage(given);
      assert.deepEqual(amountsObject(used), expected);
      for (const amount of used.keys()) assert.ok(counts(amount), amount);
      assert.ok(!counts('count/others'));
    });
  }

  it('a quota counts objects of other groups as count/RESOURCE.GROUP, and events not at all', () => {
    assert.ok(evaluator('widgets', 'example.com').counts('count/widgets.example.com'));
    const catalog = createCatalog();
    for (const group of ['', 'events.k8s.io']) {
      assert.equal(evaluatorOf(catalog.find(group, 'events') as ResourceDefinition), undefined);
    }
  });
});

describe('the compute resources that a quota requires of a pod', () => {
  const { complaint } = evaluator('pods');
  const containers = [{ name: 'b' }, { name: 'a', resources: { limits: { memory: '1Gi' } } }];
  const cases: readonly [string, string[], string, JsonObject?][] = [
    ['exclude resources without a limit', ['pods', 'requests.ephemeral-storage'], ''],
    ['include limits of each container', ['limits.memory'], 'must specify limits.memory for: b'],
    [
      'are reported for all resources and containers',
      ['requests.cpu', 'limits.memory'],
      'must specify limits.memory for: b; requests.cpu for: a,b',
    ],
    ['are satisfied by pod-level limits', ['limits.memory'], '', { resources: { limits: { memory: '1Gi' } } }],
    [
      'are not checked in containers if the pod has any pod-level resources',
      ['limits.memory', 'requests.cpu'],
      '',
      { resources: { requests: { cpu: '0' } } },
    ],
    [
      'are checked in containers if pod-level resources are empty',
      ['limits.memory'],
      'must specify limits.memory for: b',
      { resources: {} },
    ],
  ];
  for (const [title, limited, expected, more] of cases) {
    it(`the compute resources that a quota requires of a pod ${title}`, () =>
      assert.equal(complaint(object({ containers, ...more }), limited), expected));
  }
});

describe('scopes of a ResourceQuota', () => {
  const within = (resource: string, spec: JsonObject, scope: string, operator = 'Exists', values: string[] = []) =>
    evaluator(resource).isWithin(object(spec), { scope, operator, values });

  it('scopes of a ResourceQuota select pods by activeDeadlineSeconds and QoS class', () => {
    const quick = { activeDeadlineSeconds: 0, containers: [{ resources: { requests: { cpu: '1' } } }] };
    const plain = { containers: [{}] };
    for (const scope of ['Terminating', 'NotBestEffort']) {
      assert.deepEqual([within('pods', quick, scope), within('pods', plain, scope)], [true, false], scope);
    }
    for (const scope of ['NotTerminating', 'BestEffort']) {
      assert.deepEqual([within('pods', quick, scope), within('pods', plain, scope)], [false, true], scope);
    }
  });

  it('scopes of a ResourceQuota select pods by PriorityClass', () => {
    const high = { priorityClassName: 'high' };
    const answers = (spec: JsonObject) => [
      within('pods', spec, 'PriorityClass'),
      within('pods', spec, 'PriorityClass', 'DoesNotExist'),
      within('pods', spec, 'PriorityClass', 'In', ['high', 'low']),
      within('pods', spec, 'PriorityClass', 'NotIn', ['high']),
    ];
    assert.deepEqual(answers(high), [true, false, true, false]);
    assert.deepEqual(answers({}), [false, true, false, true]);
  });

  it('scopes of a ResourceQuota select pods with affinity to other namespaces', () => {
    const term = { podAffinityTerm: { topologyKey: 'a', namespaceSelector: {} } };
    const spec = { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term] } } };
    assert.ok(within('pods', spec, 'CrossNamespacePodAffinity'));
    assert.ok(!within('pods', { affinity: { podAffinity: {} } }, 'CrossNamespacePodAffinity'));
  });

  it('scopes of a ResourceQuota select claims by VolumeAttributesClass, and no other objects', () => {
    const claim = { volumeAttributesClassName: 'gold' };
    assert.ok(within('persistentvolumeclaims', claim, 'VolumeAttributesClass', 'In', ['gold']));
    assert.ok(!within('persistentvolumeclaims', {}, 'VolumeAttributesClass'));
    assert.ok(!within('persistentvolumeclaims', claim, 'BestEffort'));
    assert.ok(!within('secrets', {}, 'NotBestEffort'));
  });
});
