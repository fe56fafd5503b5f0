// Names of the admission plugins, in the order in which Kubernetes runs them, and which of them are on by default.

/** Those that change objects have all been asked before the first that only judges. */
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

/** NodeRestriction is not among them: kube-apiserver has it off, but every installer of clusters turns it on. */
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
  /** Those that are on besides the default ones. */
  readonly enable: readonly string[];
  /** Those that are off; who is enabled as well stays on. */
  readonly disable: readonly string[];
  /** Where it is not empty, just these are on, whatever the others say. */
  readonly only: readonly string[];
}

export function isPluginName(name: string): name is PluginName {
  return (PLUGIN_NAMES as readonly string[]).includes(name);
}

export function enabledPlugins({ enable, disable, only }: PluginChoice): ReadonlySet<PluginName> {
  const isOn = (name: PluginName): boolean => {
    if (only.length > 0) return only.includes(name);
    return enable.includes(name) || !(OFF_BY_DEFAULT.has(name) || disable.includes(name));
  };
  return new Set(PLUGIN_NAMES.filter(isOn));
}
