// Keelson's own version, the Kubernetes version that it serves, and the /version document. Runtime and platform are
// supplied by the caller: this folder is independent of Node and the browser.

import { goQuote } from '../base/go-quote.ts';
import { lookup } from '../base/lookup.ts';

/** Keelson's own version, the one in package.json. */
export const keelsonVersion = '0.1.0';

/** The release of Kubernetes whose behavior is served. */
export const kubernetesVersion = {
  major: '1',
  minor: '34',
  patch: '4',
} as const;

/** The latest served minor version of Kubernetes 1, which is emulated by default. */
export const CURRENT_MINOR = Number(kubernetesVersion.minor);

/** The oldest minor version that kube-apiserver 1.34 emulates, and the oldest with which it is compatible. */
const MIN_COMPATIBLE_MINOR = 31;

/** The release of Kubernetes that a server offers, its own or an older one (--emulated-version). */
export interface Emulation {
  /** `1.33` */
  readonly release: string;
  readonly minor: number;
  /**
   * The minimum compatibility version: the oldest minor version of other servers in the cluster, which must be able to
   * read new expressions and stored objects.
   */
  readonly minCompatibilityMinor: number;
}

/** The emulation of a minor version of Kubernetes 1: compatible with the previous release, as in kube-apiserver. */
export function emulationOf(minor: number): Emulation {
  const oldest = Math.min(MIN_COMPATIBLE_MINOR, minor);
  return { release: `1.${minor}`, minor, minCompatibilityMinor: Math.max(minor - 1, oldest) };
}

/** Whether the emulated version is the server's own. */
export function isCurrent({ minor }: Emulation): boolean {
  return minor === CURRENT_MINOR;
}

/** `v1.34.4+keelson`: clients compare the numbers before the plus sign and ignore the rest. */
export const gitVersion = `v${kubernetesVersion.major}.${kubernetesVersion.minor}.${kubernetesVersion.patch}+keelson`;

/** Both versions in one line. */
export const versionLine = `Keelson ${keelsonVersion} (Kubernetes ${gitVersion.slice(0, gitVersion.indexOf('+'))})`;

/** The response of GET /version, with kube-apiserver's order of fields. */
export interface VersionDocument {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
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
export function reportedVersionProblem(version: string): string | undefined {
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
  const { major, minor, patch } = kubernetesVersion;
  if (parts.join('.') === `${major}.${minor}.${patch}`) return undefined;
  return `version ${quoted} must match major/minor/patch of default version ${goQuote(gitVersion)}`;
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
  reported: string = gitVersion,
): VersionDocument {
  const platform = goPlatforms[runtime.platform] ?? runtime.platform;
  return {
    major: kubernetesVersion.major,
    minor: kubernetesVersion.minor,
    emulationMajor: kubernetesVersion.major,
    emulationMinor: String(emulation.minor),
    minCompatibilityMajor: kubernetesVersion.major,
    minCompatibilityMinor: String(emulation.minCompatibilityMinor),
    gitVersion: reported,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${runtime.nodeVersion.replace(/^v/, '')}`,
    compiler: 'v8',
    platform: `${platform}/${goArchitectures[runtime.arch] ?? runtime.arch}`,
  };
}
