// The emulated version: the release of Kubernetes whose APIs, defaults and CEL environment a server offers instead of
// its own (--emulated-version). kube-apiserver 1.34 emulates 1.31 to 1.34; Keelson goes back to 1.24, to serve clients
// of removed API versions.

import { goQuote } from '../base/go-quote.ts';
import { CURRENT_MINOR, type Emulation, emulationOf } from './version.ts';

/** The oldest minor version that can be emulated. */
const MIN_EMULATED_MINOR = 24;

/** An invalid value of --emulated-version; the message is kube-apiserver's. */
export class EmulatedVersionError extends Error {
  override name = 'EmulatedVersionError';
}

/**
 * Parses the values of --emulated-version: `1.33` or `kube=1.33`; empty for the latest. emulatedVersionProblem checks
 * whether the version can be emulated, because kube-apiserver parses the feature gates in between.
 *
 * @throws EmulatedVersionError for an invalid value, and for two of them
 */
export function parseEmulatedVersion(values: readonly string[]): Emulation {
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
  if (release === undefined) return emulationOf(CURRENT_MINOR);
  const { text, major, minor } = release;
  return major === 1 ? emulationOf(minor) : { ...emulationOf(major < 1 ? 0 : Number.POSITIVE_INFINITY), release: text };
}

/** Why a version cannot be emulated, in kube-apiserver's words; undefined if it can. */
export function emulatedVersionProblem({ release, minor }: Emulation): string | undefined {
  if (minor >= MIN_EMULATED_MINOR && minor <= CURRENT_MINOR) return undefined;
  return `emulation version ${release} is not between [1.${MIN_EMULATED_MINOR}, 1.${CURRENT_MINOR}.0]`;
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
