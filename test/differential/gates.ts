// Feature gates, off by default, that kinds and fields in alpha and beta need.

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

/** Returns the reference's flags for gates and the emulated version, and for serving all versions. */
export function gateFlags(
  gates: Readonly<Record<string, boolean>>,
  emulatedVersion: string | undefined,
): readonly string[] {
  const settings = Object.entries(gates).map(([name, isOn]) => `${name}=${isOn}`);
  return [
    '--runtime-config=api/all=true',
    ...(settings.length > 0 ? [`--feature-gates=${settings.join(',')}`] : []),
    ...(emulatedVersion === undefined ? [] : [`--emulated-version=${emulatedVersion}`]),
  ];
}

/** `A=true,B=false`, as in the flag. */
export function gatesIn(text: string): Record<string, boolean> {
  return Object.fromEntries(
    text.split(',').map((each) => {
      const [name = '', value] = each.split('=');
      return [name, value === 'true'];
    }),
  );
}
