// Feature gates, off by default, that the kinds and fields in alpha and beta need.

export const gates: Readonly<Record<string, boolean>> = Object.fromEntries(
  [
    'ClusterTrustBundle',
    'ClusterTrustBundleProjection',
    'ContainerRestartRules',
    'ContainerStopSignals',
    'CoordinatedLeaderElection',
    'CrossNamespaceVolumeDataSource',
    'DRAConsumableCapacity',
    'DRADeviceBindingConditions',
    'DRADeviceTaints',
    'DRAExtendedResource',
    'DRAPartitionableDevices',
    'EnvFiles',
    'HPAConfigurableTolerance',
    'HPAScaleToZero',
    'HostnameOverride',
    'ImageVolume',
    'MaxUnavailableStatefulSet',
    'MutableCSINodeAllocatableCount',
    'MutatingAdmissionPolicy',
    'PodCertificateRequest',
    'RelaxedServiceNameValidation',
    'StorageVersionMigrator',
  ].map((name) => [name, true]),
);

export const gateFlags: readonly string[] = [
  '--runtime-config=api/all=true',
  `--feature-gates=${Object.keys(gates)
    .map((name) => `${name}=true`)
    .join(',')}`,
];
