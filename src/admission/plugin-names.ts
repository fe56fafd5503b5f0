// Names of the admission plugins, in Kubernetes' order, which of them a release has, and which are enabled by default.

import { lookup } from '../base/lookup.ts';

/** The order within each phase; all mutating plugins run before the first validating one. */
const PLUGIN_NAMES = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PodGroupProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
  'PodTopologyLabels',
  'PodGroupWorkloadExists',
  'NodeDeclaredFeatureValidator',
  'JobValidation',
  'PodResizeValidator',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
] as const;

export type PluginName = (typeof PLUGIN_NAMES)[number];

/** NodeRestriction is disabled by default in kube-apiserver, but every cluster installer enables it. */
const OFF_BY_DEFAULT: ReadonlySet<PluginName> = new Set<PluginName>([
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'OwnerReferencesPermissionEnforcement',
  'DenyServiceExternalIPs',
  'AlwaysDeny',
]);

/** The minor releases of Kubernetes 1 that have a plugin, if not all from the oldest to the newest have it. */
const RELEASES = lookup<{ readonly since: number; readonly until?: number }>({
  PodGroupProtection: { since: 36 },
  PodGroupWorkloadExists: { since: 36, until: 36 },
  NodeDeclaredFeatureValidator: { since: 35 },
  JobValidation: { since: 36, until: 36 },
  PodResizeValidator: { since: 36 },
});

interface PluginChoice {
  /** The minor release of Kubernetes 1. */
  readonly minor: number;
  /** Plugins enabled in addition to the defaults. */
  readonly enable: readonly string[];
  /** Disabled plugins; one that is also enabled stays enabled. */
  readonly disable: readonly string[];
  /** If not empty, exactly these are enabled, whatever the other options say. */
  readonly only: readonly string[];
}

/** Whether a minor release of Kubernetes 1 has a plugin of that name. */
export function isPluginName(name: string, minor: number): name is PluginName {
  const { since, until = minor } = RELEASES[name] ?? { since: 0 };
  return (PLUGIN_NAMES as readonly string[]).includes(name) && since <= minor && minor <= until;
}

/** Sorts the plugins of one phase into Kubernetes' order. */
export function inOrder<T extends { readonly name: string }>(plugins: readonly T[]): T[] {
  const position = ({ name }: T): number => (PLUGIN_NAMES as readonly string[]).indexOf(name);
  return plugins.toSorted((one, other) => position(one) - position(other));
}

export function enabledPlugins({ minor, enable, disable, only }: PluginChoice): ReadonlySet<PluginName> {
  const isOn = (name: PluginName): boolean => {
    if (only.length > 0) return only.includes(name);
    return enable.includes(name) || !(OFF_BY_DEFAULT.has(name) || disable.includes(name));
  };
  return new Set(PLUGIN_NAMES.filter((name) => isPluginName(name, minor) && isOn(name)));
}
