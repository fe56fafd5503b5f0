// The rules of built-in kinds, a table a kind: what is changed in a good object, and what is said of it then.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { BehaviourContext } from '../definition.ts';
import { builtinResources } from './resources.ts';

const CONTEXT: BehaviourContext = {
  nowMs: 0,
  gateEnabled: () => true,
  user: { name: 'me', uid: '', groups: [], extra: {} },
};

function behaviourOf(group: string, resource: string) {
  const definition = builtinResources.find((each) => each.group === group && each.resource === resource);
  assert.ok(definition !== undefined, `${resource}.${group}`);
  return definition.behaviour;
}

/** A good object with one member set, by its path; undefined takes the member away. */
function changed(object: JsonObject, path: string, value: Json | undefined): ApiObject {
  const copy = structuredClone(object) as ApiObject;
  const names = path.split('.');
  let here: JsonObject = copy;
  for (const name of names.slice(0, -1)) here = (here[name] ??= {}) as JsonObject;
  const last = names.at(-1) as string;
  if (value === undefined) delete here[last];
  else here[last] = value;
  return copy;
}

type Row = readonly [path: string, value: Json | undefined, ...said: string[]];

function kind(resource: string, good: JsonObject, rows: readonly Row[], updates: readonly Row[] = []): void {
  const [name = '', ...rest] = resource.split('.');
  const group = rest.join('.');
  const object = { metadata: { name: 'a', namespace: 'n' }, ...good } as ApiObject;
  const words = (found: Parameters<typeof fieldErrorBody>[0][]) =>
    found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
  const expect = (found: string[], said: readonly string[]) => {
    assert.equal(found.length, said.length, found.join('\n'));
    for (const [index, each] of said.entries())
      assert.ok(found[index]?.includes(each), `${found[index]}\nwanted ${each}`);
  };
  describe(resource, () => {
    const { validate, validateCreate, validateUpdate } = behaviourOf(group, name);
    const onCreate = (each: ApiObject) => [
      ...(validate?.(each, CONTEXT) ?? []),
      ...(validateCreate?.(each, CONTEXT) ?? []),
    ];
    test('a good one', () => {
      expect(words(onCreate(object)), []);
      expect(words(validateUpdate?.(object, object, CONTEXT) ?? []), []);
    });
    for (const [path, value, ...said] of rows) {
      test(`${path} is ${JSON.stringify(value)}`, () => expect(words(onCreate(changed(object, path, value))), said));
    }
    for (const [path, value, ...said] of updates) {
      test(`${path} becomes ${JSON.stringify(value)}`, () =>
        expect(words(validateUpdate?.(changed(object, path, value), object, CONTEXT) ?? []), said));
    }
  });
}

kind('configmaps', { data: { a: 'b' } }, [
  ['data', { '..': 'x' }, 'data[..]: Invalid value: "..": must not be \'..\''],
  ['binaryData', { a: 'AA==' }, 'data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ['data', { a: 'x'.repeat(1024 * 1024 + 1) }, '[]: Too long: may not be more than 1048576 bytes'],
]);
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
    ['type', 'kubernetes.io/basic-auth', 'data[password]: Required value', 'data[username]: Required value'],
    [
      'type',
      'kubernetes.io/service-account-token',
      'metadata.annotations[kubernetes.io/service-account.name]: Required',
    ],
    ['type', 'example.com/other'],
  ],
  [['type', 'Opaque', 'type: Invalid value: "Opaque": field is immutable']],
);
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
    ['spec.hard.pods', '500m', 'spec.hard[pods]: Invalid value: "500m": must be an integer'],
  ],
  [['spec.scopes', [], 'spec.scopes: Invalid value: []: field is immutable']],
);
kind(
  'nodes',
  { spec: { podCIDRs: ['192.0.2.0/24'], providerID: 'a' } },
  [
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
    ['spec.resources.requests.storage', '1Gi', 'spec: Forbidden', 'field can not be less than previous value'],
  ],
);
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
  [
    ['metadata.name', 'a', 'metadata.name: Invalid value: "a": must be a valid IP address'],
    ['spec.parentRef', undefined, 'spec.parentRef: Required value'],
  ],
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
  [
    [
      'spec.group',
      'other.com',
      'metadata.name: Invalid value: "v1.example.com": must be `spec.version+"."+spec.group`: "v1.other.com"',
    ],
    ['spec.versionPriority', 1001, 'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000'],
  ],
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
    ['spec.type', 'Exempt', "type must be 'Exempt' if and only if name is 'exempt'", 'spec.limited: Forbidden'],
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
