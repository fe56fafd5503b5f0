// The versions that a user of `keelson setup-envtest` selects, in setup-envtest's syntax.

import { RELEASES } from '../../server/options.ts';

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export interface VersionSelector {
  /** Its text, as an overview shows it. */
  readonly text: string;
  /** The only version that it selects; undefined if it may select others. */
  readonly exact?: Version;
  readonly selects: (version: Version) => boolean;
  /** Whether only what is on disk counts. */
  readonly onDisk?: true;
}

/** The versions that Keelson can be, the newest first. */
export const SERVED_VERSIONS: readonly Version[] = RELEASES.map((release) => ({ major: 1, ...release })).reverse();

/** Selects every version. */
const ANY_VERSION: VersionSelector = { text: '*', selects: () => true };

/**
 * Reads a selector: `1.34.4`, `1.34.x`, `1.34.*`, `1.34`, `~1.34.2`, `<1.34` or `<=1.34.2`, all of which may end in `!`;
 * `latest` and `latest-on-disk`. Nothing is downloaded, so that the newest version is known without `!`.
 *
 * @throws TypeError for anything else
 */
export function parseSelector(text: string): VersionSelector {
  if (text === '' || text === 'latest') return ANY_VERSION;
  if (text === 'latest-on-disk') return { ...ANY_VERSION, onDisk: true };
  const [, operator = '', base = '', point = 'x'] = SELECTOR.exec(text) ?? [];
  if (base === '') throw new TypeError(`${JSON.stringify(text)} is not a version: ${FORMS}`);
  const [major = 0, minor = 0] = base.split('.').map(Number);
  const patch = point === 'x' || point === '*' ? undefined : Number(point);
  const shown = `${major}.${minor}.${patch ?? '*'}`;
  const isInMinor = (version: Version) => version.major === major && version.minor === minor;
  const isOlder = (version: Version) =>
    compareVersions(version, { major, minor, patch: patch ?? 0 }) < 0 && (patch !== undefined || !isInMinor(version));
  const isMeant = (version: Version) => isInMinor(version) && (patch === undefined || version.patch === patch);
  switch (operator) {
    case '~':
      return {
        text: `~${major}.${minor}.${patch ?? 0}`,
        selects: (version) => isInMinor(version) && version.patch >= (patch ?? 0),
      };
    case '<':
      return { text: `<${shown}`, selects: isOlder };
    case '<=':
      return { text: `<=${shown}`, selects: (version) => isOlder(version) || isMeant(version) };
    default:
      return { text: shown, selects: isMeant, ...(patch !== undefined && { exact: { major, minor, patch } }) };
  }
}

const NUMBER = String.raw`(?:0|[1-9]\d{0,8})`;
const SELECTOR = new RegExp(String.raw`^(<=|<|~)?(${NUMBER}\.${NUMBER})(?:\.(${NUMBER}|x|\*))?!?$`);
const FORMS = 'X.Y.Z, X.Y.x or X.Y, with ~, < or <= before it or ! behind it; latest or latest-on-disk';

/** `1.34.4` */
export function versionText({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}

/** Negative if the first is the older one. */
export function compareVersions(one: Version, other: Version): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}
