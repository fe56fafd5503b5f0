// API lifecycle of built-in kinds: the releases that introduced, deprecated and removed each version, and its
// replacement. Deprecation warnings, and the versions served by an emulated release, are derived from it. Kinds that
// are not listed are not deprecated.

export interface ApiLifecycle {
  /** Releases as `1.34`. */
  readonly introduced: string;
  readonly deprecated: string;
  /** The release that no longer serves it; undefined if unknown. */
  readonly removed?: string;
  /** `group/version/Kind` */
  readonly replacement?: string;
}

interface Row extends ApiLifecycle {
  readonly groupVersion: string;
  readonly kinds: readonly string[];
}

const ROWS: readonly Row[] = [
  { groupVersion: 'v1', kinds: ['ComponentStatus'], introduced: '1.0', deprecated: '1.19' },
  {
    groupVersion: 'v1',
    kinds: ['Endpoints'],
    introduced: '1.0',
    deprecated: '1.33',
    replacement: 'discovery.k8s.io/v1/EndpointSlice',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1alpha1',
    kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    introduced: '1.32',
    deprecated: '1.35',
    removed: '1.38',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1alpha1',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1beta1',
    kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    introduced: '1.34',
    deprecated: '1.37',
    removed: '1.40',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1beta1',
    kinds: ['MutatingWebhookConfiguration'],
    introduced: '1.9',
    deprecated: '1.16',
    removed: '1.22',
    replacement: 'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1beta1',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    introduced: '1.28',
    deprecated: '1.31',
    removed: '1.34',
  },
  {
    groupVersion: 'admissionregistration.k8s.io/v1beta1',
    kinds: ['ValidatingWebhookConfiguration'],
    introduced: '1.9',
    deprecated: '1.16',
    removed: '1.22',
    replacement: 'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  },
  {
    groupVersion: 'apiextensions.k8s.io/v1beta1',
    kinds: ['ConversionReview'],
    introduced: '1.13',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'apiextensions.k8s.io/v1/ConversionReview',
  },
  {
    groupVersion: 'apiextensions.k8s.io/v1beta1',
    kinds: ['CustomResourceDefinition'],
    introduced: '1.7',
    deprecated: '1.16',
    removed: '1.22',
    replacement: 'apiextensions.k8s.io/v1/CustomResourceDefinition',
  },
  {
    groupVersion: 'apiregistration.k8s.io/v1beta1',
    kinds: ['APIService'],
    introduced: '1.7',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'apiregistration.k8s.io/v1/APIService',
  },
  {
    groupVersion: 'apps/v1beta1',
    kinds: ['ControllerRevision'],
    introduced: '1.7',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/ControllerRevision',
  },
  {
    groupVersion: 'apps/v1beta1',
    kinds: ['Deployment'],
    introduced: '1.6',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/Deployment',
  },
  {
    groupVersion: 'apps/v1beta1',
    kinds: ['DeploymentRollback'],
    introduced: '1.6',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/DeploymentRollback',
  },
  {
    groupVersion: 'apps/v1beta1',
    kinds: ['Scale'],
    introduced: '1.6',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'autoscaling/v1/Scale',
  },
  {
    groupVersion: 'apps/v1beta1',
    kinds: ['StatefulSet'],
    introduced: '1.5',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/StatefulSet',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['ControllerRevision'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'apps/v1/ControllerRevision',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['DaemonSet'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'apps/v1/DaemonSet',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['Deployment'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'apps/v1/Deployment',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['ReplicaSet'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'apps/v1/ReplicaSet',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['Scale'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'autoscaling/v1/Scale',
  },
  {
    groupVersion: 'apps/v1beta2',
    kinds: ['StatefulSet'],
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'apps/v1/StatefulSet',
  },
  {
    groupVersion: 'authentication.k8s.io/v1alpha1',
    kinds: ['SelfSubjectReview'],
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
  },
  {
    groupVersion: 'authentication.k8s.io/v1beta1',
    kinds: ['SelfSubjectReview'],
    introduced: '1.27',
    deprecated: '1.30',
    removed: '1.33',
  },
  {
    groupVersion: 'authentication.k8s.io/v1beta1',
    kinds: ['TokenReview'],
    introduced: '1.4',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'authentication.k8s.io/v1/TokenReview',
  },
  {
    groupVersion: 'authorization.k8s.io/v1beta1',
    kinds: ['LocalSubjectAccessReview'],
    introduced: '1.2',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'authorization.k8s.io/v1/LocalSubjectAccessReview',
  },
  {
    groupVersion: 'authorization.k8s.io/v1beta1',
    kinds: ['SelfSubjectAccessReview'],
    introduced: '1.2',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'authorization.k8s.io/v1/SelfSubjectAccessReview',
  },
  {
    groupVersion: 'authorization.k8s.io/v1beta1',
    kinds: ['SelfSubjectRulesReview'],
    introduced: '1.8',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'authorization.k8s.io/v1/SelfSubjectRulesReview',
  },
  {
    groupVersion: 'authorization.k8s.io/v1beta1',
    kinds: ['SubjectAccessReview'],
    introduced: '1.2',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'authorization.k8s.io/v1/SubjectAccessReview',
  },
  {
    groupVersion: 'autoscaling/v2beta1',
    kinds: ['HorizontalPodAutoscaler'],
    introduced: '1.8',
    deprecated: '1.22',
    removed: '1.25',
    replacement: 'autoscaling/v2/HorizontalPodAutoscaler',
  },
  {
    groupVersion: 'autoscaling/v2beta2',
    kinds: ['HorizontalPodAutoscaler'],
    introduced: '1.12',
    deprecated: '1.23',
    removed: '1.26',
    replacement: 'autoscaling/v2/HorizontalPodAutoscaler',
  },
  {
    groupVersion: 'batch/v1beta1',
    kinds: ['CronJob'],
    introduced: '1.8',
    deprecated: '1.21',
    removed: '1.25',
    replacement: 'batch/v1/CronJob',
  },
  {
    groupVersion: 'certificates.k8s.io/v1alpha1',
    kinds: ['ClusterTrustBundle'],
    introduced: '1.26',
    deprecated: '1.34',
    removed: '1.37',
  },
  {
    groupVersion: 'certificates.k8s.io/v1alpha1',
    kinds: ['PodCertificateRequest'],
    introduced: '1.34',
    deprecated: '1.37',
    removed: '1.40',
  },
  {
    groupVersion: 'certificates.k8s.io/v1beta1',
    kinds: ['CertificateSigningRequest'],
    introduced: '1.12',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'certificates.k8s.io/v1/CertificateSigningRequest',
  },
  {
    groupVersion: 'certificates.k8s.io/v1beta1',
    kinds: ['ClusterTrustBundle'],
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
  },
  {
    groupVersion: 'coordination.k8s.io/v1alpha2',
    kinds: ['LeaseCandidate'],
    introduced: '1.32',
    deprecated: '1.35',
    removed: '1.38',
  },
  {
    groupVersion: 'coordination.k8s.io/v1beta1',
    kinds: ['Lease'],
    introduced: '1.12',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'coordination.k8s.io/v1/Lease',
  },
  {
    groupVersion: 'coordination.k8s.io/v1beta1',
    kinds: ['LeaseCandidate'],
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
  },
  {
    groupVersion: 'discovery.k8s.io/v1beta1',
    kinds: ['EndpointSlice'],
    introduced: '1.16',
    deprecated: '1.21',
    removed: '1.25',
    replacement: 'discovery.k8s.io/v1/EndpointSlice',
  },
  { groupVersion: 'events.k8s.io/v1beta1', kinds: ['Event'], introduced: '1.8', deprecated: '1.22', removed: '1.25' },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['DaemonSet'],
    introduced: '1.1',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/DaemonSet',
  },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['Deployment'],
    introduced: '1.1',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/Deployment',
  },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['DeploymentRollback'],
    introduced: '1.2',
    deprecated: '1.8',
    removed: '1.16',
  },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['Ingress'],
    introduced: '1.1',
    deprecated: '1.14',
    removed: '1.22',
    replacement: 'networking.k8s.io/v1/Ingress',
  },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['NetworkPolicy'],
    introduced: '1.3',
    deprecated: '1.9',
    removed: '1.16',
    replacement: 'networking.k8s.io/v1/NetworkPolicy',
  },
  {
    groupVersion: 'extensions/v1beta1',
    kinds: ['ReplicaSet'],
    introduced: '1.2',
    deprecated: '1.8',
    removed: '1.16',
    replacement: 'apps/v1/ReplicaSet',
  },
  { groupVersion: 'extensions/v1beta1', kinds: ['Scale'], introduced: '1.1', deprecated: '1.2', removed: '1.16' },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta1',
    kinds: ['FlowSchema'],
    introduced: '1.20',
    deprecated: '1.23',
    removed: '1.26',
    replacement: 'flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema',
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta1',
    kinds: ['PriorityLevelConfiguration'],
    introduced: '1.20',
    deprecated: '1.23',
    removed: '1.26',
    replacement: 'flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration',
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta2',
    kinds: ['FlowSchema'],
    introduced: '1.23',
    deprecated: '1.26',
    removed: '1.29',
    replacement: 'flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema',
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta2',
    kinds: ['PriorityLevelConfiguration'],
    introduced: '1.23',
    deprecated: '1.26',
    removed: '1.29',
    replacement: 'flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration',
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta3',
    kinds: ['FlowSchema'],
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
    replacement: 'flowcontrol.apiserver.k8s.io/v1/FlowSchema',
  },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1beta3',
    kinds: ['PriorityLevelConfiguration'],
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
    replacement: 'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration',
  },
  {
    groupVersion: 'networking.k8s.io/v1beta1',
    kinds: ['IPAddress', 'ServiceCIDR'],
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
  },
  {
    groupVersion: 'networking.k8s.io/v1beta1',
    kinds: ['Ingress'],
    introduced: '1.14',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'networking.k8s.io/v1/Ingress',
  },
  {
    groupVersion: 'networking.k8s.io/v1beta1',
    kinds: ['IngressClass'],
    introduced: '1.18',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'networking.k8s.io/v1/IngressClassList',
  },
  {
    groupVersion: 'node.k8s.io/v1beta1',
    kinds: ['RuntimeClass'],
    introduced: '1.13',
    deprecated: '1.22',
    removed: '1.25',
  },
  { groupVersion: 'policy/v1beta1', kinds: ['Eviction'], introduced: '1.5', deprecated: '1.22', removed: '1.25' },
  {
    groupVersion: 'policy/v1beta1',
    kinds: ['PodDisruptionBudget'],
    introduced: '1.5',
    deprecated: '1.21',
    removed: '1.25',
    replacement: 'policy/v1/PodDisruptionBudget',
  },
  {
    groupVersion: 'rbac.authorization.k8s.io/v1beta1',
    kinds: ['ClusterRole'],
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    replacement: 'rbac.authorization.k8s.io/v1/ClusterRole',
  },
  {
    groupVersion: 'rbac.authorization.k8s.io/v1beta1',
    kinds: ['ClusterRoleBinding'],
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    replacement: 'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  },
  {
    groupVersion: 'rbac.authorization.k8s.io/v1beta1',
    kinds: ['Role'],
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    replacement: 'rbac.authorization.k8s.io/v1/Role',
  },
  {
    groupVersion: 'rbac.authorization.k8s.io/v1beta1',
    kinds: ['RoleBinding'],
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    replacement: 'rbac.authorization.k8s.io/v1/RoleBinding',
  },
  {
    groupVersion: 'resource.k8s.io/v1alpha3',
    kinds: ['DeviceTaintRule'],
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
  },
  {
    groupVersion: 'resource.k8s.io/v1beta1',
    kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    introduced: '1.32',
    deprecated: '1.35',
    removed: '1.38',
  },
  {
    groupVersion: 'resource.k8s.io/v1beta2',
    kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
  },
  {
    groupVersion: 'scheduling.k8s.io/v1beta1',
    kinds: ['PriorityClass'],
    introduced: '1.11',
    deprecated: '1.14',
    removed: '1.22',
    replacement: 'scheduling.k8s.io/v1/PriorityClass',
  },
  {
    groupVersion: 'storage.k8s.io/v1alpha1',
    kinds: ['CSIStorageCapacity'],
    introduced: '1.19',
    deprecated: '1.21',
    removed: '1.24',
    replacement: 'storage.k8s.io/v1beta1/CSIStorageCapacity',
  },
  {
    groupVersion: 'storage.k8s.io/v1alpha1',
    kinds: ['VolumeAttachment'],
    introduced: '1.9',
    deprecated: '1.21',
    removed: '1.24',
    replacement: 'storage.k8s.io/v1/VolumeAttachment',
  },
  {
    groupVersion: 'storage.k8s.io/v1alpha1',
    kinds: ['VolumeAttributesClass'],
    introduced: '1.29',
    deprecated: '1.32',
    removed: '1.35',
    replacement: 'storage.k8s.io/v1/VolumeAttributesClass',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['CSIDriver'],
    introduced: '1.14',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'storage.k8s.io/v1/CSIDriver',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['CSINode'],
    introduced: '1.14',
    deprecated: '1.17',
    removed: '1.22',
    replacement: 'storage.k8s.io/v1/CSINode',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['CSIStorageCapacity'],
    introduced: '1.21',
    deprecated: '1.24',
    removed: '1.27',
    replacement: 'storage.k8s.io/v1/CSIStorageCapacity',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['StorageClass'],
    introduced: '1.4',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'storage.k8s.io/v1/StorageClass',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['VolumeAttachment'],
    introduced: '1.10',
    deprecated: '1.19',
    removed: '1.22',
    replacement: 'storage.k8s.io/v1/VolumeAttachment',
  },
  {
    groupVersion: 'storage.k8s.io/v1beta1',
    kinds: ['VolumeAttributesClass'],
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    replacement: 'storage.k8s.io/v1/VolumeAttributesClass',
  },
  {
    groupVersion: 'storagemigration.k8s.io/v1alpha1',
    kinds: ['StorageVersionMigration'],
    introduced: '1.30',
    deprecated: '1.33',
    removed: '1.36',
  },
];

/** Kinds that are not deprecated and were introduced after the oldest release that can be emulated. */
const INTRODUCED: readonly Pick<Row, 'groupVersion' | 'kinds' | 'introduced'>[] = [
  {
    groupVersion: 'admissionregistration.k8s.io/v1',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    introduced: '1.30',
  },
  { groupVersion: 'authentication.k8s.io/v1', kinds: ['SelfSubjectReview'], introduced: '1.28' },
  {
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kinds: ['FlowSchema', 'PriorityLevelConfiguration'],
    introduced: '1.29',
  },
  { groupVersion: 'networking.k8s.io/v1', kinds: ['IPAddress', 'ServiceCIDR'], introduced: '1.33' },
  {
    groupVersion: 'resource.k8s.io/v1',
    kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    introduced: '1.34',
  },
  { groupVersion: 'storage.k8s.io/v1', kinds: ['VolumeAttributesClass'], introduced: '1.34' },
];

/** The minor version of Kubernetes 1 that introduced a version of a kind; 0 for one older than what can be emulated. */
export function introducedMinor(groupVersion: string, kind: string): number {
  const is = (row: Pick<Row, 'groupVersion' | 'kinds'>) =>
    row.groupVersion === groupVersion && row.kinds.includes(kind);
  const introduced = (ROWS.find(is) ?? INTRODUCED.find(is))?.introduced;
  return introduced === undefined ? 0 : minor(introduced);
}

/** Whether a release (`1.34`) no longer has a version of a kind. */
export function isRemoved(groupVersion: string, kind: string, release: string): boolean {
  const removed = apiLifecycle(groupVersion, kind)?.removed;
  return removed !== undefined && minor(removed) <= minor(release);
}

/** The lifecycle of a version of a kind; undefined if it is not deprecated in any known release. */
export function apiLifecycle(groupVersion: string, kind: string): ApiLifecycle | undefined {
  return ROWS.find((row) => row.groupVersion === groupVersion && row.kinds.includes(kind));
}

/**
 * The warning for a kind that `release` has deprecated, in Kubernetes' words.
 * @param release the emulated one: `1.34`
 */
export function deprecationWarning(groupVersion: string, kind: string, release: string): string | undefined {
  const lifecycle = apiLifecycle(groupVersion, kind);
  if (lifecycle === undefined || minor(lifecycle.deprecated) > minor(release)) return undefined;
  const { deprecated, removed, replacement } = lifecycle;
  const unavailable = removed === undefined ? '' : `, unavailable in v${removed}+`;
  return `${groupVersion} ${kind} is deprecated in v${deprecated}+${unavailable}${replacement === undefined ? '' : `; use ${named(replacement)}`}`;
}

/** `group/version/Kind` as in messages. */
function named(replacement: string): string {
  const slash = replacement.lastIndexOf('/');
  return `${replacement.slice(0, slash)} ${replacement.slice(slash + 1)}`;
}

function minor(release: string): number {
  return Number(release.slice(release.indexOf('.') + 1));
}
