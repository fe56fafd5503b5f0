// The emulated version: the release of Kubernetes whose APIs, defaults and expressions a server offers in place of its
// own (--emulated-version). kube-apiserver 1.34 emulates 1.31 to 1.34; Keelson goes on down to 1.24, so that clients of
// removed API versions can still be served.

import { CURRENT_MINOR, type Emulation, emulationOf } from './version.ts';

/** The oldest minor version that can be emulated. */
const MIN_EMULATED_MINOR = 24;

/** A value of --emulated-version that kube-apiserver would refuse to start with, in its words. */
export class EmulatedVersionError extends Error {
  override name = 'EmulatedVersionError';
}

/**
 * Reads the values of --emulated-version: `1.33` or `kube=1.33`; none for the newest.
 *
 * @throws EmulatedVersionError for a value that is not such a version, for two of them, and for one out of range
 */
export function parseEmulatedVersion(values: readonly string[]): Emulation {
  const versions = values.filter((value) => value !== '').map(parseOne);
  const [first, second] = versions;
  if (first === undefined) return emulationOf(CURRENT_MINOR);
  if (second !== undefined) {
    throw new EmulatedVersionError(`duplicate version flag, kube=${first.text} and kube=${second.text}`);
  }
  const emulation = emulationOf(first.minor);
  if (first.major !== 1 || first.minor < MIN_EMULATED_MINOR || first.minor > CURRENT_MINOR) {
    throw new EmulatedVersionError(
      `emulation version ${first.text} is not between [1.${MIN_EMULATED_MINOR}, 1.${CURRENT_MINOR}.0]`,
    );
  }
  return emulation;
}

function parseOne(value: string): { text: string; major: number; minor: number } {
  const equals = value.indexOf('=');
  const component = equals < 0 ? 'kube' : value.slice(0, equals).trim();
  if (component !== 'kube') throw new EmulatedVersionError(`component not registered: ${component}`);
  const text = value.slice(equals + 1).trim();
  const parts = /^v?(\d+)\.(\d+)(\.\d+)*$/.exec(text);
  if (parts === null) throw new EmulatedVersionError(`could not parse ${JSON.stringify(text)} as version`);
  if (parts[3] !== undefined) throw new EmulatedVersionError(`patch version not allowed, got: kube=${text}`);
  return { text: `${Number(parts[1])}.${Number(parts[2])}`, major: Number(parts[1]), minor: Number(parts[2]) };
}
