import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../api/object.ts';
import { atOnce } from '../../base/steps.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { Node, StructNode } from '../../schema/node.ts';
import { collectingSchemas } from '../../schema/openapi.ts';
import { REMOVED_TYPES } from './removed-types.ts';
import { builtinGroupVersions, builtinType, findBuiltinType } from './types.ts';

const SCALARS: Readonly<Record<string, Json>> = {
  string: 'text',
  bool: true,
  int32: 7,
  int64: 9007199254740993n,
  float64: 1.5,
  bytes: 'aGk=',
  quantity: '100m',
  intOrString: '25%',
  time: '2026-01-02T03:04:05Z',
  microTime: '2026-01-02T03:04:05.000006Z',
  duration: '1m30s',
  raw: { any: ['thing'] },
  fields: { 'f:spec': {} },
  json: [{ deep: null }],
};
const DEPTH = 7;

/** A value of a type with every member set, down to a depth where recursive types stop. */
function example(node: Node, depth = 0): Json {
  if (node.kind === 'list') return [example(node.items, depth + 1)];
  if (node.kind === 'map') return { key: example(node.values, depth + 1) };
  if (node.kind !== 'struct') return SCALARS[node.kind] as Json;
  if (node.form === 'raw') return { raw: true };
  if (node.form === 'structOrBool') return true;
  if (node.form === 'structOrList') return { description: 'text' };
  const value: JsonObject = {};
  for (const field of node.jsonFields.values()) {
    const isStruct = field.node.kind !== 'list' && field.node.kind !== 'map';
    if (depth < DEPTH || (isStruct && field.node.kind !== 'struct')) value[field.name] = example(field.node, depth + 1);
    else if (field.node.kind === 'struct' && !field.pointer) value[field.name] = example(field.node, depth + 1);
  }
  return value;
}

function allTypes(): Set<StructNode> {
  const types = new Set<StructNode>();
  const visit = (node: Node): void => {
    if (node.kind === 'list') visit(node.items);
    else if (node.kind === 'map') visit(node.values);
    else if (node.kind === 'struct' && !types.has(node)) {
      types.add(node);
      for (const field of node.fields) visit(field.node);
    }
  };
  for (const kind of allKinds()) visit(kind);
  return types;
}

/** Every kind, found by what the types themselves say; the names come from the modules. */
function allKinds(): StructNode[] {
  const served = builtinGroupVersions().flatMap((groupVersion) => kindsOf(groupVersion));
  const removed = Object.values(REMOVED_TYPES).flatMap((types) => Object.values(types));
  return [...new Set([...served, ...removed.filter((type) => type.kinds.length > 0)])];
}

function kindsOf(groupVersion: string): StructNode[] {
  const slash = groupVersion.lastIndexOf('/');
  const names = KIND_NAMES.map((kind) =>
    findBuiltinType(slash < 0 ? '' : groupVersion.slice(0, slash), groupVersion.slice(slash + 1), kind),
  );
  return names.filter((type) => type !== undefined);
}

/** One kind at least of every group version. */
const KIND_NAMES = (
  'Pod PodTemplate Node Service Endpoints Event Namespace Secret ConfigMap ServiceAccount LimitRange ResourceQuota ' +
  'PersistentVolume PersistentVolumeClaim ReplicationController Status PodExecOptions Deployment StatefulSet DaemonSet ' +
  'ReplicaSet ControllerRevision Scale Job CronJob Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR HorizontalPodAutoscaler ' +
  'PodDisruptionBudget Eviction Role RoleBinding ClusterRole ClusterRoleBinding StorageClass CSIDriver CSINode VolumeAttachment ' +
  'CSIStorageCapacity VolumeAttributesClass Lease LeaseCandidate EndpointSlice FlowSchema PriorityLevelConfiguration ' +
  'PriorityClass RuntimeClass ResourceSlice ResourceClaim ResourceClaimTemplate DeviceClass DeviceTaintRule StorageVersion ' +
  'StorageVersionMigration CertificateSigningRequest ClusterTrustBundle PodCertificateRequest CustomResourceDefinition ' +
  'ConversionReview APIService TokenReview SelfSubjectReview SubjectAccessReview ' +
  'SelfSubjectRulesReview MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy ' +
  'ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding DeleteOptions'
).split(' ');

describe('built-in types', () => {
  it('built-in types are found by group, version and kind, and nothing else is', () => {
    assert.equal(builtinType('', 'v1', 'Pod').name, 'core/v1.Pod');
    assert.equal(builtinType('apps', 'v1', 'DeploymentList').name, 'apps/v1.DeploymentList');
    assert.equal(builtinType('batch', 'v1', 'DeleteOptions').name, 'meta/v1.DeleteOptions');
    for (const kind of ['Container', 'toString', 'PodSpec', ''])
      assert.equal(findBuiltinType('', 'v1', kind), undefined);
    assert.equal(findBuiltinType('apps', 'v9', 'Deployment'), undefined);
    assert.throws(() => builtinType('apps', 'v1', 'Pod'), /no built-in type apps\/v1 Pod/);
  });

  it('built-in types exist for every group version', () => {
    for (const groupVersion of builtinGroupVersions()) {
      assert.ok(
        kindsOf(groupVersion).some((type) => !type.name.startsWith('meta/')),
        groupVersion,
      );
    }
  });

  it('built-in types are complete, and their fields have different protobuf numbers', () => {
    const types = allTypes();
    assert.ok(types.size > 800, `${types.size} types`);
    for (const type of types) {
      const numbers = type.fields.map((field) => field.number).filter((number) => number !== 0);
      assert.equal(new Set(numbers).size, numbers.length, type.name);
      for (const field of type.fields) {
        if (field.node.kind !== 'list' || field.node.items.kind !== 'struct') continue;
        for (const key of field.node.keys) {
          assert.ok(field.node.items.jsonFields.has(key), `${type.name}.${field.name} is keyed by ${key}`);
        }
      }
    }
  });

  it('built-in types decode an object to a form that decodes to itself', () => {
    for (const type of allKinds()) {
      for (const given of [{}, example(type)]) {
        const once = decodeObject(type, given);
        assert.deepEqual(once.unknown, [], type.name);
        const twice = decodeObject(type, once.value);
        assert.deepEqual(twice.value, once.value, type.name);
        assert.deepEqual(Object.keys(twice.value), Object.keys(once.value), type.name);
        assert.equal(decodeObject(type, once.value, { owned: true }).value, once.value, type.name);
      }
    }
  });

  it('built-in types refer only to types in OpenAPI that are published with them', () => {
    const schemas = atOnce(collectingSchemas(allKinds(), { version: 3, ref: (name) => name }));
    for (const [name, schema] of schemas) {
      for (const [, mentioned = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
        assert.ok(schemas.has(mentioned), `${name} mentions ${mentioned}`);
      }
    }
  });

  it('built-in types encode times and structs that were never set as Kubernetes does', () => {
    const { value } = decodeObject(builtinType('', 'v1', 'Pod'), {
      metadata: { creationTimestamp: null },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    assert.deepEqual(value, {
      metadata: {},
      spec: { containers: null },
      status: { conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }] },
    });
  });
});

it('decoding errors report a value of the wrong type by the name of the field in Go', () => {
  const refusal = (group: string, kind: string, value: JsonObject) => {
    try {
      decodeObject(builtinType(group, 'v1', kind), value);
    } catch (error) {
      return (error as Error).message.replace('json: cannot unmarshal ', '');
    }
    return undefined;
  };
  const hard = 'into Go struct field ResourceQuotaSpec.spec.hard of type v1.ResourceList';
  assert.equal(refusal('', 'ResourceQuota', { spec: { hard: [] } }), `array ${hard}`);
  const types = 'into Go struct field NetworkPolicySpec.spec.policyTypes of type';
  const policy = (policyTypes: Json) => refusal('networking.k8s.io', 'NetworkPolicy', { spec: { policyTypes } });
  assert.equal(policy({}), `object ${types} []v1.PolicyType`);
  assert.equal(policy([1]), `number ${types} v1.PolicyType`);
});
