// Which API version of a kind becomes which, and what changes on the way. A rule is for one version and some kinds; a
// kind without one, that a release no longer serves, has to be migrated by its owner.

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

export interface MigrationRule {
  readonly from: string;
  readonly kinds: readonly string[];
  /** API versions to go to, the best first, each with the minor version of Kubernetes 1 that brought it. */
  readonly to: readonly (readonly [apiVersion: string, since: number])[];
  /** Changes what the versions say in different ways; the API version is changed afterwards. */
  readonly migrate?: (manifest: Manifest) => void;
}

type Migrate = MigrationRule['migrate'];

function rule(from: string, kinds: string, to: string, migrate?: Migrate): MigrationRule {
  return { from, kinds: kinds.split(' '), to: [[to, 0]], ...(migrate === undefined ? {} : { migrate }) };
}

const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io';

const APPS = ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'].flatMap((from) => [
  rule(from, 'Deployment', 'apps/v1', migrateDeployment),
  rule(from, 'DaemonSet', 'apps/v1', migrateDaemonSet),
  rule(from, 'ReplicaSet', 'apps/v1', migrateReplicaSet),
  rule(from, 'StatefulSet', 'apps/v1', migrateStatefulSet),
  rule(from, 'ControllerRevision', 'apps/v1'),
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

const RULES: readonly MigrationRule[] = [
  ...APPS,
  ...FLOW,
  rule('extensions/v1beta1', 'Ingress', 'networking.k8s.io/v1', migrateIngress),
  rule('extensions/v1beta1', 'NetworkPolicy', 'networking.k8s.io/v1'),
  rule('networking.k8s.io/v1beta1', 'Ingress', 'networking.k8s.io/v1', migrateIngress),
  rule('networking.k8s.io/v1beta1', 'IngressClass', 'networking.k8s.io/v1'),
  rule(
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1',
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
  rule('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1', migrateDefinition),
  rule('apiregistration.k8s.io/v1beta1', 'APIService', 'apiregistration.k8s.io/v1'),
  rule('autoscaling/v2beta1', 'HorizontalPodAutoscaler', 'autoscaling/v2', migrateAutoscalerV2beta1),
  rule('autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'),
  rule('batch/v1beta1', 'CronJob', 'batch/v1', migrateCronJob),
  rule('certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 'certificates.k8s.io/v1', migrateSigningRequest),
  rule('coordination.k8s.io/v1beta1', 'Lease', 'coordination.k8s.io/v1'),
  rule('discovery.k8s.io/v1beta1', 'EndpointSlice', 'discovery.k8s.io/v1', migrateEndpointSlice),
  rule('events.k8s.io/v1beta1', 'Event', 'events.k8s.io/v1', migrateEvent),
  rule('node.k8s.io/v1beta1', 'RuntimeClass', 'node.k8s.io/v1'),
  rule('policy/v1beta1', 'PodDisruptionBudget', 'policy/v1', migrateDisruptionBudget),
  rule('policy/v1beta1', 'Eviction', 'policy/v1'),
  ...['v1alpha1', 'v1beta1'].map((version) =>
    rule(
      `rbac.authorization.k8s.io/${version}`,
      'ClusterRole ClusterRoleBinding Role RoleBinding',
      'rbac.authorization.k8s.io/v1',
    ),
  ),
  ...['v1alpha1', 'v1beta1'].map((version) =>
    rule(`scheduling.k8s.io/${version}`, 'PriorityClass', 'scheduling.k8s.io/v1'),
  ),
  rule(
    'storage.k8s.io/v1beta1',
    'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment',
    'storage.k8s.io/v1',
  ),
  rule('storage.k8s.io/v1alpha1', 'CSIStorageCapacity VolumeAttachment', 'storage.k8s.io/v1'),
];

/** Kinds that are gone without a successor, and what serves in their place. */
const GONE: Readonly<Record<string, string>> = {
  'policy/v1beta1 PodSecurityPolicy':
    'PodSecurityPolicy is gone: label namespaces for pod security admission, or use an admission webhook',
  'extensions/v1beta1 PodSecurityPolicy':
    'PodSecurityPolicy is gone: label namespaces for pod security admission, or use an admission webhook',
  'extensions/v1beta1 DeploymentRollback': 'DeploymentRollback is gone: use kubectl rollout undo',
  'apps/v1beta1 DeploymentRollback': 'DeploymentRollback is gone: use kubectl rollout undo',
};

export function findRule(apiVersion: string, kind: string): MigrationRule | undefined {
  return RULES.find(({ from, kinds }) => from === apiVersion && kinds.includes(kind));
}

/** Why a kind cannot be migrated; undefined where it can, or need not be. */
export function goneKind(apiVersion: string, kind: string): string | undefined {
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(GONE, key) ? GONE[key] : undefined;
}

/** Whether a text may name an API version that some rule or kind without a successor is about: cheap, and never wrong about "no". */
export function mayNeedMigration(text: string): boolean {
  return VERSIONS.some((version) => text.includes(version));
}

const VERSIONS: readonly string[] = [
  ...new Set([...RULES.map(({ from }) => from), ...Object.keys(GONE).map((key) => key.split(' ')[0] ?? '')]),
];
