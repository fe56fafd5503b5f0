import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaulted, defaultsTable } from '../../../test/contract/defaults.ts';
import { builtinResources } from './resources.ts';

describe('defaults of every kind', () => {
  for (const definition of builtinResources) {
    if (definition.strategy.defaults === undefined) continue;
    it(`defaults of every kind fill in an empty object of ${definition.resource}.${definition.group} as Kubernetes does`, () => {
      assert.ok(defaulted(definition, { metadata: {} }));
    });
  }
});

const CONTAINER = { name: 'web', image: 'nginx:1.27' };
const FULL_CONTAINER = {
  ...CONTAINER,
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const FULL_POD = {
  containers: [FULL_CONTAINER],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const LABELS = { labels: { app: 'web' } };
const TEMPLATE = { metadata: LABELS, spec: { containers: [CONTAINER] } };
const FULL_TEMPLATE = { metadata: LABELS, spec: FULL_POD };
const SELECTOR = { matchLabels: { app: 'web' } };

defaultsTable('podtemplates', [
  { when: 'a template', given: { template: TEMPLATE }, stored: { template: FULL_TEMPLATE } },
]);

defaultsTable('replicationcontrollers', [
  {
    when: 'labels and selector come from the template',
    given: { spec: { template: TEMPLATE } },
    stored: {
      spec: { replicas: 1, selector: { app: 'web' }, template: FULL_TEMPLATE },
      'metadata.labels': { app: 'web' },
    },
    only: ['spec', 'metadata.labels'],
  },
  {
    when: 'they stay where they are said',
    given: { metadata: { labels: { a: 'b' } }, spec: { replicas: 0, selector: { x: 'y' }, template: TEMPLATE } },
    stored: { spec: { replicas: 0, selector: { x: 'y' }, template: FULL_TEMPLATE }, 'metadata.labels': { a: 'b' } },
    only: ['spec', 'metadata.labels'],
  },
]);

defaultsTable('deployments.apps', [
  {
    when: 'rolled by default',
    given: { spec: { selector: SELECTOR, template: TEMPLATE } },
    stored: {
      spec: {
        replicas: 1,
        selector: SELECTOR,
        template: FULL_TEMPLATE,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    },
  },
  {
    when: 'recreated',
    given: { spec: { selector: SELECTOR, template: TEMPLATE, strategy: { type: 'Recreate' } } },
    stored: { 'spec.strategy': { type: 'Recreate' } },
    only: ['spec.strategy'],
  },
  {
    when: 'half of the pace is said',
    given: { spec: { selector: SELECTOR, template: TEMPLATE, strategy: { rollingUpdate: { maxSurge: 0 } } } },
    stored: { 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' } } },
    only: ['spec.strategy'],
  },
]);

defaultsTable('daemonsets.apps', [
  {
    when: 'one node at a time',
    given: { spec: { selector: SELECTOR, template: TEMPLATE } },
    stored: {
      spec: {
        selector: SELECTOR,
        template: FULL_TEMPLATE,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      },
    },
  },
  {
    when: 'replaced by hand',
    given: { spec: { selector: SELECTOR, template: TEMPLATE, updateStrategy: { type: 'OnDelete' } } },
    stored: { 'spec.updateStrategy': { type: 'OnDelete' } },
    only: ['spec.updateStrategy'],
  },
]);

defaultsTable('replicasets.apps', [
  {
    when: 'one pod',
    given: { spec: { selector: SELECTOR, template: TEMPLATE } },
    stored: { spec: { replicas: 1, selector: SELECTOR, template: FULL_TEMPLATE } },
  },
]);

const CLAIM = { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } };

defaultsTable('statefulsets.apps', [
  {
    when: 'in order, claims kept',
    given: { spec: { serviceName: 'db', selector: SELECTOR, template: TEMPLATE, volumeClaimTemplates: [CLAIM] } },
    stored: {
      spec: {
        replicas: 1,
        selector: SELECTOR,
        template: FULL_TEMPLATE,
        volumeClaimTemplates: [
          {
            kind: 'PersistentVolumeClaim',
            apiVersion: 'v1',
            metadata: { name: 'data' },
            spec: { ...CLAIM.spec, volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
        serviceName: 'db',
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        revisionHistoryLimit: 10,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
    },
  },
  {
    when: 'a pace behind its gate',
    given: { spec: { selector: SELECTOR, template: TEMPLATE } },
    stored: { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 1 } } },
    only: ['spec.updateStrategy'],
    gates: ['MaxUnavailableStatefulSet'],
  },
]);

const JOB = {
  parallelism: 1,
  completions: 1,
  backoffLimit: 6,
  completionMode: 'NonIndexed',
  suspend: false,
  manualSelector: false,
  podReplacementPolicy: 'TerminatingOrFailed',
  template: FULL_TEMPLATE,
};

defaultsTable('jobs.batch', [
  { when: 'once', gates: ['JobPodReplacementPolicy'], given: { spec: { template: TEMPLATE } }, stored: { spec: JOB } },
  {
    when: 'parallel without an end',
    gates: ['JobPodReplacementPolicy'],
    given: { spec: { parallelism: 3, template: TEMPLATE } },
    stored: { 'spec.parallelism': 3, 'spec.completions': undefined },
    only: ['spec.parallelism', 'spec.completions'],
  },
  {
    when: 'several times, one after the other',
    gates: ['JobPodReplacementPolicy'],
    given: { spec: { completions: 5, template: TEMPLATE } },
    stored: { 'spec.parallelism': 1, 'spec.completions': 5 },
    only: ['spec.parallelism', 'spec.completions'],
  },
  {
    when: 'failures counted for each index',
    gates: ['JobPodReplacementPolicy', 'JobBackoffLimitPerIndex'],
    given: { spec: { completions: 5, backoffLimitPerIndex: 1, template: TEMPLATE } },
    stored: { 'spec.backoffLimit': 2_147_483_647 },
    only: ['spec.backoffLimit'],
  },
  {
    when: 'a policy of failures',
    gates: ['JobPodReplacementPolicy'],
    given: {
      spec: {
        template: TEMPLATE,
        podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
      },
    },
    stored: {
      'spec.podReplacementPolicy': 'Failed',
      'spec.podFailurePolicy.rules': [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    only: ['spec.podReplacementPolicy', 'spec.podFailurePolicy.rules'],
  },
]);

defaultsTable('cronjobs.batch', [
  {
    when: 'the job in it stays as it is but for its pods',
    given: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: TEMPLATE } } } },
    stored: {
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: 'Allow',
        suspend: false,
        jobTemplate: { metadata: {}, spec: { template: FULL_TEMPLATE } },
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    },
  },
]);

const TARGET = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 3 };
const CPU = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

defaultsTable('horizontalpodautoscalers.autoscaling', [
  {
    when: 'by the CPU',
    given: { spec: TARGET },
    stored: { spec: { ...TARGET, minReplicas: 1, metrics: [CPU] } },
  },
  {
    when: 'rules that are said in part',
    given: { spec: { ...TARGET, metrics: [CPU], behavior: { scaleUp: { selectPolicy: 'Min' } } } },
    stored: {
      'spec.behavior': {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Min',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 15 },
            { type: 'Percent', value: 100, periodSeconds: 15 },
          ],
        },
        scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    },
    only: ['spec.behavior'],
  },
]);
