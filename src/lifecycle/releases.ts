// The releases of Kubernetes 1 whose facts are known, the oldest first. Written by `npm run kubernetes`.

/** A release of Kubernetes 1 whose behavior can be served. */
export interface KubernetesRelease {
  readonly minor: number;
  readonly patch: number;
  /** `beta.0`; undefined for a release. */
  readonly prerelease?: string;
}

/** All releases that can be served, the oldest first. */
export const RELEASES: readonly KubernetesRelease[] = Object.freeze([
  { minor: 24, patch: 17 },
  { minor: 25, patch: 16 },
  { minor: 26, patch: 15 },
  { minor: 27, patch: 16 },
  { minor: 28, patch: 15 },
  { minor: 29, patch: 6 },
  { minor: 30, patch: 14 },
  { minor: 31, patch: 14 },
  { minor: 32, patch: 13 },
  { minor: 33, patch: 13 },
  { minor: 34, patch: 4 },
  { minor: 35, patch: 4 },
  { minor: 36, patch: 3 },
  { minor: 37, patch: 2 },
]);
