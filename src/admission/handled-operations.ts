// The operations that each admission plugin handles, as declared by Kubernetes' plugins: its metrics exclude all
// others.

import type { Operation } from './chain.ts';
import type { PluginName } from './plugin-names.ts';

const WRITES: readonly Operation[] = ['create', 'update'];
const CREATIONS: readonly Operation[] = ['create'];
const UPDATES: readonly Operation[] = ['update'];
const STORED: readonly Operation[] = ['create', 'update', 'delete'];

/** Plugins that are not listed handle every operation. */
const HANDLED: ReadonlyMap<string, readonly Operation[]> = new Map<PluginName, readonly Operation[]>([
  ['NamespaceAutoProvision', CREATIONS],
  ['NamespaceLifecycle', STORED],
  ['NamespaceExists', STORED],
  ['LimitPodHardAntiAffinityTopology', WRITES],
  ['LimitRanger', WRITES],
  ['ServiceAccount', WRITES],
  ['NodeRestriction', STORED],
  ['TaintNodesByCondition', CREATIONS],
  ['AlwaysPullImages', WRITES],
  ['ImagePolicyWebhook', WRITES],
  ['PodSecurity', WRITES],
  ['PodNodeSelector', CREATIONS],
  ['Priority', STORED],
  ['DefaultTolerationSeconds', WRITES],
  ['PodTolerationRestriction', WRITES],
  ['EventRateLimit', WRITES],
  ['ExtendedResourceToleration', WRITES],
  ['DefaultStorageClass', CREATIONS],
  ['StorageObjectInUseProtection', CREATIONS],
  ['PodGroupProtection', CREATIONS],
  ['OwnerReferencesPermissionEnforcement', WRITES],
  ['PersistentVolumeClaimResize', UPDATES],
  ['RuntimeClass', CREATIONS],
  ['CertificateApproval', UPDATES],
  ['CertificateSigning', UPDATES],
  ['ClusterTrustBundleAttest', WRITES],
  ['CertificateSubjectRestriction', CREATIONS],
  ['DefaultIngressClass', CREATIONS],
  ['DenyServiceExternalIPs', WRITES],
  ['PodTopologyLabels', CREATIONS],
  ['PodGroupWorkloadExists', CREATIONS],
  ['NodeDeclaredFeatureValidator', WRITES],
  ['JobValidation', UPDATES],
  ['PodResizeValidator', UPDATES],
  ['MutatingAdmissionPolicy', ['create', 'update', 'connect']],
  ['ResourceQuota', WRITES],
]);

/** Whether the plugin with that name handles this operation. */
export function handles(plugin: string, operation: Operation): boolean {
  return HANDLED.get(plugin)?.includes(operation) ?? true;
}
