// Keelson's own version, the Kubernetes version that it serves, and the /version document. Runtime and platform are
// supplied by the caller: this folder is independent of Node and the browser.

import { goQuote } from '../base/go-quote.ts';
import { lookup } from '../base/lookup.ts';
import { type KubernetesRelease, RELEASES } from './releases.ts';

export { type KubernetesRelease, RELEASES } from './releases.ts';

/** Keelson's own version, the one in package.json. */
export const keelsonVersion = '0.1.0';

/** The minor version of Kubernetes 1 whose behavior is served by default. */
export const CURRENT_MINOR = 34;

/** The minor version of the newest of them. */
export const NEWEST_MINOR = Math.max(...RELEASES.map(({ minor }) => minor));

/** The release that is served by default. */
export const DEFAULT_RELEASE = RELEASES.find(({ minor }) => minor === CURRENT_MINOR) as KubernetesRelease;

/** How many minor versions older than itself kube-apiserver emulates and is compatible with. */
const SUPPORTED_MINORS = 3;

/**
 * Whether what came with a minor release of Kubernetes 1 holds.
 *
 * @param scope with the release whose rules apply; the one served by default if undefined
 */
export function isSince({ minor = CURRENT_MINOR }: { readonly minor?: number | undefined }, release: number): boolean {
  return minor >= release;
}

/**
 * The release of Kubernetes that a server offers: the one whose behavior it has (--kubernetes-version), or an older one
 * that this one emulates (--emulated-version).
 */
export interface Emulation {
  /** The release whose behavior the server has: that of the binary, in Kubernetes' words. */
  readonly binary: KubernetesRelease;
  /** `1.33` */
  readonly release: string;
  readonly minor: number;
  /**
   * The minimum compatibility version: the oldest minor version of other servers in the cluster, which must be able to
   * read new expressions and stored objects.
   */
  readonly minCompatibilityMinor: number;
}

/**
 * The emulation of a minor version of Kubernetes 1: compatible with the previous release, as in kube-apiserver.
 *
 * @param binary the release whose behavior the server has
 */
export function emulationOf(minor: number, binary: KubernetesRelease = DEFAULT_RELEASE): Emulation {
  return {
    binary,
    release: `1.${minor}`,
    minor,
    minCompatibilityMinor: Math.max(minor - 1, Math.min(oldestCompatible(binary), minor)),
  };
}

/** The oldest minor version of other servers with which a release of kube-apiserver is compatible. */
export function oldestCompatible({ minor }: KubernetesRelease): number {
  return minor - SUPPORTED_MINORS;
}

/** Whether the emulated version is the server's own. */
export function isCurrent({ minor, binary }: Emulation): boolean {
  return minor === binary.minor;
}

/** `v1.34.4`, as Kubernetes names a release. */
export function releaseName({ minor, patch, prerelease }: KubernetesRelease): string {
  return `v1.${minor}.${patch}${prerelease === undefined ? '' : `-${prerelease}`}`;
}

/** `v1.34.4+keelson`: clients compare the numbers before the plus sign and ignore the rest. */
export function gitVersionOf(release: KubernetesRelease): string {
  return `${releaseName(release)}+keelson`;
}

/** The version of the release that is served by default. */
const gitVersion = gitVersionOf(DEFAULT_RELEASE);

/** Both versions. */
export const versionFacts = {
  version: keelsonVersion,
  kubernetesVersion: gitVersion.slice(0, gitVersion.indexOf('+')),
} as const;

/** Both versions in one line. */
export const versionLine = `Keelson ${versionFacts.version} (Kubernetes ${versionFacts.kubernetesVersion})`;

/** The response of GET /version, with kube-apiserver's order of fields. */
export interface VersionDocument {
  readonly major: string;
  readonly minor: string;
  /** From 1.33 on. */
  readonly emulationMajor?: string;
  readonly emulationMinor?: string;
  readonly minCompatibilityMajor?: string;
  readonly minCompatibilityMinor?: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The runtime, in Node's words. */
export interface Runtime {
  /** `v26.10.0` */
  readonly nodeVersion: string;
  /** `linux`, `darwin`, `win32` */
  readonly platform: string;
  /** `x64`, `arm64` */
  readonly arch: string;
}

const goPlatforms: Readonly<Record<string, string>> = lookup({ win32: 'windows', sunos: 'solaris' });
const goArchitectures: Readonly<Record<string, string>> = lookup({ x64: 'amd64', ia32: '386' });

/**
 * Why a version that a server is to report is invalid, in Kubernetes' words; undefined if valid. It may only differ
 * from our own after the three numbers.
 */
export function reportedVersionProblem(
  version: string,
  release: KubernetesRelease = DEFAULT_RELEASE,
): string | undefined {
  const quoted = goQuote(version);
  const text = version.trimStart();
  const [all = '', numbers] = /^v?(\d+(?:\.\d+)*)/.exec(text) ?? [];
  if (numbers === undefined) return `could not parse ${quoted} as version`;
  const parts = numbers.split('.');
  const extra = text.slice(all.length);
  if (parts.length !== 3) return `illegal version string ${quoted}`;
  const padded = parts.find((part) => /^0./.test(part));
  if (padded !== undefined) return `illegal zero-prefixed version component ${goQuote(padded)} in ${quoted}`;
  if (!EXTRA.test(extra)) return `could not parse pre-release/metadata (${extra}) in version ${quoted}`;
  if (parts.join('.') === `1.${release.minor}.${release.patch}`) return undefined;
  return `version ${quoted} must match major/minor/patch of default version ${goQuote(gitVersionOf(release))}`;
}

/** Pre-release and build metadata. */
const EXTRA = /^(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\s*$/;

/**
 * The /version document of a server on this runtime; `reported` is its version. There is no build date and no Go
 * version.
 */
export function versionDocument(
  runtime: Runtime,
  emulation: Emulation,
  reported: string = gitVersionOf(emulation.binary),
): VersionDocument {
  const platform = goPlatforms[runtime.platform] ?? runtime.platform;
  return {
    major: '1',
    minor: String(emulation.binary.minor),
    ...(isSince(emulation.binary, 33) && {
      emulationMajor: '1',
      emulationMinor: String(emulation.minor),
      minCompatibilityMajor: '1',
      minCompatibilityMinor: String(emulation.minCompatibilityMinor),
    }),
    gitVersion: reported,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${runtime.nodeVersion.replace(/^v/, '')}`,
    compiler: 'v8',
    platform: `${platform}/${goArchitectures[runtime.arch] ?? runtime.arch}`,
  };
}
