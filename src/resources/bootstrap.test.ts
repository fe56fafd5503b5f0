import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { bootstrapObjects } from './bootstrap.ts';
import { createCatalog } from './catalog.ts';

/** Those of the gates that roles depend on which are on by default. */
const DEFAULT_GATES = [
  'APIServerIdentity',
  'DynamicResourceAllocation',
  'KubeletFineGrainedAuthz',
  'KubeletServiceAccountTokenForCredentialProviders',
  'MultiCIDRServiceAllocator',
  'SELinuxChangePolicy',
  'StatefulSetAutoDeletePVC',
  'VolumeAttributesClass',
];

function objects(gates: readonly string[] = DEFAULT_GATES): ApiObject[] {
  let count = 0;
  const all = bootstrapObjects({
    fairness: true,
    nodePort: 0,
    gateEnabled: (gate) => gates.includes(gate),
    catalog: createCatalog(),
    clock: new ManualClock(),
    random: { uuid: () => `uid-${++count}`, below: () => 0 },
    serviceAddress: '10.0.0.1',
    port: 6443,
  });
  return all.map(({ make }) => make());
}

function find(kind: string, name: string) {
  return objects().find((object) => object.kind === kind && object.metadata.name === name);
}

test('a new server has the default objects of each kind, all with different names', () => {
  const all = objects();
  const counts = Object.fromEntries([...Map.groupBy(all, (object) => object.kind)].map(([k, v]) => [k, v.length]));
  assert.deepEqual(counts, {
    Namespace: 4,
    PriorityClass: 2,
    PriorityLevelConfiguration: 8,
    FlowSchema: 11,
    ClusterRole: 68,
    ClusterRoleBinding: 49,
    Role: 7,
    RoleBinding: 7,
    APIService: 21,
    Service: 1,
  });
  const names = all.map((object) => `${object.kind} ${object.metadata.namespace} ${object.metadata.name}`);
  assert.equal(new Set(names).size, all.length);
  assert.equal(new Set(all.map((object) => object.metadata.uid)).size, all.length);
});

test('the APIService of a built-in group is local and available', () => {
  assert.deepEqual(find('APIService', 'v2.autoscaling'), {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: {
      name: 'v2.autoscaling',
      labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
      uid: find('APIService', 'v2.autoscaling')?.metadata.uid,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { group: 'autoscaling', version: 'v2', groupPriorityMinimum: 17500, versionPriority: 30 },
    status: {
      conditions: [
        {
          type: 'Available',
          status: 'True',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          reason: 'Local',
          message: 'Local APIServices are always available',
        },
      ],
    },
  });
  assert.equal(find('APIService', 'v1.apiregistration.k8s.io'), undefined);
});

test('an aggregated ClusterRole holds the rules of its parts without repetition', () => {
  const rules = (name: string) => {
    const found = find('ClusterRole', name)?.['rules'];
    assert.ok(Array.isArray(found));
    return found.map((rule) => JSON.stringify(rule));
  };
  assert.deepEqual([rules('view').length, rules('edit').length, rules('admin').length], [11, 25, 27]);
  for (const rule of rules('view')) assert.ok(rules('edit').includes(rule) && rules('admin').includes(rule));
  assert.equal(new Set(rules('admin')).size, 27);
});

test('the role of a controller is bound to the service account of the same name', () => {
  assert.deepEqual(find('ClusterRoleBinding', 'system:controller:job-controller')?.['subjects'], [
    { kind: 'ServiceAccount', name: 'job-controller', namespace: 'kube-system' },
  ]);
  assert.equal(find('ClusterRoleBinding', 'system:node')?.['subjects'], undefined);
});

test('default objects of kinds with a generation start at generation 1', () => {
  assert.equal(find('FlowSchema', 'exempt')?.metadata.generation, 1);
  assert.equal(find('ClusterRole', 'view')?.metadata.generation, undefined);
});
