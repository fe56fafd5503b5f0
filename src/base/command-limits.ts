// Limits of commands other than `serve`. They are part of limits.ts, whose comments say what limits are for.

export const commandLimits = {
  /** The state that a kube-apiserver of an envtest environment leaves with etcd when it is stopped. */
  envtestStateBytes: 512 * 1024 * 1024,
  /** What an archive for `keelson setup-envtest sideload` unpacks to: those of kube-apiserver, to 300 MB. */
  envtestArchiveBytes: 2048 * 1024 * 1024,
  /** A backup's keys: one of them, all of them encrypted, and the passphrase. */
  keyFileBytes: 1 * 1024 * 1024,
  keysFileBytes: 16 * 1024 * 1024,
  passphraseBytes: 4096,
  /** From how many characters on no more is added to the reason why a forwarded connection failed. */
  consoleFaultCharacters: 2_000,
} as const;
