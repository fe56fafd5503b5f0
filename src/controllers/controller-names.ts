// Selection of controllers in the syntax of kube-controller-manager's --controllers. Only names, independent of the
// controllers.

/** Every controller by its name, with its name in older releases of Kubernetes. */
export const CONTROLLERS = {
  'apiservice-availability-controller': 'apiservice-availability',
  'apiservice-discovery-controller': 'apiservice-discovery',
  'apiservice-openapi-controller': 'apiservice-openapi',
  'apiservice-registration-controller': 'apiservice-registration',
  'cluster-authentication-info-controller': 'cluster-authentication-info',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation',
  'event-expiry-controller': 'eventexpiry',
  'flowcontrol-objects-controller': 'flowcontrol-objects',
  'flowschema-status-controller': 'flowschema-status',
  'garbage-collector-controller': 'garbagecollector',
  'kubernetes-service-controller': 'kubernetes-service',
  'legacy-service-account-token-tracking-controller': 'legacy-service-account-token-tracking',
  'namespace-controller': 'namespace',
  'persistentvolume-protection-controller': 'pv-protection',
  'persistentvolumeclaim-protection-controller': 'pvc-protection',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'serviceaccount-controller': 'serviceaccount',
  'serviceaccount-token-controller': 'serviceaccount-token',
  'storage-version-migrator-controller': 'storage-version-migrator',
  'storageversion-garbage-collector-controller': 'storage-version-gc',
  'validatingadmissionpolicy-status-controller': 'validatingadmissionpolicy-status',
} as const satisfies Readonly<Record<string, string>>;

export type ControllerName = keyof typeof CONTROLLERS;

/**
 * The controllers and other parts of a cluster that lives, in src/cluster, by name, with their names in older releases.
 * A server that simulates nodes runs all of them; others only those that are named.
 */
export const CLUSTER_CONTROLLERS = {
  'certificatesigningrequest-approving-controller': 'csrapproving',
  'certificatesigningrequest-cleaner-controller': 'csrcleaner',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'cronjob-controller': 'cronjob',
  'daemonset-controller': 'daemonset',
  'deployment-controller': 'deployment',
  'disruption-controller': 'disruption',
  'endpoints-controller': 'endpoint',
  'endpointslice-controller': 'endpointslice',
  'ephemeral-volume-controller': 'ephemeral-volume',
  'endpointslice-mirroring-controller': 'endpointslicemirroring',
  'horizontal-pod-autoscaler-controller': 'horizontalpodautoscaling',
  'job-controller': 'job',
  'kube-scheduler': 'kube-scheduler',
  'metrics-server': 'metrics-server',
  'node-ipam-controller': 'nodeipam',
  'node-lifecycle-controller': 'nodelifecycle',
  'persistentvolume-attach-detach-controller': 'attachdetach',
  'persistentvolume-binder-controller': 'persistentvolume-binder',
  'persistentvolume-expander-controller': 'persistentvolume-expander',
  'pod-garbage-collector-controller': 'podgc',
  'node-simulation': 'node-simulation',
  'replicaset-controller': 'replicaset',
  'replicationcontroller-controller': 'replicationcontroller',
  'resourceclaim-controller': 'resource-claim-controller',
  'resourcequota-controller': 'resourcequota',
  'statefulset-controller': 'statefulset',
  'taint-eviction-controller': 'taint-eviction',
  'bootstrap-signer-controller': 'bootstrapsigner',
  'legacy-serviceaccount-token-cleaner-controller': 'legacy-service-account-token-cleaner',
  'podcertificaterequest-cleaner-controller': 'podcertificaterequest-cleaner',
  'service-lb-controller': 'service',
  'token-cleaner-controller': 'tokencleaner',
  'ttl-controller': 'ttl',
  'volumeattributesclass-protection-controller': 'volumeattributesclass-protection',
  'ttl-after-finished-controller': 'ttl-after-finished',
  'volume-provisioner': 'volume-provisioner',
} as const satisfies Readonly<Record<string, string>>;

export type ClusterControllerName = keyof typeof CLUSTER_CONTROLLERS;

type AnyController = ControllerName | ClusterControllerName;

/** Whether a controller is a part of the cluster. */
export function isOfCluster(name: string): name is ClusterControllerName {
  return Object.hasOwn(CLUSTER_CONTROLLERS, name);
}

/**
 * Controllers that belong to kube-controller-manager and must run only once among several servers. All others belong to
 * the API server: without them it does not do what its clients rely on.
 */
export const MANAGERS: ReadonlySet<AnyController> = new Set<AnyController>([
  ...(Object.keys(CLUSTER_CONTROLLERS) as ClusterControllerName[]),
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'storage-version-migrator-controller',
  'storageversion-garbage-collector-controller',
  'validatingadmissionpolicy-status-controller',
]);

/**
 * Controllers that `*` does not include unless the cluster lives. Removing protection finalizers of unused volumes and claims would interfere
 * with a kube-controller-manager, or with a test that decides about them. The status controller of policies changes the
 * resource version of a policy right after it was written: kube-apiserver alone does not do that, and clients of
 * kube-apiserver alone rely on it.
 */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set<ControllerName>([
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'validatingadmissionpolicy-status-controller',
]);

/** Parts of the cluster that `*` never includes, as in kube-controller-manager: cluster-info is kubeadm's. */
const ONLY_BY_NAME: ReadonlySet<string> = new Set<ClusterControllerName>(['bootstrap-signer-controller']);

const ALL = { ...CONTROLLERS, ...CLUSTER_CONTROLLERS };

/**
 * The selected controllers: `*` all that are enabled by default, `-*` none of kube-controller-manager's, `name` that
 * one too, `-name` not that one.
 *
 * @param selection separated by commas; '' selects none
 * @param lives whether nodes are simulated: `*` then includes everything
 */
export function selectedControllers(selection: string, lives = false): Set<AnyController> {
  const parts = partsOf(selection);
  const all = parts.some(({ name, on }) => name === '*' && on);
  const own = parts.some(({ name }) => name === '*');
  const names = Object.keys(ALL) as AnyController[];
  return new Set(
    names.filter((name) => {
      const first = parts.find((part) => part.name === name);
      if (first !== undefined) return first.on;
      if (!MANAGERS.has(name)) return own;
      if (ONLY_BY_NAME.has(name)) return false;
      return all && (lives || !(OFF_BY_DEFAULT.has(name) || isOfCluster(name)));
    }),
  );
}

/** Unknown names in a selection. */
export function unknownControllers(selection: string): string[] {
  return partsOf(selection).flatMap(({ name }) => (name === '*' || Object.hasOwn(ALL, name) ? [] : [name]));
}

function partsOf(selection: string): { name: string; on: boolean }[] {
  const words = selection.split(',').map((word) => word.trim());
  return words
    .filter((word) => word !== '')
    .map((word) => ({ name: nameOf(word.startsWith('-') ? word.slice(1) : word), on: !word.startsWith('-') }));
}

/** The current name of a controller. */
function nameOf(word: string): string {
  return Object.entries(ALL).find(([, alias]) => alias === word)?.[0] ?? word;
}
