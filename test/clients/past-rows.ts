// Objects in API versions that were removed, one row for each, as programs of their time wrote them.

import type { ApiObject, JsonObject } from '../../src/api/object.ts';

export interface PastRow {
  /** The versions of client-go that use it. */
  readonly clients: readonly string[];
  readonly resource: string;
  /** None for cluster-scoped resources. */
  readonly namespace?: string;
  readonly object: ApiObject;
  /** Fields set by defaulting. */
  readonly defaulted: JsonObject;
  /** A merge patch. */
  readonly patch: JsonObject;
  /** The applied configuration; the object's name is added. */
  readonly apply: JsonObject;
}

const FLOW = 'flowcontrol.apiserver.k8s.io';
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const container = { name: 'main', image: 'example.com/job:1' };

const cronJob: PastRow = {
  clients: ['v0.21'],
  resource: 'cronjobs',
  namespace: 'default',
  object: {
    apiVersion: 'batch/v1beta1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: {
      schedule: '0 4 * * *',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [container] } } } },
    },
  },
  defaulted: { spec: { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } },
  patch: { spec: { suspend: true } },
  apply: { spec: { schedule: '0 5 * * *' } },
};

const autoscalerV2beta1: PastRow = {
  clients: ['v0.21'],
  resource: 'horizontalpodautoscalers',
  namespace: 'default',
  object: {
    apiVersion: 'autoscaling/v2beta1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'flat' },
    spec: {
      scaleTargetRef: target,
      maxReplicas: 9,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
        { type: 'Pods', pods: { metricName: 'requests', targetAverageValue: '20' } },
        { type: 'Object', object: { target, metricName: 'queue', targetValue: '30' } },
        { type: 'External', external: { metricName: 'orders', targetAverageValue: '5' } },
      ],
    },
  },
  defaulted: { spec: { minReplicas: 1 } },
  patch: { spec: { maxReplicas: 12 } },
  apply: { spec: { scaleTargetRef: target, maxReplicas: 15 } },
};

const autoscalerV2beta2: PastRow = {
  clients: ['v0.21', 'v0.25'],
  resource: 'horizontalpodautoscalers',
  namespace: 'default',
  object: {
    apiVersion: 'autoscaling/v2beta2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'nested' },
    spec: {
      scaleTargetRef: target,
      maxReplicas: 9,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
  },
  defaulted: { spec: { minReplicas: 1, behavior: { scaleDown: { selectPolicy: 'Max' } } } },
  patch: { spec: { maxReplicas: 12 } },
  apply: { spec: { scaleTargetRef: target, maxReplicas: 15 } },
};

const endpointSlice: PastRow = {
  clients: ['v0.21'],
  resource: 'endpointslices',
  namespace: 'default',
  object: {
    apiVersion: 'discovery.k8s.io/v1beta1',
    kind: 'EndpointSlice',
    metadata: { name: 'web' },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.1.2.3'],
        conditions: { ready: true },
        topology: { 'topology.kubernetes.io/zone': 'a', 'example.com/rack': '7' },
      },
    ],
    ports: [{ port: 80 }],
  },
  defaulted: { ports: [{ name: '', protocol: 'TCP' }] },
  patch: { ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] },
  apply: { addressType: 'IPv4', ports: [{ name: 'https', port: 8443, protocol: 'TCP' }] },
};

const event: PastRow = {
  clients: ['v0.21'],
  resource: 'events',
  namespace: 'default',
  object: {
    apiVersion: 'events.k8s.io/v1beta1',
    kind: 'Event',
    metadata: { name: 'web.1' },
    eventTime: '2021-06-01T12:00:00.000000Z',
    regarding: { kind: 'Pod', name: 'web', namespace: 'default' },
    ...{ action: 'Binding', reason: 'Scheduled', note: 'the pod was bound', type: 'Normal' },
    ...{ reportingController: 'example.com/scheduler', reportingInstance: 'one' },
    deprecatedCount: 3,
  },
  defaulted: {},
  patch: { note: 'the pod was bound again' },
  apply: { series: { count: 2, lastObservedTime: '2021-06-01T12:05:00.000000Z' } },
};

const disruptionBudget: PastRow = {
  clients: ['v0.21'],
  resource: 'poddisruptionbudgets',
  namespace: 'default',
  object: {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: {} },
  },
  defaulted: {},
  patch: { spec: { minAvailable: 2 } },
  apply: { spec: { minAvailable: '50%' } },
};

const runtimeClass: PastRow = {
  clients: ['v0.21'],
  resource: 'runtimeclasses',
  object: {
    apiVersion: 'node.k8s.io/v1beta1',
    kind: 'RuntimeClass',
    metadata: { name: 'sandboxed' },
    handler: 'runsc',
    overhead: { podFixed: { memory: '64Mi' } },
    scheduling: { nodeSelector: { sandbox: 'yes' } },
  },
  defaulted: {},
  patch: { overhead: { podFixed: { memory: '128Mi' } } },
  apply: { handler: 'runsc', overhead: { podFixed: { cpu: '100m' } } },
};

const storageCapacity: PastRow = {
  clients: ['v0.21', 'v0.25'],
  resource: 'csistoragecapacities',
  namespace: 'default',
  object: {
    apiVersion: 'storage.k8s.io/v1beta1',
    kind: 'CSIStorageCapacity',
    metadata: { name: 'fast-a' },
    storageClassName: 'fast',
    nodeTopology: { matchLabels: { zone: 'a' } },
    capacity: '100Gi',
  },
  defaulted: {},
  patch: { capacity: '90Gi' },
  apply: { storageClassName: 'fast', maximumVolumeSize: '10Gi' },
};

/** Priority levels name their shares in one of two ways. */
function flowControl(version: string, clients: readonly string[], shares: string): PastRow[] {
  const apiVersion = `${FLOW}/${version}`;
  const subject = { kind: 'Group', group: { name: 'system:authenticated' } };
  const rule = { verbs: ['list'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
  const schema: PastRow = {
    ...{ clients, resource: 'flowschemas' },
    object: {
      ...{ apiVersion, kind: 'FlowSchema', metadata: { name: 'listers' } },
      spec: { priorityLevelConfiguration: { name: 'slow' }, rules: [{ subjects: [subject], resourceRules: [rule] }] },
    },
    defaulted: { spec: { matchingPrecedence: 1000 } },
    patch: { spec: { matchingPrecedence: 800 } },
    apply: { spec: { priorityLevelConfiguration: { name: 'slow' }, distinguisherMethod: { type: 'ByUser' } } },
  };
  const limited = (more: JsonObject) => ({ spec: { type: 'Limited', limited: more } });
  const level: PastRow = {
    ...{ clients, resource: 'prioritylevelconfigurations' },
    object: {
      ...{ apiVersion, kind: 'PriorityLevelConfiguration', metadata: { name: 'slow' } },
      ...limited({ limitResponse: { type: 'Queue', queuing: { queues: 8 } } }),
    },
    defaulted: limited({ [shares]: 30, limitResponse: { queuing: { handSize: 8, queueLengthLimit: 50 } } }),
    patch: limited({ [shares]: 7 }),
    apply: limited({ [shares]: 9, limitResponse: { type: 'Queue' } }),
  };
  return [schema, level];
}

export const pastRows: readonly PastRow[] = [
  ...[cronJob, autoscalerV2beta1, autoscalerV2beta2, endpointSlice, event, disruptionBudget],
  ...[runtimeClass, storageCapacity],
  ...flowControl('v1beta1', ['v0.21', 'v0.25'], 'assuredConcurrencyShares'),
  ...flowControl('v1beta2', ['v0.25', 'v0.26'], 'assuredConcurrencyShares'),
  ...flowControl('v1beta3', ['v0.26'], 'nominalConcurrencyShares'),
];
