// The changelog of a release: what is under Unreleased gets the version and its date, and becomes the release's notes.

export interface Released {
  /** The whole changelog afterwards. */
  readonly text: string;
  /** The section of the release, without its heading. */
  readonly notes: string;
}

const UNRELEASED = '## Unreleased\n';

/** @throws Error if nothing is unreleased */
export function releaseChangelog(text: string, version: string, date: string): Released {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md: there is no section "## Unreleased"');
  const end = text.indexOf('\n## ', start + UNRELEASED.length);
  const notes = text.slice(start + UNRELEASED.length, end < 0 ? text.length : end).trim();
  if (notes === '') throw new Error('CHANGELOG.md: nothing is unreleased');
  const rest = end < 0 ? '' : text.slice(end);
  return {
    text: `${text.slice(0, start)}${UNRELEASED}\n## ${version} (${date})\n\n${notes}\n${rest}`,
    notes: `${notes}\n`,
  };
}

/** Returns the notes of a release that was made. @throws Error if the changelog has no such release */
export function releasedNotes(text: string, version: string): string {
  const start = text.indexOf(`\n## ${version} (`);
  if (start < 0) throw new Error(`CHANGELOG.md: there is no section "## ${version}"`);
  const [, ...lines] = text.slice(start + 1).split('\n');
  const end = lines.findIndex((line) => line.startsWith('## '));
  return `${lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim()}\n`;
}

/** Whether `next` is a version after `current`: both of three numbers, and `next` perhaps with a suffix such as -rc.1. */
export function isAfter(next: string, current: string): boolean {
  const [one, other] = [numbers(next), numbers(current)];
  const apart = one.map((number, place) => number - other[place]!).find((difference) => difference !== 0) ?? 0;
  return apart > 0 || (apart === 0 && current.includes('-') && next !== current);
}

function numbers(version: string): number[] {
  const found = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:-[0-9A-Za-z.-]{1,40})?$/.exec(version);
  if (found === null) throw new Error(`${version} is not a version: 0.2.0`);
  return found.slice(1, 4).map(Number);
}
