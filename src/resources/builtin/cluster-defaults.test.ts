import { defaultsTable } from '../../../test/contract/defaults.ts';

defaultsTable('networkpolicies.networking.k8s.io', [
  {
    when: 'a selector alone',
    given: { spec: { podSelector: {} } },
    stored: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  },
  {
    when: 'rules of egress',
    given: { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } },
    stored: {
      spec: {
        podSelector: {},
        egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    },
  },
]);

defaultsTable('ingressclasses.networking.k8s.io', [
  {
    when: 'parameters',
    given: { spec: { parameters: { kind: 'K', name: 'n' } } },
    stored: { spec: { parameters: { kind: 'K', name: 'n', scope: 'Cluster' } } },
  },
]);

defaultsTable('endpointslices.discovery.k8s.io', [
  {
    when: 'a port without a name',
    given: { addressType: 'IPv4', endpoints: null, ports: [{ port: 80 }] },
    stored: { addressType: 'IPv4', endpoints: null, ports: [{ port: 80, name: '', protocol: 'TCP' }] },
  },
]);

const RBAC = 'rbac.authorization.k8s.io';

defaultsTable('rolebindings.rbac.authorization.k8s.io', [
  {
    when: 'no groups',
    given: {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'dev' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'n' },
      ],
    },
    stored: {
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'r' },
      subjects: [
        { apiGroup: RBAC, kind: 'User', name: 'jane' },
        { apiGroup: RBAC, kind: 'Group', name: 'dev' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'n' },
      ],
    },
  },
]);

defaultsTable('storageclasses.storage.k8s.io', [
  {
    when: 'a provisioner alone',
    given: { provisioner: 'disk.example.com' },
    stored: { provisioner: 'disk.example.com', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  },
]);

const DRIVER = {
  attachRequired: true,
  podInfoOnMount: false,
  volumeLifecycleModes: ['Persistent'],
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
};

defaultsTable('csidrivers.storage.k8s.io', [
  { when: 'nothing said', given: { spec: {} }, stored: { spec: DRIVER } },
  {
    when: 'a field behind its gate',
    given: { spec: { storageCapacity: true } },
    stored: { spec: { ...DRIVER, storageCapacity: true, seLinuxMount: false } },
    gates: ['SELinuxMountReadWriteOncePod'],
  },
]);

defaultsTable('volumeattachments.storage.k8s.io', [
  {
    when: 'a volume written into it',
    given: { spec: { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec: { hostPath: { path: '/x' } } } } },
    stored: { 'spec.source': { inlineVolumeSpec: { hostPath: { path: '/x', type: '' } } } },
    only: ['spec.source'],
  },
]);

defaultsTable('priorityclasses.scheduling.k8s.io', [
  { when: 'a value', given: { value: 1 }, stored: { value: 1, preemptionPolicy: 'PreemptLowerPriority' } },
]);

defaultsTable('flowschemas.flowcontrol.apiserver.k8s.io', [
  {
    when: 'a level',
    given: { spec: { priorityLevelConfiguration: { name: 'l' } } },
    stored: { spec: { priorityLevelConfiguration: { name: 'l' }, matchingPrecedence: 1000 } },
  },
]);

defaultsTable('prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', [
  {
    when: 'queues of which nothing is said',
    given: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
    stored: {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 30,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
          lendablePercent: 0,
        },
      },
    },
  },
  {
    when: 'no shares at all are not none said',
    given: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
    stored: {
      'spec.limited': { nominalConcurrencyShares: 0, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
    only: ['spec.limited'],
  },
  {
    when: 'exempt',
    given: { spec: { type: 'Exempt', exempt: {} } },
    stored: { spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } },
  },
]);

defaultsTable('apiservices.apiregistration.k8s.io', [
  {
    when: 'a service without a port',
    given: { spec: { service: { namespace: 'n', name: 's' }, groupPriorityMinimum: 1, versionPriority: 1 } },
    stored: { 'spec.service': { namespace: 'n', name: 's', port: 443 } },
    only: ['spec.service'],
  },
]);

defaultsTable('customresourcedefinitions.apiextensions.k8s.io', [
  {
    when: 'names from the kind',
    given: { spec: { group: 'example.com', names: { plural: 'widgets', kind: 'Widget' } } },
    stored: {
      'spec.names': { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      'spec.conversion': { strategy: 'None' },
    },
    only: ['spec.names', 'spec.conversion'],
  },
  {
    when: 'a service that converts',
    given: {
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service: { namespace: 'n', name: 's' } }, conversionReviewVersions: ['v1'] },
        },
      },
    },
    stored: { 'spec.conversion.webhook.clientConfig': { service: { namespace: 'n', name: 's', port: 443 } } },
    only: ['spec.conversion.webhook.clientConfig'],
  },
]);

const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const EVERYTHING = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const HOOK = {
  name: 'h.example.com',
  clientConfig: { service: { namespace: 'n', name: 's' } },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const FULL_HOOK = {
  ...HOOK,
  ...EVERYTHING,
  clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
  rules: [{ ...RULE, scope: '*' }],
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
};

defaultsTable('validatingwebhookconfigurations.admissionregistration.k8s.io', [
  { when: 'a small hook', given: { webhooks: [HOOK] }, stored: { webhooks: [FULL_HOOK] } },
]);

defaultsTable('mutatingwebhookconfigurations.admissionregistration.k8s.io', [
  {
    when: 'a small hook',
    given: { webhooks: [HOOK] },
    stored: { webhooks: [{ ...FULL_HOOK, reinvocationPolicy: 'Never' }] },
  },
]);

defaultsTable('validatingadmissionpolicies.admissionregistration.k8s.io', [
  {
    when: 'a small policy',
    given: { spec: { matchConstraints: { resourceRules: [RULE], excludeResourceRules: [RULE] } } },
    stored: {
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          ...EVERYTHING,
          resourceRules: [{ ...RULE, scope: '*' }],
          excludeResourceRules: [{ ...RULE, scope: '*' }],
        },
      },
    },
  },
]);

defaultsTable('validatingadmissionpolicybindings.admissionregistration.k8s.io', [
  {
    when: 'without resources of its own',
    given: { spec: { policyName: 'p', validationActions: ['Deny'] } },
    stored: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  },
  {
    when: 'with some',
    given: { spec: { policyName: 'p', matchResources: { matchPolicy: 'Exact' } } },
    stored: { spec: { policyName: 'p', matchResources: { ...EVERYTHING, matchPolicy: 'Exact' } } },
  },
]);

defaultsTable('resourceclaims.resource.k8s.io', [
  {
    when: 'devices exactly and by preference',
    given: {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { deviceClassName: 'c', tolerations: [{ key: 'k' }] } },
            { name: 'b', exactly: { deviceClassName: 'c', allocationMode: 'All' } },
            { name: 'd', firstAvailable: [{ name: 'x', deviceClassName: 'c', count: 2 }] },
          ],
        },
      },
    },
    stored: {
      spec: {
        devices: {
          requests: [
            {
              name: 'a',
              exactly: {
                deviceClassName: 'c',
                allocationMode: 'ExactCount',
                count: 1,
                tolerations: [{ key: 'k', operator: 'Equal' }],
              },
            },
            { name: 'b', exactly: { deviceClassName: 'c', allocationMode: 'All' } },
            {
              name: 'd',
              firstAvailable: [{ name: 'x', deviceClassName: 'c', allocationMode: 'ExactCount', count: 2 }],
            },
          ],
        },
      },
    },
    gates: ['DRAPrioritizedList'],
  },
]);

defaultsTable('devicetaintrules.resource.k8s.io', [
  {
    when: 'a taint bears its time',
    given: { spec: { taint: { key: 'k', effect: 'NoSchedule' } } },
    stored: { spec: { taint: { key: 'k', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' } } },
  },
]);
