// Migration rules: the API version that each becomes, and the changes. A rule covers one version and some kinds; kinds
// without a rule that are no longer served have to be migrated by hand.

import { lookup } from '../base/lookup.ts';
import { migrateAutoscalerV2beta1 } from './autoscaler.ts';
import {
  migrateDefinition,
  migrateEvent,
  migratePriorityLevel,
  migrateSigningRequest,
  migrateWebhooks,
} from './control-plane.ts';
import type { Manifest } from './manifest.ts';
import { migrateDisruptionBudget, migrateEndpointSlice, migrateIngress } from './networking.ts';
import {
  migrateCronJob,
  migrateDaemonSet,
  migrateDeployment,
  migrateReplicaSet,
  migrateStatefulSet,
} from './workloads.ts';

interface MigrationRule {
  readonly from: string;
  readonly kinds: readonly string[];
  /** Target API versions, the preferred one first, with the minor version of Kubernetes 1 that introduced each. */
  readonly to: readonly (readonly [apiVersion: string, since: number])[];
  /** The minor version that removed the version, for alpha versions, which the lifecycle table does not contain. */
  readonly removed?: number;
  /** Changes what differs between the versions; the API version is changed afterwards. */
  readonly migrate?: (manifest: Manifest) => void;
}

type Migrate = MigrationRule['migrate'];

function rule(kinds: string, [from, to]: readonly [from: string, to: string], migrate?: Migrate): MigrationRule {
  return { from, kinds: kinds.split(' '), to: [[to, 0]], ...(migrate === undefined ? {} : { migrate }) };
}

const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io';

const APPS = ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'].flatMap((from) => [
  rule('Deployment', [from, 'apps/v1'], migrateDeployment),
  rule('DaemonSet', [from, 'apps/v1'], migrateDaemonSet),
  rule('ReplicaSet', [from, 'apps/v1'], migrateReplicaSet),
  rule('StatefulSet', [from, 'apps/v1'], migrateStatefulSet),
  rule('ControllerRevision', [from, 'apps/v1']),
]);

const FLOW = ['v1beta1', 'v1beta2', 'v1beta3'].flatMap((version): MigrationRule[] => {
  const to: MigrationRule['to'] = [
    [`${FLOW_CONTROL}/v1`, 29],
    [`${FLOW_CONTROL}/v1beta3`, 26],
  ];
  const from = `${FLOW_CONTROL}/${version}`;
  return [
    { from, to, kinds: ['FlowSchema'] },
    { from, to, kinds: ['PriorityLevelConfiguration'], migrate: migratePriorityLevel },
  ];
});

const RBAC_KINDS = 'ClusterRole ClusterRoleBinding Role RoleBinding';

const RULES: readonly MigrationRule[] = [
  ...APPS,
  ...FLOW,
  rule('Ingress', ['extensions/v1beta1', 'networking.k8s.io/v1'], migrateIngress),
  rule('NetworkPolicy', ['extensions/v1beta1', 'networking.k8s.io/v1']),
  rule('Ingress', ['networking.k8s.io/v1beta1', 'networking.k8s.io/v1'], migrateIngress),
  rule('IngressClass', ['networking.k8s.io/v1beta1', 'networking.k8s.io/v1']),
  rule(
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    ['admissionregistration.k8s.io/v1beta1', 'admissionregistration.k8s.io/v1'],
    migrateWebhooks,
  ),
  ...['v1alpha1', 'v1beta1'].map(
    (version): MigrationRule => ({
      from: `admissionregistration.k8s.io/${version}`,
      kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
      to: [
        ['admissionregistration.k8s.io/v1', 30],
        ['admissionregistration.k8s.io/v1beta1', 28],
      ],
    }),
  ),
  rule('CustomResourceDefinition', ['apiextensions.k8s.io/v1beta1', 'apiextensions.k8s.io/v1'], migrateDefinition),
  rule('APIService', ['apiregistration.k8s.io/v1beta1', 'apiregistration.k8s.io/v1']),
  rule('HorizontalPodAutoscaler', ['autoscaling/v2beta1', 'autoscaling/v2'], migrateAutoscalerV2beta1),
  rule('HorizontalPodAutoscaler', ['autoscaling/v2beta2', 'autoscaling/v2']),
  rule('CronJob', ['batch/v1beta1', 'batch/v1'], migrateCronJob),
  rule('CertificateSigningRequest', ['certificates.k8s.io/v1beta1', 'certificates.k8s.io/v1'], migrateSigningRequest),
  rule('Lease', ['coordination.k8s.io/v1beta1', 'coordination.k8s.io/v1']),
  rule('EndpointSlice', ['discovery.k8s.io/v1beta1', 'discovery.k8s.io/v1'], migrateEndpointSlice),
  rule('Event', ['events.k8s.io/v1beta1', 'events.k8s.io/v1'], migrateEvent),
  rule('RuntimeClass', ['node.k8s.io/v1beta1', 'node.k8s.io/v1']),
  rule('PodDisruptionBudget', ['policy/v1beta1', 'policy/v1'], migrateDisruptionBudget),
  rule('Eviction', ['policy/v1beta1', 'policy/v1']),
  rule(RBAC_KINDS, ['rbac.authorization.k8s.io/v1beta1', 'rbac.authorization.k8s.io/v1']),
  { ...rule(RBAC_KINDS, ['rbac.authorization.k8s.io/v1alpha1', 'rbac.authorization.k8s.io/v1']), removed: 23 },
  rule('PriorityClass', ['scheduling.k8s.io/v1beta1', 'scheduling.k8s.io/v1']),
  { ...rule('PriorityClass', ['scheduling.k8s.io/v1alpha1', 'scheduling.k8s.io/v1']), removed: 23 },
  rule('CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment', [
    'storage.k8s.io/v1beta1',
    'storage.k8s.io/v1',
  ]),
  rule('CSIStorageCapacity VolumeAttachment', ['storage.k8s.io/v1alpha1', 'storage.k8s.io/v1']),
];

/** Kinds that were removed without a successor, and their replacement. */
const GONE: Readonly<Record<string, string>> = lookup({
  'policy/v1beta1 PodSecurityPolicy':
    'PodSecurityPolicy is gone: label namespaces for pod security admission, or use an admission webhook',
  'extensions/v1beta1 PodSecurityPolicy':
    'PodSecurityPolicy is gone: label namespaces for pod security admission, or use an admission webhook',
  'extensions/v1beta1 DeploymentRollback': 'DeploymentRollback is gone: use kubectl rollout undo',
  'apps/v1beta1 DeploymentRollback': 'DeploymentRollback is gone: use kubectl rollout undo',
});

export function findRule(apiVersion: string, kind: string): MigrationRule | undefined {
  return RULES.find(({ from, kinds }) => from === apiVersion && kinds.includes(kind));
}

/** Why a kind cannot be migrated; undefined if it can, or need not be. */
export function goneKind(apiVersion: string, kind: string): string | undefined {
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(GONE, key) ? GONE[key] : undefined;
}

/** Whether a text may contain an API version with a rule or without a successor: fast, without false negatives. */
export function mayNeedMigration(text: string): boolean {
  return VERSIONS.some((version) => text.includes(version));
}

const VERSIONS: readonly string[] = [
  ...new Set([...RULES.map(({ from }) => from), ...Object.keys(GONE).map((key) => key.split(' ')[0] ?? '')]),
];
