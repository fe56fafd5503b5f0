// The rules of core kinds, a table a kind.

import { kind } from '../rule-table.test.ts';

kind(
  'configmaps',
  { immutable: true, data: { a: 'b' } },
  [],
  [
    ['data.a', 'c', 'data: Forbidden: field is immutable when `immutable` is set'],
    ['immutable', false, 'immutable: Forbidden'],
  ],
);
kind(
  'secrets',
  { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
  [
    ['data', {}, 'data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ['type', 'kubernetes.io/basic-auth', 'data[username]: Required value', 'data[password]: Required value'],
    [
      'type',
      'kubernetes.io/service-account-token',
      'metadata.annotations[kubernetes.io/service-account.name]: Required',
    ],
    ['type', 'example.com/other'],
  ],
  [['type', 'Opaque', 'type: Invalid value: "Opaque": field is immutable']],
);
kind('secrets', { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': 'eA==' } }, [
  ['data', { 'ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value'],
  ['data', undefined, 'data[ssh-privatekey]: Required value'],
]);
kind('endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] }, [
  ['metadata.annotations', { 'endpoints.kubernetes.io/last-change-trigger-time': 'now' }],
]);
kind(
  'services',
  {
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    },
  },
  [
    ['spec.ports', undefined, 'spec.ports: Required value'],
    [
      'spec.type',
      'Internal',
      'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName"',
    ],
    [
      'spec.clusterIPs',
      ['10.0.0.8'],
      'spec.clusterIPs: Invalid value: ["10.0.0.8"]: first value must match `clusterIP`',
    ],
    ['spec.externalIPs', ['127.0.0.1'], 'spec.externalIPs[0]', 'spec.externalTrafficPolicy: Required value'],
    [
      'spec.loadBalancerClass',
      'a/b',
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    [
      'spec.sessionAffinity',
      'ClientIP',
      'spec.sessionAffinityConfig: Required value: when session affinity type is ClientIP',
    ],
    ['spec.ipFamilies', ['IPv4', 'IPv4'], 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
    [
      'metadata.annotations',
      { 'service.beta.kubernetes.io/load-balancer-source-ranges': 'x, 10.0.0.0/8' },
      "load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value',
    ],
  ],
  [
    ['spec.clusterIP', '10.0.0.8', 'spec.clusterIPs: Invalid value'],
    [
      'spec.clusterIPs',
      ['10.0.0.8'],
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set',
      'first value',
    ],
  ],
);
kind('endpoints', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1, protocol: 'TCP' }] }] }, [
  ['subsets', [{}], 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  [
    'subsets',
    [{ addresses: [{ ip: 'x' }] }],
    'subsets[0].addresses[0].ip: Invalid',
    'ip: Invalid value: "x": must be a valid IP address',
  ],
]);
kind(
  'events.events.k8s.io',
  {
    involvedObject: { namespace: 'n' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    reportingComponent: 'example.com/c',
    reportingInstance: 'c-1',
    action: 'Bind',
    reason: 'Bound',
    type: 'Normal',
  },
  [
    ['type', 'Error', 'type: Invalid value: "": has invalid value: Error'],
    [
      'series',
      { count: 1 },
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required',
    ],
    ['action', '', 'action: Required value'],
    ['count', 1, 'count: Invalid value: "": needs to be unset'],
  ],
  [['reason', 'Other', 'reason: Invalid value: "Other": field is immutable', 'reason: Invalid']],
);
kind('limitranges', { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }] } }, [
  [
    'spec.limits',
    [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }],
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  ],
  [
    'spec.limits',
    [{ type: 'Container', maxLimitRequestRatio: { cpu: '4' }, max: { cpu: '3' }, min: { cpu: '2' } }],
    'ratio 4 is greater than max/min = 1.500000',
  ],
  ['spec.limits', [{ type: 'PersistentVolumeClaim' }], 'spec.limits[0].limits: Required value'],
  ['spec.limits', [{ type: 'Pod' }, { type: 'Pod' }], 'spec.limits[1].type: Duplicate value: "Pod"'],
]);
kind(
  'resourcequotas',
  { spec: { hard: { pods: '4' }, scopes: ['BestEffort'] } },
  [
    ['spec.hard.gpus', '1', 'must be a standard resource type', 'must be a standard resource for quota'],
    ['spec.hard.cpu', '1', 'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ['spec.scopes', ['BestEffort', 'NotBestEffort'], 'conflicting scopes'],
    [
      'spec.scopeSelector',
      { matchExpressions: ['Terminating', 'NotTerminating'].map((scopeName) => ({ scopeName, operator: 'Exists' })) },
      'spec.scopeSelector.matchExpressions: Invalid value: ["BestEffort"]: conflicting scopes',
    ],
    ['spec.hard.pods', '500m', 'spec.hard[pods]: Invalid value: "500m": must be an integer'],
  ],
  [['spec.scopes', [], 'spec.scopes: Invalid value: []: field is immutable']],
);
kind(
  'nodes',
  { spec: { podCIDRs: ['192.0.2.0/24'], providerID: 'a' } },
  [
    [
      'metadata.annotations',
      { 'scheduler.alpha.kubernetes.io/taints': '[{"key":"a"}]' },
      'metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect: Required value',
    ],
    ['spec.taints', [{ key: 'a', effect: 'NoWork' }], 'metadata.taints[0].effect: Unsupported value: "NoWork"'],
    ['spec.podCIDRs', ['10.0.0.0/8', '11.0.0.0/8'], 'may specify no more than one CIDR for each IP family'],
  ],
  [
    [
      'spec.providerID',
      'b',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ],
    ['spec.podCIDRs', ['10.0.0.0/8'], 'spec.podCIDRs: Forbidden'],
  ],
);
kind(
  'persistentvolumes',
  { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: 'a', path: '/b' } } },
  [
    ['spec.nfs', undefined, 'spec: Required value: must specify a volume type'],
    [
      'spec.hostPath',
      { path: '/a/../b' },
      'spec.hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'spec.capacity',
      { storage: '-1' },
      'Invalid value: -1: must be a valid resource quantity',
      'Invalid value: "-1": must be greater than zero',
    ],
    ['spec.accessModes', ['ReadWriteOncePod', 'ReadWriteOnce'], 'may not use ReadWriteOncePod with other access modes'],
  ],
  [['spec.nfs.path', '/c', 'spec.persistentvolumesource: Forbidden']],
);
kind(
  'persistentvolumeclaims',
  { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } } },
  [
    ['spec.accessModes', undefined, 'spec.accessModes: Required value: at least 1 access mode is required'],
    ['spec.resources', {}, 'spec.resources[storage]: Required value'],
    [
      'spec.dataSource',
      { kind: 'Pod', name: 'a' },
      'spec.dataSource: Invalid value: "Pod": must be \'PersistentVolumeClaim\'',
    ],
  ],
  [
    ['spec.volumeName', 'pv'],
    ['spec.resources.requests.storage', '3Gi', 'spec: Forbidden'],
    ['spec.resources.requests.storage', '1Gi', 'spec: Forbidden'],
  ],
);
const TEMPLATE = {
  containers: [{ name: 'a', image: 'b', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
  ...{ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30 },
};
kind('podtemplates', { template: { spec: TEMPLATE } }, [
  [
    'template.metadata',
    { annotations: { 'scheduler.alpha.kubernetes.io/tolerations': '[{"key":"a","effect":"Now"}]' } },
    'template.annotations.scheduler.alpha.kubernetes.io/tolerations[0].effect: Unsupported value: "Now"',
  ],
]);
