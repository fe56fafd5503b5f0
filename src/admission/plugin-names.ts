// Names of the admission plugins, in Kubernetes' order, and which of them are enabled by default.

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

interface PluginChoice {
  /** Plugins enabled in addition to the defaults. */
  readonly enable: readonly string[];
  /** Disabled plugins; one that is also enabled stays enabled. */
  readonly disable: readonly string[];
  /** If not empty, exactly these are enabled, whatever the other options say. */
  readonly only: readonly string[];
}

export function isPluginName(name: string): name is PluginName {
  return (PLUGIN_NAMES as readonly string[]).includes(name);
}

/** Sorts the plugins of one phase into Kubernetes' order. */
export function inOrder<T extends { readonly name: string }>(plugins: readonly T[]): T[] {
  const position = ({ name }: T): number => (PLUGIN_NAMES as readonly string[]).indexOf(name);
  return plugins.toSorted((one, other) => position(one) - position(other));
}

export function enabledPlugins({ enable, disable, only }: PluginChoice): ReadonlySet<PluginName> {
  const isOn = (name: PluginName): boolean => {
    if (only.length > 0) return only.includes(name);
    return enable.includes(name) || !(OFF_BY_DEFAULT.has(name) || disable.includes(name));
  };
  return new Set(PLUGIN_NAMES.filter(isOn));
}
