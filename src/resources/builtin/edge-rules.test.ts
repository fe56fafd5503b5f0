// Rules at the edges, where one kind looks and another does not: each as kube-apiserver decides it.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { builtinResource, strategyContext } from '../../../test/contract/defaults.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { defaultUpdateChecks } from '../definition.ts';

const CONTEXT = strategyContext(['RecoverVolumeExpansionFailure', 'JobManagedBy']);

function object(body: JsonObject): ApiObject {
  return { metadata: { name: 'a' }, ...body } as ApiObject;
}

function created(resource: string, body: JsonObject): string[] {
  const { validate, validateCreate } = builtinResource(resource).strategy;
  const found = [...(validate?.(object(body), CONTEXT) ?? []), ...(validateCreate?.(object(body), CONTEXT) ?? [])];
  return found.map(({ field }) => field);
}

function changed(resource: string, next: JsonObject, previous: JsonObject): string[] {
  const { validate, validateUpdate, checks } = builtinResource(resource).strategy;
  const found = (checks?.update ?? defaultUpdateChecks).flatMap((check) => {
    if (check === 'content') return validate?.(object(next), CONTEXT) ?? [];
    return check === 'change' ? (validateUpdate?.(object(next), object(previous), CONTEXT) ?? []) : [];
  });
  return found.map(({ field }) => field);
}

describe('rarely used rules of built-in kinds', () => {
  // These wait for the compiler of expressions.
  before(async () => {
    for (const kind of ['deviceclasses', 'resourceclaims', 'resourceslices']) {
      await builtinResource(`${kind}.resource.k8s.io`).strategy.load?.();
    }
  });

  it('ServiceCIDR ranges are validated when they change, and existing ones cannot be changed', () => {
    const ranges = (...cidrs: string[]) => ({ spec: { cidrs } });
    const resource = 'servicecidrs.networking.k8s.io';
    assert.deepEqual(created(resource, ranges('x')), ['spec.cidrs[0]']);
    assert.deepEqual(changed(resource, ranges('x'), ranges('10.0.0.0/24')), ['spec.cidrs[0]']);
    assert.deepEqual(changed(resource, ranges('10.0.0.0/24', 'fd00::/64'), ranges('10.0.0.0/24')), []);
    assert.deepEqual(changed(resource, ranges('10.0.0.0/24'), ranges('10.0.0.0/24', 'fd00::/64')), ['spec.cidrs']);
  });

  it('two tolerations of a RuntimeClass that differ in tolerationSeconds are duplicates', () => {
    const scheduling = (...tolerations: JsonObject[]) => ({ handler: 'h', scheduling: { tolerations } });
    const one = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
    const resource = 'runtimeclasses.node.k8s.io';
    assert.deepEqual(created(resource, scheduling(one, { ...one, tolerationSeconds: 30 })), [
      'scheduling.tolerations[1]',
    ]);
    assert.deepEqual(created(resource, scheduling(one, { ...one, key: 'b' })), []);
  });

  it('a label in the node affinity of a PersistentVolume may change only to its stable name', () => {
    const volume = (...keys: string[]) => {
      const matchExpressions = keys.map((key) => ({ key, operator: 'In', values: ['a'] }));
      const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
      const hostPath = { path: '/a' };
      return { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath, nodeAffinity } };
    };
    const [zone, arch] = ['failure-domain.beta.kubernetes.io/zone', 'beta.kubernetes.io/arch'];
    const old = volume(zone, arch);
    const changes = (...keys: string[]) => changed('persistentvolumes', volume(...keys), old);
    assert.deepEqual(changes('topology.kubernetes.io/zone', arch), []);
    assert.deepEqual(changes('topology.kubernetes.io/zone', 'kubernetes.io/arch'), []);
    for (const keys of [
      ['kubernetes.io/arch', arch],
      ['topology.kubernetes.io/region', arch],
      ['topology.kubernetes.io/zone'],
      ['kubernetes.io/arch', 'topology.kubernetes.io/zone'],
    ]) {
      assert.deepEqual(changes(...keys), ['nodeAffinity'], keys.join());
    }
    const back = changed('persistentvolumes', old, volume('topology.kubernetes.io/zone', arch));
    assert.deepEqual(back, ['nodeAffinity']);
    // As if that were the stable name of every other label; it is invalid anyway.
    const key = 'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key';
    assert.deepEqual([...new Set(changed('persistentvolumes', volume('', arch), volume('k', arch)))], [key]);
  });

  it('a PersistentVolume with a second source is rejected, except for a flexVolume', () => {
    const volume = (source: JsonObject) => ({
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' }, ...source },
    });
    assert.deepEqual(created('persistentvolumes', volume({})), []);
    assert.deepEqual(created('persistentvolumes', volume({ cephfs: { monitors: [] } })), ['spec.cephFS']);
    assert.deepEqual(created('persistentvolumes', volume({ local: { path: '/b' } })), ['spec.local']);
    assert.deepEqual(created('persistentvolumes', volume({ flexVolume: {} })), ['spec.flexVolume.driver']);
  });

  it('an inline volume of a VolumeAttachment is a CSI volume without node affinity', () => {
    const attachment = (inlineVolumeSpec: JsonObject) => ({
      spec: { attacher: 'a.example.com', nodeName: 'n', source: { inlineVolumeSpec } },
    });
    const place = 'spec.source.inlineVolumeSpec';
    const csi = { driver: 'a.example.com', volumeHandle: 'v' };
    const modes = { accessModes: ['ReadWriteOnce'] };
    const resource = 'volumeattachments.storage.k8s.io';
    assert.deepEqual(created(resource, attachment({ ...modes, csi })), []);
    assert.deepEqual(created(resource, attachment({ ...modes, csi, volumeMode: 'Filesystem' })), []);
    assert.deepEqual(created(resource, attachment({ ...modes, hostPath: { path: '/a' } })), [`${place}.csi`]);
    assert.deepEqual(created(resource, attachment({ ...modes, csi, nodeAffinity: {}, volumeMode: 'Block' })), [
      `${place}.nodeAffinity`,
      `${place}.volumeMode`,
    ]);
  });

  it('a metric of a HorizontalPodAutoscaler may have any name and any label selector', () => {
    const scaler = (metric: JsonObject) => ({
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 2,
        metrics: [metric],
      },
    });
    const target = { type: 'AverageValue', averageValue: '1' };
    const selector = { matchLabels: { '*': '*' } };
    for (const metric of [
      { type: 'Resource', resource: { name: 'any thing', target } },
      { type: 'Pods', pods: { metric: { name: 'm', selector }, target } },
    ]) {
      assert.deepEqual(created('horizontalpodautoscalers.autoscaling', scaler(metric)), []);
    }
  });

  it('a PersistentVolumeClaim may request less storage while its status has no capacity', () => {
    const claim = (storage: string, status: JsonObject = {}) => ({
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      status: { phase: 'Bound', ...status },
    });
    const got = { capacity: { storage: '2Gi' } };
    assert.deepEqual(changed('persistentvolumeclaims', claim('1Gi'), claim('3Gi')), []);
    assert.deepEqual(changed('persistentvolumeclaims', claim('1Gi', got), claim('3Gi', got)), [
      'spec.resources.requests.storage',
    ]);
  });

  it('an aggregated ClusterRole without selectors is rejected whatever else is invalid', () => {
    const role = { rules: [{ verbs: [] }], aggregationRule: {} };
    const found = created('clusterroles.rbac.authorization.k8s.io', role);
    assert.ok(found.includes('aggregationRule.clusterRoleSelectors') && found.length > 1);
  });

  it('errors that Kubernetes reports twice on update are reported twice, in its order', () => {
    const doubled: readonly (readonly [resource: string, body: JsonObject, fields: string[]])[] = [
      ['persistentvolumes', { spec: { capacity: { storage: '1Gi' }, hostPath: { path: '/a' } } }, ['spec.accessModes']],
      ['nodes', { spec: { taints: [{ key: '!', effect: 'NoExecute' }] } }, ['metadata.taints[0].key']],
      ['deviceclasses.resource.k8s.io', { spec: { config: [{}] } }, ['spec.config[0].opaque']],
      ['deviceclasses.resource.k8s.io', { spec: { extendedResourceName: 'example.com/gpu' } }, []],
      ['deviceclasses.resource.k8s.io', { spec: { extendedResourceName: 'cpu' } }, ['spec.extendedResourceName']],
    ];
    for (const [resource, body, fields] of doubled) {
      assert.deepEqual(created(resource, body), fields);
      assert.deepEqual(changed(resource, body, body), [...fields, ...fields]);
    }
    const claim = (name: string) => ({ spec: { devices: { requests: [{ name }] } } });
    const here = 'spec.devices.requests[0]';
    assert.deepEqual(changed('resourceclaims.resource.k8s.io', claim('a'), claim('b')), [here, 'spec', here]);
    const balanced = (loadBalancerClass?: string) => ({
      spec: { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], sessionAffinity: 'None', loadBalancerClass },
    });
    const found = changed('services', balanced('a') as JsonObject, balanced() as JsonObject);
    assert.equal(found.filter((field) => field === 'spec.loadBalancerClass').length, 2);
  });

  it('a change of an IngressClass is reported before what is invalid in it', () => {
    const ingressClass = (controller: string) => ({ spec: { controller } });
    const found = changed('ingressclasses.networking.k8s.io', ingressClass(''), ingressClass('a.example.com/b'));
    assert.deepEqual(found, ['spec.controller', 'spec.controller']);
  });

  it('an update of a core Event is validated like a create', () => {
    const event = (namespace: string) => ({ metadata: { name: 'a', namespace: 'n' }, involvedObject: { namespace } });
    assert.deepEqual(changed('events', event('m'), event('n')), ['involvedObject.namespace']);
  });

  it('allNodes of a ResourceSlice is true or absent, and an empty nodeName is rejected', () => {
    const slice = (place: JsonObject) => ({
      spec: { driver: 'a.example.com', pool: { name: 'p', resourceSliceCount: 1 }, ...place },
    });
    const resource = 'resourceslices.resource.k8s.io';
    assert.deepEqual(created(resource, slice({ allNodes: true })), []);
    assert.deepEqual(created(resource, slice({ allNodes: false, nodeName: 'n' })), ['spec.allNodes']);
    assert.deepEqual(created(resource, slice({ nodeName: '' })), ['spec.nodeName', 'spec']);
  });

  it('a scope that does not fit a ResourceQuota is reported at its matchExpressions', () => {
    const quota = {
      spec: {
        hard: { memory: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] },
      },
    };
    assert.deepEqual(created('resourcequotas', quota), ['spec.scopeSelector.matchExpressions']);
  });

  it('deprecatedTopology of an EndpointSlice is dropped on create and kept on update', () => {
    const { prepareForCreate, prepareForUpdate } = builtinResource('endpointslices.discovery.k8s.io').strategy;
    const slice = (endpoint: JsonObject) =>
      object({
        endpoints: [{ addresses: ['192.0.2.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'n1' }, ...endpoint }],
      });
    const fresh = slice({});
    prepareForCreate?.(fresh, CONTEXT);
    assert.deepEqual(fresh['endpoints'], [{ addresses: ['192.0.2.1'] }]);
    const same = slice({});
    prepareForUpdate?.(same, slice({}), CONTEXT);
    assert.deepEqual(same, slice({}));
    const moved = slice({ zone: 'z' });
    prepareForUpdate?.(moved, slice({}), CONTEXT);
    assert.deepEqual(moved['endpoints'], [{ addresses: ['192.0.2.1'], zone: 'z', nodeName: 'n1' }]);
  });

  it('a ServiceAccount keeps only the names of its secrets', () => {
    const { prepareForCreate } = builtinResource('serviceaccounts').strategy;
    const account = object({ secrets: [{ kind: 'Secret', name: 's', namespace: 'n' }] });
    prepareForCreate?.(account, CONTEXT);
    assert.deepEqual(account['secrets'], [{ name: 's' }]);
  });

  it('an Ingress with the class annotation and ingressClassName causes no warning', () => {
    const { warnings } = builtinResource('ingresses.networking.k8s.io').strategy;
    const annotations = { 'kubernetes.io/ingress.class': 'x' };
    const ingress = (spec: JsonObject) => object({ metadata: { name: 'a', annotations }, spec });
    assert.equal(warnings?.(ingress({}), undefined, CONTEXT).length, 1);
    assert.deepEqual(warnings?.(ingress({ ingressClassName: 'x' }), undefined, CONTEXT), []);
  });

  it('resourceClaimStatuses of a pod must name its claims, and container users must be valid', () => {
    const rules = builtinResource('pods').strategy.subresources?.['status'];
    const pod = object({
      spec: { resourceClaims: [{ name: 'gpu' }] },
      status: {
        resourceClaimStatuses: [{ name: 'gpu' }, { name: 'other' }, { name: 'gpu', resourceClaimName: 'A' }],
        containerStatuses: [{ user: { linux: { uid: -1, gid: 0, supplementalGroups: [-1] } } }],
        observedGeneration: -1,
      },
    });
    const found = rules?.validateUpdate?.(pod, object({ status: {} }), CONTEXT) ?? [];
    assert.deepEqual(
      found.map(({ field }) => field),
      [
        'status.observedGeneration',
        'status.resourceClaimStatuses[1].name',
        'status.resourceClaimStatuses[2].name',
        'status.resourceClaimStatuses[2].name',
        'status.containerStatuses[0].user.linux.uid',
        'status.containerStatuses[0].user.linux.supplementalGroups[0]',
      ],
    );
  });

  it('failedIndexes of a Job without backoffLimitPerIndex are rejected even if they cannot be parsed', () => {
    const rules = builtinResource('jobs.batch').strategy.subresources?.['status'];
    const job = object({ spec: { completions: 2, completionMode: 'Indexed' }, status: { failedIndexes: 'x' } });
    const found = rules?.validateUpdate?.(job, object({ spec: job['spec'] as JsonObject, status: {} }), CONTEXT) ?? [];
    assert.deepEqual(
      found.map(({ detail }) => detail),
      ['cannot set non-null failedIndexes when backoffLimitPerIndex is null'],
    );
  });
});
