// Flags of kube-apiserver that have no effect here but whose values are validated, with its defaults.

import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';

export interface UnusedFlags {
  readonly 'log-json-info-buffer-size': string;
  readonly 'log-text-info-buffer-size': string;
  readonly 'peer-advertise-ip': string;
  readonly 'peer-advertise-port': string;
  readonly 'peer-ca-file': string;
  readonly 'storage-initialization-timeout': number;
  readonly 'watch-cache-sizes': readonly string[];
}

export const unusedFlagDefaults: UnusedFlags = {
  'log-json-info-buffer-size': '0',
  'log-text-info-buffer-size': '0',
  'peer-advertise-ip': '',
  'peer-advertise-port': '',
  'peer-ca-file': '',
  'storage-initialization-timeout': 60_000,
  'watch-cache-sizes': [],
};

/** `resource#size`, the resource with its group after a dot. */
export function watchCacheSizeProblem({ 'watch-cache-sizes': sizes }: UnusedFlags): string | undefined {
  for (const size of sizes) {
    const parts = size.split('#');
    if (parts.length !== 2) return `invalid value of watch cache size: ${size}`;
    if (!/^[-+]?\d+$/.test(parts[1]!)) return `invalid size of watch cache size: ${size}`;
    if (Number(parts[1]) < 0) return `watch cache size cannot be negative: ${size}`;
  }
  return undefined;
}

interface GateOptions extends ReleaseOptions {
  readonly featureGates: Readonly<Record<string, boolean>>;
}

/** Errors of flags of a feature whose gate is off. With the gate they are accepted, but there is no such feature here. */
export function peerProblems(flags: UnusedFlags, options: GateOptions): string[] {
  const gates = new FeatureGates(options.featureGates, requestedRelease(options));
  if (gates.enabled('UnknownVersionInteroperabilityProxy')) return [];
  return (['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port'] as const)
    .filter((flag) => flags[flag] !== '')
    .map((flag) => `--${flag} requires UnknownVersionInteroperabilityProxy feature to be turned on`);
}
