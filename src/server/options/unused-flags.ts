// Flags of kube-apiserver that have no effect here but whose values are validated, with its defaults.

export interface UnusedFlags {
  readonly 'log-json-info-buffer-size': string;
  readonly 'log-text-info-buffer-size': string;
  readonly 'storage-initialization-timeout': number;
  readonly 'watch-cache-sizes': readonly string[];
}

export const unusedFlagDefaults: UnusedFlags = {
  'log-json-info-buffer-size': '0',
  'log-text-info-buffer-size': '0',
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
