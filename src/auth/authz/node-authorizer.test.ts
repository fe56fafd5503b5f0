import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MIRROR_ANNOTATION } from '../../api/mirror-pods.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';
import { UnionAuthorizer } from './union-authorizer.ts';

function pod(name: string, spec: JsonObject, more: JsonObject = {}): ApiObject {
  return { metadata: { namespace: 'shop', name }, spec: { nodeName: 'n1', ...spec }, ...more } as ApiObject;
}

/** A node n1 with a pod that names all that a pod can name. */
function relations(): NodeGraph {
  const graph = new NodeGraph();
  const environment = {
    envFrom: [{ secretRef: { name: 'all' } }, { configMapRef: { name: 'all' } }],
    env: [{ valueFrom: { secretKeyRef: { name: 'key' } } }, { valueFrom: { configMapKeyRef: { name: 'key' } } }],
  };
  const volumes = [
    { name: 'a', secret: { secretName: 'volume' } },
    { name: 'b', projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected' } }] } },
    { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'd', ephemeral: {} },
    { name: 'e', csi: { nodePublishSecretRef: { name: 'driver' } } },
  ];
  const spec = {
    serviceAccountName: 'worker',
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [environment],
    volumes,
    resourceClaims: [
      { name: 'own', resourceClaimName: 'gpu' },
      { name: 'made', resourceClaimTemplateName: 't' },
    ],
  };
  const status = { resourceClaimStatuses: [{ name: 'made', resourceClaimName: 'made-x' }] };
  graph.setPod(pod('web', spec, { status }));
  graph.setPod(pod('mirror', { serviceAccountName: 'told' }, { metadata: mirrorMetadata() }));
  graph.setVolume(volume('disk', 'data', { namespace: 'system', name: 'disk-key' }));
  graph.setVolume(volume('strange', 'other', { namespace: 'system', name: 'strange-key' }));
  graph.setNaming('volumeattachments', { metadata: { name: 'attached' }, spec: { nodeName: 'n1' } } as ApiObject);
  graph.setNaming('resourceslices', { metadata: { name: 'slice' }, spec: { nodeName: 'n1' } } as ApiObject);
  return graph;
}

function mirrorMetadata() {
  return { namespace: 'shop', name: 'mirror', annotations: { [MIRROR_ANNOTATION]: 'x' } };
}

function volume(name: string, claim: string, secret: JsonObject): ApiObject {
  const spec = { claimRef: { namespace: 'shop', name: claim }, csi: { nodeStageSecretRef: secret } };
  return { metadata: { name }, spec } as ApiObject;
}

interface Question {
  readonly verb?: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly pinned?: Readonly<Record<string, string>>;
}

const RULES = [{ verbs: ['list'], apiGroups: [''], resources: ['services'], resourceNames: [], nonResourceURLs: [] }];

async function answer(graph: NodeGraph, node: string, question: Question): Promise<string> {
  const authorizer = new NodeAuthorizer({ graph: async () => graph, rules: RULES, gateEnabled: () => true });
  const { allowed, reason } = await authorizer.authorize(asked(`system:node:${node}`, question));
  return allowed ? 'yes' : reason;
}

function asked(name: string, question: Question, groups = ['system:nodes']): AuthorizationAttributes {
  const { verb = 'get', group = '', resource, subresource = '', pinned = {} } = question;
  return {
    user: { name, uid: '', groups, extra: {} },
    ...{ verb, group, version: 'v1', resource, subresource, path: '', isResourceRequest: true },
    namespace: question.namespace ?? 'shop',
    name: question.name ?? '',
    pinnedField: (field) => pinned[field],
  };
}

describe('objects that a node may read because of its pods', () => {
  const related: Readonly<Record<string, readonly string[]>> = {
    secrets: ['all', 'key', 'volume', 'projected', 'driver', 'pull'],
    configmaps: ['all', 'key', 'projected'],
    serviceaccounts: ['worker'],
    persistentvolumeclaims: ['data', 'web-d'],
    resourceclaims: ['gpu', 'made-x'],
    pods: ['web', 'mirror'],
  };
  for (const [resource, names] of Object.entries(related)) {
    test(`a node may read the ${resource} that its pods refer to: ${names.join(', ')}`, async () => {
      const graph = relations();
      const group = resource === 'resourceclaims' ? 'resource.k8s.io' : '';
      for (const name of names) {
        assert.equal(await answer(graph, 'n1', { group, resource, name }), 'yes', name);
        const other = "no relationship found between node 'n2' and this object";
        assert.equal(await answer(graph, 'n2', { group, resource, name }), other);
      }
      graph.deletePod('shop', 'web');
      graph.deletePod('shop', 'mirror');
      for (const name of names) assert.notEqual(await answer(graph, 'n1', { group, resource, name }), 'yes', name);
    });
  }

  test('a node may not read what a mirror pod refers to', async () => {
    const found = await answer(relations(), 'n1', { resource: 'serviceaccounts', name: 'told' });
    assert.equal(found, "no relationship found between node 'n1' and this object");
  });

  test('a node may read the volumes of the claims of its pods, and their secrets, until the volumes are deleted', async () => {
    const graph = relations();
    const disk = { resource: 'persistentvolumes', namespace: '', name: 'disk' };
    const key = { resource: 'secrets', namespace: 'system', name: 'disk-key' };
    for (const question of [disk, key]) assert.equal(await answer(graph, 'n1', question), 'yes');
    assert.notEqual(await answer(graph, 'n1', { ...disk, name: 'strange' }), 'yes');
    assert.notEqual(await answer(graph, 'n1', { ...key, name: 'strange-key' }), 'yes');
    graph.deleteVolume('disk');
    for (const question of [disk, key]) assert.notEqual(await answer(graph, 'n1', question), 'yes');
  });

  test('a node may read an object as long as one of several pods refers to it', async () => {
    const graph = relations();
    graph.setPod(pod('second', { serviceAccountName: 'worker' }));
    graph.deletePod('shop', 'web');
    const question = { resource: 'serviceaccounts', name: 'worker' };
    assert.equal(await answer(graph, 'n1', question), 'yes');
    graph.setPod(pod('second', { serviceAccountName: 'worker', nodeName: 'n2' }));
    assert.notEqual(await answer(graph, 'n1', question), 'yes');
    assert.equal(await answer(graph, 'n2', question), 'yes');
  });
});

describe('requests of the node authorizer', () => {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' };
  const storageNode = { group: 'storage.k8s.io', resource: 'csinodes', namespace: '' };
  const slice = { group: 'resource.k8s.io', resource: 'resourceslices', namespace: '' };
  const node = { resource: 'nodes', namespace: '' };
  const rows: readonly (readonly [Question, string])[] = [
    [{ resource: 'secrets', verb: 'watch', name: 'all' }, 'yes'],
    [{ resource: 'secrets', verb: 'list' }, 'No Object name found'],
    [{ resource: 'secrets', verb: 'delete', name: 'all' }, 'can only read resources of this type'],
    [{ resource: 'secrets', namespace: '', name: 'all' }, 'can only read namespaced object of this type'],
    [
      { resource: 'persistentvolumeclaims', verb: 'list', name: 'data' },
      'can only get individual resources of this type',
    ],
    [{ resource: 'persistentvolumeclaims', verb: 'patch', subresource: 'status', name: 'data' }, 'yes'],
    [
      { resource: 'persistentvolumeclaims', subresource: 'status', name: 'data' },
      'can only get/update/patch this type',
    ],
    [{ resource: 'serviceaccounts', verb: 'create', subresource: 'token', name: 'worker' }, 'yes'],
    [
      { resource: 'serviceaccounts', verb: 'create', name: 'worker' },
      'can only create token subresource of serviceaccount',
    ],
    [
      { resource: 'serviceaccounts', verb: 'delete', name: 'worker' },
      'can only create tokens for individual service accounts',
    ],
    [{ group: 'storage.k8s.io', resource: 'volumeattachments', namespace: '', name: 'attached' }, 'yes'],
    [{ ...lease, verb: 'update', name: 'n1' }, 'yes'],
    [{ ...lease, verb: 'create' }, 'yes'],
    [{ ...lease, verb: 'update', name: 'n2' }, 'can only access node lease with the same name as the requesting node'],
    [{ ...lease, namespace: 'shop', name: 'n1' }, 'can only access leases in the "kube-node-lease" system namespace'],
    [{ ...lease, verb: 'list' }, 'can only get, create, update, patch, or delete a node lease'],
    [{ ...storageNode, name: 'n1' }, 'yes'],
    [{ ...storageNode, name: 'n2' }, 'can only access CSINode with the same name as the requesting node'],
    [{ ...slice, name: 'slice' }, 'yes'],
    [{ ...slice, verb: 'list', pinned: { 'spec.nodeName': 'n1' } }, 'yes'],
    [
      { ...slice, verb: 'list', pinned: { 'spec.nodeName': 'n2' } },
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    [{ ...node, name: 'n1' }, 'yes'],
    [{ ...node, name: 'n2' }, "node 'n1' cannot read 'n2', only its own Node object"],
    [{ ...node, verb: 'list' }, "node 'n1' cannot read all nodes, only its own Node object"],
    [{ ...node, verb: 'patch', subresource: 'status', name: 'n1' }, 'yes'],
    [{ ...node, verb: 'delete', name: 'n1' }, ''],
    [{ resource: 'pods', verb: 'list', pinned: { 'spec.nodeName': 'n1' } }, 'yes'],
    [{ resource: 'pods', verb: 'list' }, 'can only list/watch pods with spec.nodeName field selector'],
    [{ resource: 'pods', verb: 'create' }, 'yes'],
    [{ resource: 'pods', verb: 'create', subresource: 'eviction', name: 'web' }, 'yes'],
    [{ resource: 'pods', verb: 'patch', name: 'web' }, ''],
    [
      { group: 'certificates.k8s.io', resource: 'podcertificaterequests', verb: 'list' },
      'can only list/watch podcertificaterequests with nodeName field selector',
    ],
    [{ resource: 'services', verb: 'list' }, 'yes'],
    [{ resource: 'services', verb: 'delete' }, ''],
  ];
  for (const [question, expected] of rows) {
    const { verb = 'get', resource, subresource = '', name = '' } = question;
    test(`the node authorizer answers ${verb} ${resource} ${subresource} ${name} with: ${expected}`, async () => {
      assert.equal(await answer(relations(), 'n1', question), expected);
    });
  }

  test('a node may write only the status of its own CSINode, from 1.37 on with the feature gate CSIVolumeHealth', async () => {
    const reported = async (name: string, { minor = 37, on = true, verb = 'patch' } = {}) => {
      const needs = { graph: async () => relations(), rules: RULES, gateEnabled: () => on, minor };
      const question = { verb, group: 'storage.k8s.io', resource: 'csinodes', subresource: 'status', name };
      const { allowed, reason } = await new NodeAuthorizer(needs).authorize(asked('system:node:n1', question));
      return allowed ? 'yes' : reason;
    };
    assert.equal(await reported('n1'), 'yes');
    assert.equal(await reported('n2'), 'can only access CSINode with the same name as the requesting node');
    assert.equal(await reported('n1', { verb: 'delete' }), 'can only get, update, or patch CSINode status');
    assert.equal(await reported('n1', { on: false }), 'CSINode status access requires CSIVolumeHealth feature');
    assert.equal(await reported('n1', { minor: 36 }), 'cannot authorize CSINode subresources');
  });

  test('a node may list all nodes and pods if the feature gate AuthorizeNodeWithSelectors is off', async () => {
    const rules = [{ ...RULES[0]!, resources: ['nodes', 'pods'] }];
    const allowed = async (question: Question, on: boolean): Promise<boolean> => {
      const needs = { graph: async () => relations(), rules, gateEnabled: () => on };
      return (await new NodeAuthorizer(needs).authorize(asked('system:node:n1', question))).allowed;
    };
    for (const resource of ['nodes', 'pods']) {
      assert.equal(await allowed({ resource, verb: 'list' }, true), false);
      assert.equal(await allowed({ resource, verb: 'list' }, false), true);
    }
  });

  test('only a user named system:node: in the group system:nodes is a node', async () => {
    const needs = { graph: async () => relations(), rules: RULES, gateEnabled: () => true };
    const authorizer = new NodeAuthorizer(needs);
    const question = { resource: 'services', verb: 'list' };
    assert.equal((await authorizer.authorize(asked('system:node:n1', question, []))).allowed, false);
    assert.equal((await authorizer.authorize(asked('alice', question))).allowed, false);
    const { reason } = await authorizer.authorize(asked('system:node:', question));
    assert.equal(reason, 'unknown node for user "system:node:"');
  });
});

test('a union of authorizers allows what one of them allows, and otherwise answers with all reasons', async () => {
  const yes = { authorize: () => ({ allowed: true, reason: 'because' }) };
  const no = (reason: string) => ({ authorize: () => ({ allowed: false, reason }) });
  const later = (reason: string) => ({ authorize: async () => ({ allowed: false, reason }) });
  const ask = async (...members: readonly Authorizer[]) =>
    new UnionAuthorizer(members.map((authorizer) => ({ authorizer }))).authorize(asked('alice', { resource: 'pods' }));
  assert.deepEqual(await ask(no('a'), later(''), yes), { allowed: true, reason: 'because' });
  assert.deepEqual(await ask(no('a'), later(''), no('b'), later('c')), { allowed: false, reason: 'a\nb\nc' });
});

test('a union of authorizers stops at a denial, and returns errors only if none allows', async () => {
  const one = (decision: Decision): Authorizer => ({ authorize: () => decision });
  const ask = (...members: readonly Authorizer[]) =>
    new UnionAuthorizer(members.map((authorizer) => ({ authorizer }))).authorize(asked('alice', { resource: 'pods' }));
  const no = { allowed: false, reason: 'a' };
  const yes = one({ allowed: true, reason: '' });
  const denied = { allowed: false, denied: true, reason: 'b' };
  assert.deepEqual(ask(one(no), one(denied), yes), denied);
  const broken = { allowed: false, reason: '', error: 'e' };
  assert.deepEqual(ask(one(broken), one(no)), { allowed: false, reason: 'a', error: 'e' });
  assert.equal((await ask(one(broken), yes)).allowed, true);
});

test('a union of named authorizers answers with the name of each one that gives a reason', async () => {
  const no = (name: string, reason: string) => ({
    ...{ name, authorizer: { authorize: async () => ({ allowed: false, reason }) } },
  });
  const union = new UnionAuthorizer([no('node', 'a'), no('rbac', ''), no('hook', 'b')]);
  const { reason } = await union.authorize(asked('alice', { resource: 'pods' }));
  assert.equal(reason, 'node: a\nhook: b');
});
