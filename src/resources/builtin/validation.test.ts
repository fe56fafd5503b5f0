// The rules of kinds beyond the core group, a table a kind.

import { kind } from './rule-table.test.ts';

kind('ingresses.networking.k8s.io', { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } }, [
  ['spec.defaultBackend', undefined, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [
    'spec.rules',
    [{ host: '192.0.2.1' }],
    'spec.rules[0].host: Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
  ],
  [
    'spec.rules',
    [{ http: { paths: [{ path: 'a', pathType: 'Exact', backend: {} }] } }],
    'must be an absolute path',
    'resource or service backend is required',
  ],
]);
kind('networkpolicies.networking.k8s.io', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }, [
  ['spec.ingress', [{ from: [{}] }], 'spec.ingress[0].from[0]: Required value: must specify a peer'],
  [
    'spec.ingress',
    [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }],
    'must be a strict subset of `cidr`',
  ],
  ['spec.egress', [{ ports: [{ endPort: 3 }] }], 'may not be specified when `port` is not specified'],
]);
kind(
  'ipaddresses.networking.k8s.io',
  { metadata: { name: '192.0.2.1' }, spec: { parentRef: { resource: 'services', name: 'a' } } },
  [['spec.parentRef', undefined, 'spec.parentRef: Required value']],
);
kind('endpointslices.discovery.k8s.io', { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] }, [
  ['addressType', 'IPv6', 'endpoints[0].addresses: Invalid value: "192.0.2.1": must be an IPv6 address'],
  [
    'endpoints',
    [{ addresses: new Array(101).fill('192.0.2.1') }],
    'endpoints[0].addresses: Too many: 101: must have at most 100 items',
  ],
]);
kind(
  'storageclasses.storage.k8s.io',
  { provisioner: 'example.com/p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  [
    ['reclaimPolicy', 'Recycle', 'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ['allowedTopologies', [{}], 'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
    ['provisioner', 'A B', 'provisioner: Invalid value: "a b"'],
  ],
  [
    ['provisioner', 'other', 'provisioner: Forbidden: updates to provisioner are forbidden.'],
    [
      'volumeBindingMode',
      'WaitForFirstConsumer',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
  ],
);
kind(
  'volumeattachments.storage.k8s.io',
  { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  [
    [
      'spec.source',
      {},
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ],
    ['spec.attacher', '', 'spec.attacher: Required', 'spec.attacher: Required', 'spec.attacher: Invalid'],
  ],
  [['spec.nodeName', 'm', 'spec: Invalid']],
);
kind(
  'csinodes.storage.k8s.io',
  { spec: { drivers: [{ name: 'a', nodeID: 'n' }] } },
  [
    ['spec.drivers', [{ name: 'a', nodeID: 'n', topologyKeys: ['z', 'z'] }], 'spec.drivers[0]: Duplicate value: "z"'],
    ['spec.drivers', [{ name: '', nodeID: '' }], 'name: Required', 'name: Invalid', 'nodeID: Required'],
  ],
  [['spec.drivers', [{ name: 'a', nodeID: 'm' }], 'spec.drivers: Invalid']],
);
kind('roles.rbac.authorization.k8s.io', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }, [
  ['rules', [{}], 'rules[0].verbs: Required', 'rules[0].apiGroups: Required', 'rules[0].resources: Required'],
  ['rules', [{ verbs: ['get'], nonResourceURLs: ['/a'] }], 'namespaced rules cannot apply to non-resource URLs'],
]);
kind('clusterroles.rbac.authorization.k8s.io', {}, [
  [
    'aggregationRule',
    { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] },
    'not a valid selector operator',
    'Invalid value: null: invalid label selector.',
  ],
]);
kind(
  'rolebindings.rbac.authorization.k8s.io',
  { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } },
  [['subjects', [{ kind: 'Team', name: 'a' }], 'subjects[0].kind: Unsupported value: "Team"']],
  [['roleRef.name', 'b', 'roleRef: Invalid value: ']],
);
kind('leases.coordination.k8s.io', { spec: {} }, [
  ['spec.leaseDurationSeconds', 0, 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
]);
kind(
  'priorityclasses.scheduling.k8s.io',
  { value: 5 },
  [
    ['value', 1_000_000_001, 'value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ['metadata.name', 'system-mine', 'metadata.name: Forbidden'],
  ],
  [['value', 6, 'value: Forbidden: may not be changed in an update.']],
);
kind(
  'runtimeclasses.node.k8s.io',
  { handler: 'runc' },
  [
    ['handler', 'run.c', 'handler: Invalid value: "run.c": must not contain dots'],
    [
      'overhead',
      { podFixed: { cpu: '-1' } },
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
  ],
  [['handler', 'kata', 'handler: Invalid value: "kata": field is immutable']],
);
kind(
  'apiservices.apiregistration.k8s.io',
  {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      service: { name: 'a', namespace: 'b' },
    },
  },
  [['spec.versionPriority', 1001, 'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000']],
);
kind(
  'flowschemas.flowcontrol.apiserver.k8s.io',
  {
    spec: { matchingPrecedence: 10, priorityLevelConfiguration: { name: 'a' }, rules: [] },
  },
  [
    ['spec.matchingPrecedence', 1, "only the schema named 'exempt' may have matchingPrecedence 1"],
    [
      'spec.rules',
      [{}],
      'subjects must contain at least one value',
      'at least one of resourceRules and nonResourceRules',
    ],
    [
      'spec.rules',
      [
        {
          subjects: [{ kind: 'User', group: { name: 'a' } }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/a/*/b'] }],
        },
      ],
      'user is required',
      'group is forbidden',
      'wildcard can only do suffix matching',
    ],
  ],
);
kind(
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  {
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  },
  [
    ['spec.type', 'Exempt', "must be 'Exempt' if and only if `name` is 'exempt'", 'spec.limited: Forbidden'],
    [
      'spec.limited.limitResponse',
      { type: 'Queue', queuing: { queues: 4, handSize: 5, queueLengthLimit: 1 } },
      'handSize: Invalid value: 5: should not be greater than queues (4)',
    ],
  ],
);
kind('validatingwebhookconfigurations.admissionregistration.k8s.io', {}, [
  [
    'webhooks',
    [{}],
    'webhooks[0].name: Required',
    'sideEffects: Required',
    'clientConfig: Required',
    'admissionReviewVersions: Required',
  ],
  [
    'webhooks',
    [
      {
        name: 'a.b.c',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://a' },
        rules: [
          { operations: ['*', 'CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['pods/*', 'pods/status'] },
        ],
      },
    ],
    "if '*' is present, must not specify other operations",
    "if 'pods/*' is present, must not specify pods/status",
  ],
]);
kind(
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  {
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  [
    ['spec.validations', [], 'spec.validations: Required', 'spec.auditAnnotations: Required'],
    ['spec.validations', [{ expression: 'true', message: 'a\nb' }], 'must not contain line breaks'],
    ['spec.variables', [{ name: 'a-b', expression: '1' }], 'must be a valid CEL identifier'],
    ['spec.paramKind', { apiVersion: 'a/b/c', kind: 'K' }, 'unexpected GroupVersion string: a/b/c'],
    [
      'spec.auditAnnotations',
      [{ key: 'long', valueExpression: `'${'x'.repeat(5119)}'` }],
      'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
    ],
  ],
);
kind(
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  { spec: { policyName: 'p', validationActions: ['Deny'] } },
  [
    ['spec.validationActions', ['Deny', 'Warn'], 'must not contain both Deny and Warn'],
    ['spec.paramRef', {}, 'one of name or selector must be specified', 'parameterNotFoundAction: Required'],
  ],
);
const claim = {
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } }] },
};
kind(
  'resourceclaims.resource.k8s.io',
  { spec: claim },
  [
    ['spec.devices.requests', [{ name: 'gpu' }], 'exactly one of `exactly` or `firstAvailable` is required'],
    [
      'spec.devices.constraints',
      [{ requests: ['tpu'], matchAttribute: 'numa' }],
      'must be the name of a request in the claim',
      'must include a domain',
    ],
  ],
  [['spec.devices.requests', [], 'spec: Invalid']],
);
kind('resourceclaimtemplates.resource.k8s.io', { spec: { spec: claim } }, [
  ['spec.metadata', { name: 'a' }, 'spec.metadata.name: Forbidden: cannot be set'],
]);
kind(
  'resourceslices.resource.k8s.io',
  { spec: { driver: 'd', pool: { name: 'p', resourceSliceCount: 1 }, nodeName: 'n' } },
  [
    ['spec.allNodes', true, 'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of'],
    [
      'spec.devices',
      [{ name: 'a', attributes: { model: {} } }],
      'spec.devices[0].attributes[model]: Required value: exactly one value must be specified',
    ],
  ],
  [['spec.driver', 'e', 'spec.driver: Invalid value: "e": field is immutable']],
);
kind(
  'subjectaccessreviews.authorization.k8s.io',
  { metadata: {}, spec: { user: 'a', resourceAttributes: { verb: 'get' } } },
  [
    ['spec.user', '', 'spec.user: Invalid value: "": at least one of user or group must be specified'],
    [
      'spec.resourceAttributes',
      undefined,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    ['metadata', { name: 'a' }, 'metadata: Invalid value'],
  ],
);
