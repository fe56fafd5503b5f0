// The release of Kubernetes that a server offers. --kubernetes-version is the one whose behavior it has in everything;
// --emulated-version an older one whose APIs, defaults and CEL environment this release offers instead of its own.
// kube-apiserver 1.34 emulates 1.31 to 1.34; Keelson goes back to 1.24, to serve clients of removed API versions.

import { goQuote } from '../base/go-quote.ts';
import {
  DEFAULT_RELEASE,
  type Emulation,
  emulationOf,
  type KubernetesRelease,
  oldestCompatible,
  RELEASES,
  releaseName,
} from './version.ts';

/** The oldest minor version that can be emulated. */
const MIN_EMULATED_MINOR = 24;

/** The first minor version of kube-apiserver with --min-compatibility-version. */
const FIRST_WITH_MIN_COMPATIBILITY = 35;

/** An invalid value of a flag; that of --emulated-version has kube-apiserver's message. */
export class EmulatedVersionError extends Error {
  override name = 'EmulatedVersionError';
}

/** The options that say which release a server offers. */
export interface ReleaseOptions {
  /** `1.37`, `v1.37` or `1.37.2`; empty for the release that is served by default. */
  readonly kubernetesVersion: string;
  readonly emulatedVersion: readonly string[];
  readonly minCompatibilityVersion: readonly string[];
}

/**
 * The release that the options ask for.
 *
 * @throws EmulatedVersionError for an invalid value, and for a release whose facts are unknown
 */
export function requestedRelease(options: ReleaseOptions): Emulation {
  const binary = parseKubernetesVersion(options.kubernetesVersion);
  const emulation = parseEmulatedVersion(options.emulatedVersion, binary);
  if (options.minCompatibilityVersion.length === 0) return emulation;
  if (binary.minor < FIRST_WITH_MIN_COMPATIBILITY) {
    const needed = `--min-compatibility-version needs --kubernetes-version=1.${FIRST_WITH_MIN_COMPATIBILITY} or newer`;
    throw new EmulatedVersionError(needed);
  }
  const { minor } = parseEmulatedVersion(options.minCompatibilityVersion, binary);
  return { ...emulation, minCompatibilityMinor: minor };
}

/** Why the requested minimum compatibility version is out of range, in kube-apiserver's words; undefined if it is not. */
export function minCompatibilityProblem({
  binary,
  release,
  minor,
  minCompatibilityMinor,
}: Emulation): string | undefined {
  // Servers that are older than kube-apiserver can emulate are only known to be as old as what this one emulates.
  const oldest = minor < oldestCompatible(binary) ? MIN_EMULATED_MINOR : oldestCompatible(binary);
  if (minCompatibilityMinor >= oldest && minCompatibilityMinor <= minor) return undefined;
  return `minCompatibilityVersion version 1.${minCompatibilityMinor} is not between [1.${oldest}, ${release}]`;
}

/**
 * Parses --kubernetes-version.
 *
 * @throws EmulatedVersionError if it is no version, or one whose facts are unknown
 */
export function parseKubernetesVersion(value: string): KubernetesRelease {
  if (value === '') return DEFAULT_RELEASE;
  const asked = value.replace(/^v?/, 'v');
  const known = RELEASES.find((release) => asked === `v1.${release.minor}` || asked === releaseName(release));
  if (known !== undefined) return known;
  throw new EmulatedVersionError(`--kubernetes-version: ${unknownRelease(value)}`);
}

/** Says that a text names none of the releases that can be served, and which there are. */
export function unknownRelease(text: string): string {
  const all = RELEASES.map((release) => releaseName(release).slice(1)).join(', ');
  return `${goQuote(text)} is not a known release; known are ${all}`;
}

/**
 * @internal Parses the values of --emulated-version: `1.33` or `kube=1.33`; empty for the server's own. emulatedVersionProblem checks
 * whether the version can be emulated, because kube-apiserver parses the feature gates in between.
 *
 * @throws EmulatedVersionError for an invalid value, and for two of them
 */
export function parseEmulatedVersion(
  values: readonly string[],
  binary: KubernetesRelease = DEFAULT_RELEASE,
): Emulation {
  const read = new Map<string, Release>();
  for (const value of values) {
    const { component, release } = parseOne(value);
    const before = read.get(component);
    if (before !== undefined) {
      throw new EmulatedVersionError(
        `duplicate version flag, ${component}=${before.text} and ${component}=${release.text}`,
      );
    }
    read.set(component, release);
  }
  const stranger = [...read.keys()].find((component) => component !== 'kube');
  if (stranger !== undefined) throw new EmulatedVersionError(`component not registered: ${stranger}`);
  const release = read.get('kube');
  if (release === undefined) return emulationOf(binary.minor, binary);
  const { text, major, minor } = release;
  if (major === 1) return emulationOf(minor, binary);
  return { ...emulationOf(major < 1 ? 0 : Number.POSITIVE_INFINITY, binary), release: text };
}

/** Why a version cannot be emulated, in kube-apiserver's words; undefined if it can. */
export function emulatedVersionProblem({ release, minor, binary }: Emulation): string | undefined {
  if (minor >= MIN_EMULATED_MINOR && minor <= binary.minor) return undefined;
  return `emulation version ${release} is not between [1.${MIN_EMULATED_MINOR}, 1.${binary.minor}.0]`;
}

interface Release {
  /** Without a `v` and leading zeros. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** The largest unsigned 64-bit number. */
const MAX_NUMBER = 2n ** 64n - 1n;

function parseOne(value: string): { component: string; release: Release } {
  const equals = value.indexOf('=');
  const component = equals < 0 ? 'kube' : value.slice(0, equals).trim();
  const text = equals < 0 ? value : value.slice(equals + 1).trim();
  // What follows the numbers is ignored.
  const [, found] = /^[\t\n\f\r ]*v?(\d+(?:\.\d+)*)/.exec(text) ?? [];
  if (found === undefined) throw new EmulatedVersionError(`could not parse ${goQuote(text)} as version`);
  const parts = found.split('.');
  if (parts.length < 2) throw new EmulatedVersionError(`illegal version string ${goQuote(text)}`);
  if (/^0./.test(parts[0]!)) {
    throw new EmulatedVersionError(`illegal zero-prefixed version component "${parts[0]}" in ${goQuote(text)}`);
  }
  const tooLarge = parts.find((part) => BigInt(part) > MAX_NUMBER);
  if (tooLarge !== undefined) {
    const why = `strconv.ParseUint: parsing "${tooLarge}": value out of range`;
    throw new EmulatedVersionError(`illegal non-numeric version component "${tooLarge}" in ${goQuote(text)}: ${why}`);
  }
  const numbers = parts.map(Number);
  const shown = parts.map((part) => String(BigInt(part))).join('.');
  if ((numbers[2] ?? 0) !== 0) throw new EmulatedVersionError(`patch version not allowed, got: ${component}=${shown}`);
  return { component, release: { text: shown, major: numbers[0]!, minor: numbers[1]! } };
}
