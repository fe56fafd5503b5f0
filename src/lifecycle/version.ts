// Keelson's own version, the version of Kubernetes that it offers, and the /version document that tells them.
// Runtime and platform are given from outside: this folder knows neither Node nor the browser.

import { lookup } from '../base/lookup.ts';

/** Keelson's own version, the one in package.json. */
export const keelsonVersion = '0.1.0';

/** The release of Kubernetes whose behaviour is served. */
export const kubernetesVersion = {
  major: '1',
  minor: '34',
  patch: '4',
} as const;

/** The newest minor version of Kubernetes 1 that is served: the one that is emulated unless a flag says otherwise. */
export const CURRENT_MINOR = Number(kubernetesVersion.minor);

/** The oldest minor version that kube-apiserver 1.34 emulates, and the oldest that it stays compatible with. */
const MIN_COMPATIBLE_MINOR = 31;

/** The release of Kubernetes that a server offers, its own or an older one (--emulated-version). */
export interface Emulation {
  /** `1.33` */
  readonly release: string;
  readonly minor: number;
  /**
   * The oldest minor version that other servers of the cluster may have: new expressions and stored objects are such
   * that it could read them.
   */
  readonly minCompatibilityMinor: number;
}

/** The emulation of a minor version of Kubernetes 1: compatible with the release before, as kube-apiserver derives it. */
export function emulationOf(minor: number): Emulation {
  const oldest = Math.min(MIN_COMPATIBLE_MINOR, minor);
  return { release: `1.${minor}`, minor, minCompatibilityMinor: Math.max(minor - 1, oldest) };
}

/** Whether the emulated version is the server's own. */
export function isCurrent({ minor }: Emulation): boolean {
  return minor === CURRENT_MINOR;
}

/** `v1.34.4+keelson`: clients compare the numbers before the plus sign and ignore what is behind it. */
export const gitVersion = `v${kubernetesVersion.major}.${kubernetesVersion.minor}.${kubernetesVersion.patch}+keelson`;

/** One line for people: both versions. */
export const versionLine = `Keelson ${keelsonVersion} (Kubernetes ${gitVersion.slice(0, gitVersion.indexOf('+'))})`;

/** What GET /version answers, members in kube-apiserver's order. */
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

/** What the server runs on, in Node's own words. */
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
 * What is wrong with a version that a server is to tell of itself, in Kubernetes' words; undefined for nothing. It may
 * only differ from our own in what stands behind the three numbers.
 */
export function reportedVersionProblem(version: string): string | undefined {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(version);
  if (parts === null) return `could not parse ${JSON.stringify(version)} as version`;
  const { major, minor, patch } = kubernetesVersion;
  if (parts.slice(1).join('.') === `${major}.${minor}.${patch}`) return undefined;
  return `version ${JSON.stringify(version)} must match major/minor/patch of default version ${JSON.stringify(gitVersion)}`;
}

/** The /version document of a server on this runtime; `reported` is its version. There is no build to date, no Go. */
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
