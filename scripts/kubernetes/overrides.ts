// What Kubernetes does not publish about its API types in a form that a program can read, or publishes otherwise than
// its server behaves; each with the reason. The writer of declarations applies it to the table. A name without a
// package, `ReplicaSetStatus.terminatingReplicas`, stands for the type in all versions.

import type { FieldFacts } from './type-facts.ts';

/** A gate that guards a field from a minor release of Kubernetes 1 on. */
interface LaterGate {
  readonly gate: string;
  readonly since: number;
}

/** The gate behind which a field is dropped on write, if its marker does not say so; null for none. */
export const GATES: Readonly<Record<string, string | LaterGate | null>> = {
  // Dropped by the code of a strategy; no marker.
  'DeploymentStatus.terminatingReplicas': 'DeploymentReplicaSetTerminatingReplicas',
  'ReplicaSetStatus.terminatingReplicas': 'DeploymentReplicaSetTerminatingReplicas',
  'RollingUpdateStatefulSetStrategy.maxUnavailable': 'MaxUnavailableStatefulSet',
  'LoadBalancerIngress.ipMode': 'LoadBalancerIPMode',
  'PersistentVolumeClaimSpec.dataSourceRef': 'AnyVolumeDataSource',
  'PodAffinityTerm.matchLabelKeys': 'MatchLabelKeysInPodAffinity',
  'PodAffinityTerm.mismatchLabelKeys': 'MatchLabelKeysInPodAffinity',
  'PodSpec.hostUsers': 'UserNamespacesSupport',
  'TopologySpreadConstraint.matchLabelKeys': 'MatchLabelKeysInPodTopologySpread',
  'TopologySpreadConstraint.nodeAffinityPolicy': 'NodeInclusionPolicyInPodTopologySpread',
  'TopologySpreadConstraint.nodeTaintsPolicy': 'NodeInclusionPolicyInPodTopologySpread',
  'EndpointHints.forNodes': 'PreferSameTrafficDistribution',
  // The code asks for another gate than the marker names.
  'ContainerStatus.allocatedResources': 'InPlacePodVerticalScaling',
  'VolumeProjection.podCertificate': 'PodCertificateRequest',
  // A node's kubelet writes them; the server keeps them.
  'ContainerStatus.stopSignal': null,
  'NodeRuntimeHandlerFeatures.recursiveReadOnlyMounts': null,
  'NodeRuntimeHandlerFeatures.userNamespaces': null,
  'NodeStatus.features': null,
  'NodeStatus.runtimeHandlers': null,
  'PodStatus.resize': null,
  // Dropped with more than the field, by gated-fields.ts, or refused by validation.
  'TypedObjectReference.namespace': null,
  'VolumeSource.image': null,
  'DeviceRequestAllocationResult.tolerations': null,
  'CSIDriverSpec.storageCapacity': null,
  // Kept until 1.34, although marked.
  'DeviceConstraint.distinctAttribute': { gate: 'DRAConsumableCapacity', since: 35 },
  'DeviceRequest.tolerations': { gate: 'DRADeviceTaints', since: 35 },
  'DeviceSubRequest.tolerations': { gate: 'DRADeviceTaints', since: 35 },
  'ExactDeviceRequest.tolerations': { gate: 'DRADeviceTaints', since: 35 },
};

/** Fields that are never dropped, but whose presence keeps the other fields of a gate. */
export const SHOWS_USE_OF: Readonly<Record<string, string>> = {
  // Kubernetes means to drop it, but drops it in a copy.
  'DeviceConstraint.distinctAttribute': 'DRAConsumableCapacity',
  // The whole volume and its mounts are dropped by gated-fields.ts.
  'VolumeSource.image': 'ImageVolume',
};

interface FieldOverride extends Partial<Record<keyof FieldFacts, unknown>> {
  /** The first and the last minor release of Kubernetes 1 that differ; without bounds, all do. */
  readonly since?: number;
  readonly until?: number;
}

/** Facts about fields that differ from the markers; undefined removes one. */
export const FIELDS: Readonly<Record<string, FieldOverride>> = {
  // Marked as enumerations, but not published as such.
  'MutatingAdmissionPolicySpec.reinvocationPolicy': { enum: undefined, since: 34, until: 34 },
  'MutatingWebhook.reinvocationPolicy': { enum: undefined, since: 34, until: 34 },
  'Rule.scope': { enum: undefined, until: 34 },
  // Tables are not published, and never applied.
  'Table.columnDefinitions': { listType: undefined },
  'Table.rows': { listType: undefined },
  'TableRow.cells': { listType: undefined },
  'TableRow.conditions': { listType: undefined },
};

interface TypeOverride {
  /** The source of the kinds, and the import that it needs. */
  readonly kinds?: string;
  readonly from?: readonly [name: string, file: string];
  readonly form?: string;
}

const NO_KIND: TypeOverride = { kinds: '' };

/** Types with a JSON form of their own, and types that are registered under other kinds than their name says. */
export const TYPES: Readonly<Record<string, TypeOverride>> = {
  'meta/v1.DeleteOptions': { kinds: "inEveryGroup('DeleteOptions')", from: ['inEveryGroup', 'meta/every-group.ts'] },
  'meta/v1.WatchEvent': { kinds: "inEveryGroup('WatchEvent')", from: ['inEveryGroup', 'meta/every-group.ts'] },
  'meta/v1.Status': { kinds: 'statusKinds', from: ['statusKinds', 'meta/every-group.ts'] },
  // Published without a kind, or not at all.
  'meta/v1.CreateOptions': NO_KIND,
  'meta/v1.GetOptions': NO_KIND,
  'meta/v1.ListOptions': NO_KIND,
  'meta/v1.PartialObjectMetadata': NO_KIND,
  'meta/v1.PartialObjectMetadataList': NO_KIND,
  'meta/v1.PatchOptions': NO_KIND,
  'meta/v1.Table': NO_KIND,
  'meta/v1.UpdateOptions': NO_KIND,
  'runtime.Unknown': { form: 'raw' },
  'apiextensions/v1.JSONSchemaPropsOrArray': { form: 'structOrList' },
  'apiextensions/v1.JSONSchemaPropsOrBool': { form: 'structOrBool' },
  'apiextensions/v1.JSONSchemaPropsOrStringArray': { form: 'structOrList' },
  'apiextensions/v1beta1.JSONSchemaPropsOrArray': { form: 'structOrList' },
  'apiextensions/v1beta1.JSONSchemaPropsOrBool': { form: 'structOrBool' },
  'apiextensions/v1beta1.JSONSchemaPropsOrStringArray': { form: 'structOrList' },
};

/** What a table of overrides says of a field or type, by its full name or in all versions. */
export function overrideOf<T>(overrides: Readonly<Record<string, T>>, name: string): T | undefined {
  const short = name.slice(name.indexOf('/v') < 0 ? 0 : name.indexOf('.') + 1);
  return Object.hasOwn(overrides, name) ? overrides[name] : overrides[short];
}
