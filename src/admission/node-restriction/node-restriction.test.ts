import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerToNode, NODE_USER, type NodeWrite as Write } from '../../../test/node-write.ts';
import { commonNameOf, pemOf, requestOf } from '../../../test/signing-request.ts';
import type { JsonObject } from '../../api/object.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';

/** What is stored. */
const STORED: Readonly<Record<string, JsonObject>> = {
  'nodes//n1': { metadata: { name: 'n1', uid: 'u1' } },
  'pods/shop/own': {
    metadata: { name: 'own', namespace: 'shop', uid: 'p1' },
    spec: {
      nodeName: 'n1',
      serviceAccountName: 'worker',
      volumes: [
        { name: 'a', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } },
        { name: 'b', persistentVolumeClaim: { claimName: 'data' } },
      ],
    },
  },
  'pods/shop/mounting': {
    metadata: { name: 'mounting', namespace: 'shop', uid: 'p3' },
    spec: {
      nodeName: 'n1',
      serviceAccountName: 'worker',
      volumes: [
        { name: 'a', csi: { driver: 'none' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'gone' } },
      ],
    },
  },
  'pods/shop/migrating': {
    metadata: { name: 'migrating', namespace: 'shop', uid: 'p4' },
    spec: {
      nodeName: 'n1',
      serviceAccountName: 'worker',
      volumes: [
        { name: 'a', azureFile: { secretName: 's', shareName: 'x' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'old' } },
        { name: 'c', awsElasticBlockStore: { volumeID: 'aws://zone/disk' } },
      ],
    },
  },
  'persistentvolumeclaims/shop/old': { metadata: { name: 'old' }, spec: { volumeName: 'old-disk' } },
  'persistentvolumes//old-disk': {
    metadata: { name: 'old-disk' },
    spec: { awsElasticBlockStore: { volumeID: 'aws://zone/vol-1' } },
  },
  'csidrivers//file.csi.azure.com': {
    metadata: { name: 'file.csi.azure.com' },
    spec: { tokenRequests: [{ audience: 'azure' }] },
  },
  'csidrivers//ebs.csi.aws.com': {
    metadata: { name: 'ebs.csi.aws.com' },
    spec: { tokenRequests: [{ audience: 'amazon' }] },
  },
  'pods/shop/strange': { metadata: { name: 'strange', namespace: 'shop', uid: 'p2' }, spec: { nodeName: 'n2' } },
  'persistentvolumeclaims/shop/data': { metadata: { name: 'data' }, spec: { volumeName: 'disk' } },
  'persistentvolumes//disk': { metadata: { name: 'disk' }, spec: { csi: { driver: 'disks' } } },
  'csidrivers//disks': { metadata: { name: 'disks' }, spec: { tokenRequests: [{ audience: 'disk' }] } },
  'serviceaccounts/shop/worker': { metadata: { name: 'worker', uid: 'a1' } },
};

const AUTHORIZER: Authorizer = {
  authorize: async ({ resource }) => ({ allowed: resource === 'granted', reason: '' }),
};

const answer = (write: Write, gates = {}) => answerToNode(write, { stored: STORED, authorizer: AUTHORIZER, gates });

function table(title: string, rows: readonly (readonly [string, Write, string])[]): void {
  describe(title, () => {
    for (const [what, write, expected] of rows) {
      test(`${title} judges ${what}: ${expected}`, async () => assert.equal(await answer(write), expected));
    }
  });
}

const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1', controller: true };

function mirror(spec: JsonObject = {}, owners: JsonObject[] = [OWNER]): Write {
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  return {
    resource: 'pods',
    object: { metadata: { annotations, ownerReferences: owners }, spec: { nodeName: 'n1', ...spec } },
  };
}

const SELF = 'node "n1" can only';

table('NodeRestriction of pods', [
  ['a mirror pod', mirror(), 'yes'],
  [
    'a pod that is not a mirror pod',
    { resource: 'pods', object: { metadata: {} } },
    `pod does not have "kubernetes.io/config.mirror" annotation, ${SELF} create mirror pods`,
  ],
  ['a mirror pod of another node', mirror({ nodeName: 'n2' }), `${SELF} create pods with spec.nodeName set to itself`],
  ['a mirror pod without an owner', mirror({}, []), `${SELF} create pods with an owner reference set to itself`],
  [
    'a mirror pod with two owners',
    mirror({}, [OWNER, OWNER]),
    `${SELF} create pods with a single owner reference set to itself`,
  ],
  [
    'a mirror pod with an owner that is not the controller',
    mirror({}, [{ ...OWNER, controller: false }]),
    `${SELF} create pods with a controller owner reference set to itself`,
  ],
  [
    'a mirror pod with blockOwnerDeletion',
    mirror({}, [{ ...OWNER, blockOwnerDeletion: true }]),
    'node "n1" must not set blockOwnerDeletion on an owner reference',
  ],
  [
    'a mirror pod with the UID of an earlier node',
    mirror({}, [{ ...OWNER, uid: 'u0' }]),
    'node n1 UID mismatch: expected u0 got u1',
  ],
  ...[
    [{ serviceAccountName: 'x' }, 'serviceaccounts'],
    [{ imagePullSecrets: [{ name: 'x' }] }, 'secrets'],
    [{ containers: [{ envFrom: [{ configMapRef: { name: 'x' } }] }] }, 'configmaps'],
    [{ resourceClaims: [{ name: 'x' }] }, 'resourceclaims'],
    [{ volumes: [{ csi: { driver: 'x' } }] }, 'csidrivers (via CSI volumes)'],
    [{ volumes: [{ persistentVolumeClaim: { claimName: 'x' } }] }, 'persistentvolumeclaims'],
    [
      { volumes: [{ projected: { sources: [{ serviceAccountToken: {} }] } }] },
      'serviceaccounts (via projected volumes)',
    ],
  ].map(
    ([spec, named]) =>
      [
        `a mirror pod that refers to ${named}`,
        mirror(spec as JsonObject),
        `node "n1" can not create pods that reference ${named}`,
      ] as const,
  ),
  [
    'a mirror pod that refers to no API objects',
    mirror({ volumes: [{ hostPath: { path: '/' } }, { emptyDir: {} }] }),
    'yes',
  ],
  ['the deletion of its pod', { resource: 'pods', operation: 'delete', previous: STORED['pods/shop/own']! }, 'yes'],
  [
    'the deletion of a pod of another node',
    { resource: 'pods', operation: 'delete', previous: STORED['pods/shop/strange']! },
    `${SELF} delete pods with spec.nodeName set to itself`,
  ],
  [
    'an update of a pod',
    { resource: 'pods', operation: 'update' },
    'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
  ],
  ['an eviction of its pod', { resource: 'pods', subresource: 'eviction', name: 'own' }, 'yes'],
  [
    'an eviction of a pod of another node',
    { resource: 'pods', subresource: 'eviction', name: 'strange' },
    'node n1 can only evict pods with spec.nodeName set to itself',
  ],
  ['an eviction of a missing pod', { resource: 'pods', subresource: 'eviction', name: 'none' }, 'pod "none" not found'],
  [
    'a binding of a pod',
    { resource: 'pods', subresource: 'binding' },
    `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
  ],
]);

function status(change: JsonObject, spec: JsonObject = { nodeName: 'n1' }): Write {
  const previous = { metadata: { labels: { a: 'b' } }, spec, status: {} };
  return { resource: 'pods', subresource: 'status', operation: 'update', previous, object: { ...previous, ...change } };
}

table('NodeRestriction of the status of a pod', [
  ['the phase of its pod', status({ status: { phase: 'Running' } }), 'yes'],
  [
    'the status of a pod of another node',
    status({}, { nodeName: 'n2' }),
    `${SELF} update pod status for pods with spec.nodeName set to itself`,
  ],
  ['a change of labels', status({ metadata: { labels: {} } }), 'node "n1" cannot update labels through pod status'],
  [
    'a change of resourceClaimStatuses',
    status({ status: { resourceClaimStatuses: [{ name: 'a' }] } }),
    'node "n1" cannot update resource claim statues',
  ],
]);

function node(labels: JsonObject, more: Partial<Write> = {}): Write {
  return { resource: 'nodes', name: 'n1', object: { metadata: { labels } }, ...more };
}

const UPDATE = { operation: 'update', previous: { metadata: { labels: {} }, spec: {} } } as const;

table('NodeRestriction of nodes', [
  [
    'labels of the machine and own labels',
    node({ 'kubernetes.io/os': 'linux', 'node.kubernetes.io/x': '', own: '' }),
    'yes',
  ],
  [
    'restricted labels',
    node({ 'node-role.kubernetes.io/a': '', 'x.node-restriction.kubernetes.io/b': '', 'k8s.io/c': '' }),
    'node "n1" is not allowed to set the following labels: k8s.io/c, node-role.kubernetes.io/a, x.node-restriction.kubernetes.io/b',
  ],
  ['another node', node({}, { name: 'n2' }), 'node "n1" is not allowed to modify node "n2"'],
  ['an update with an own label', node({ own: '' }, UPDATE), 'yes'],
  ['an update with a restricted label', node({ 'k8s.io/c': '' }, UPDATE), 'is not allowed to modify labels: k8s.io/c'],
  [
    'an update of taints',
    node({}, { ...UPDATE, object: { metadata: {}, spec: { taints: [{ key: 'a' }] } } }),
    'node "n1" is not allowed to modify taints',
  ],
  ['an update with empty taints', node({}, { ...UPDATE, object: { metadata: {}, spec: { taints: [] } } }), 'yes'],
  [
    'an update of ownerReferences',
    node({}, { ...UPDATE, object: { metadata: { ownerReferences: [{}] } } }),
    'node "n1" is not allowed to modify ownerReferences',
  ],
]);

function token(bound: JsonObject | undefined, audiences: string[] = ['vault']): Write {
  const spec = {
    audiences,
    ...(bound === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...bound } }),
  };
  return { resource: 'serviceaccounts', subresource: 'token', name: 'worker', object: { spec } };
}

const OWN_POD = { name: 'own', uid: 'p1' };

table('NodeRestriction of service account tokens', [
  ['a token bound to its pod', token(OWN_POD), 'yes'],
  ['a token without a bound object', token(undefined), 'node requested token not bound to a pod'],
  [
    'a token bound to a pod without its UID',
    token({ name: 'own' }),
    'node requested token with a pod binding without a uid',
  ],
  ['a token bound to a missing pod', token({ name: 'none', uid: 'x' }), 'pods "none" not found'],
  [
    'a token bound to the UID of an earlier pod',
    token({ name: 'own', uid: 'p0' }),
    'the UID in the bound object reference (p0) does not match the UID in record. The object might have been deleted and then recreated',
  ],
  [
    'a token bound to a pod of another node',
    token({ name: 'strange', uid: 'p2' }),
    'node requested token bound to a pod scheduled on a different node',
  ],
  ['a token for a CSI driver of the pod', token(OWN_POD, ['disk']), 'yes'],
  ['a token for an audience that the node was granted', token(OWN_POD, ['granted']), 'yes'],
  [
    'a token for another audience',
    token(OWN_POD, ['other']),
    'audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
  ],
  [
    'a token for an audience, with missing CSI drivers and claims',
    token({ name: 'mounting', uid: 'p3' }, ['disk']),
    'error validating audience "disk": [csidriver.storage.k8s.io "none" not found, persistentvolumeclaim "gone" not found]',
  ],
  [
    'a token for the CSI driver that replaces the in-tree plugin of a volume',
    token({ name: 'migrating', uid: 'p4' }, ['azure']),
    'yes',
  ],
  [
    'a token for the CSI driver that replaces the in-tree plugin of a PersistentVolume',
    token({ name: 'migrating', uid: 'p4' }, ['amazon']),
    'yes',
  ],
  [
    'a token for another audience, with a volume that cannot be translated',
    token({ name: 'migrating', uid: 'p4' }, ['disk']),
    'error validating audience "disk": failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://zone/disk)',
  ],
  ['a token for two audiences', token(OWN_POD, ['a', 'b']), 'node may only request 0 or 1 audiences'],
]);

const LEASE = { group: 'coordination.k8s.io', resource: 'leases' };
const SLICE = { group: 'resource.k8s.io', resource: 'resourceslices' };
const CLAIM = { resource: 'persistentvolumeclaims', operation: 'update', subresource: 'status' } as const;

table('NodeRestriction of other objects', [
  ['the Lease of the node', { ...LEASE, namespace: 'kube-node-lease', name: 'n1' }, 'yes'],
  [
    'the Lease of another node',
    { ...LEASE, namespace: 'kube-node-lease', name: 'n2' },
    'can only access node lease with the same name as the requesting node',
  ],
  [
    'a Lease in another namespace',
    { ...LEASE, name: 'n1' },
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    'the CSINode of another node',
    { group: 'storage.k8s.io', resource: 'csinodes', name: 'n2' },
    'can only access CSINode with the same name as the requesting node',
  ],
  ['a ResourceSlice of the node', { ...SLICE, object: { spec: { nodeName: 'n1' } } }, 'yes'],
  [
    'a ResourceSlice of another node',
    { ...SLICE, operation: 'delete', previous: { spec: { nodeName: 'n2' } } },
    'can only delete ResourceSlice with the same NodeName as the requesting node',
  ],
  [
    'the capacity in the status of a claim',
    { ...CLAIM, previous: { spec: {} }, object: { spec: {}, status: { capacity: { storage: '1' } } } },
    'yes',
  ],
  [
    'the phase in the status of a claim',
    { ...CLAIM, previous: { spec: {} }, object: { spec: {}, status: { phase: 'Lost' } } },
    'node "n1" is not allowed to update fields other than status.quantity and status.conditions',
  ],
  ['the spec of a claim', { ...CLAIM, subresource: '' }, 'may only update PVC status'],
  ['an object of an unrestricted kind', { resource: 'events' }, 'yes'],
  ['a write by a user that is not a node', { ...LEASE, user: { name: 'alice', groups: ['system:nodes'] } }, 'yes'],
  [
    'a write by a node without a name',
    { ...LEASE, user: { ...NODE_USER, name: 'system:node:' } },
    'could not determine node from user "system:node:"',
  ],
]);

function signingRequest(commonName: string): Write {
  const request = btoa(pemOf(requestOf(commonNameOf(commonName))));
  const spec = { signerName: 'kubernetes.io/kubelet-serving', request };
  return { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', object: { spec } };
}

describe('certificate requests of a node', () => {
  test('a certificate request of a node is in its name, unless a feature gate allows others', async () => {
    const strict = { AllowInsecureKubeletCertificateSigningRequests: false };
    assert.equal(await answer(signingRequest('system:node:n1'), strict), 'yes');
    const refused = 'can only create a node CSR with CN=system:node:n1';
    assert.equal(await answer(signingRequest('system:node:n2'), strict), refused);
    assert.equal(await answer(signingRequest('system:node:n2')), 'yes');
  });

  const truth = { nodeName: 'n1', nodeUID: 'u1', podName: 'own', podUID: 'p1', serviceAccountName: 'worker' };
  const request = (spec: JsonObject): Write => ({
    group: 'certificates.k8s.io',
    resource: 'podcertificaterequests',
    object: { spec: { ...truth, serviceAccountUID: 'a1', ...spec } },
  });
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{}, 'yes'],
    [{ nodeName: 'n2' }, 'PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1"'],
    [
      { nodeUID: 'u0' },
      'PodCertificateRequest for pod "shop/own" names node UID "u0", inconsistent with the running node ("u1")',
    ],
    [
      { podUID: 'p0' },
      'PodCertificateRequest for pod "shop/own" contains pod UID ("p0") which differs from running pod ("p1")',
    ],
    [{ podName: 'none' }, 'while retrieving pod "shop/none" named in the PodCertificateRequest: pods "none" not found'],
    [
      { podName: 'strange', podUID: 'p2' },
      'pod "shop/strange" is not running on node "n1" named in the PodCertificateRequest',
    ],
    [
      { serviceAccountName: 'other' },
      'PodCertificateRequest for pod "shop/own" contains serviceAccountName ("other") that differs from running pod ("worker")',
    ],
    [
      { serviceAccountUID: 'a0' },
      'PodCertificateRequest for pod "shop/own" names service account UID "a0", which differs from the running service account ("a1")',
    ],
  ];
  for (const [spec, expected] of rows) {
    test(`certificate requests of a node for a pod are restricted: ${JSON.stringify(spec)}`, async () =>
      assert.equal(await answer(request(spec)), expected));
  }
});
