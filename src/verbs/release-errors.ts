// Errors of an object as a release of Kubernetes words them: rules that hold in all releases, with texts that changed.

import { type FieldError, fieldErrorBody } from '../api/errors.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** A text that changed in a minor release of Kubernetes 1. */
interface ChangedText {
  readonly since: number;
  /** The fields whose errors it is about; all if undefined. */
  readonly field?: RegExp;
  readonly from: RegExp;
  readonly to: string;
}

const CHANGED: readonly ChangedText[] = [
  { since: 35, from: /^((?:name|prefix) part must be no more than \d+) characters$/, to: '$1 bytes' },
  // Values of labels; names of objects keep the word.
  { since: 35, field: /labels|selector|\.values\[/i, from: /^(must be no more than 63) characters$/, to: '$1 bytes' },
  { since: 35, from: /\ba qualified name must consist/, to: 'a valid label key must consist' },
];

/** The first minor release in which an object's metadata is validated once in an update, and not twice. */
const WITHOUT_REPETITION = 37;

/** The errors of hand-written and declared rules in the words of a minor release. */
export function inReleaseWords(
  found: readonly FieldError[],
  { minor, custom }: Pick<ResourceDefinition, 'minor' | 'custom'>,
): readonly FieldError[] {
  const changes = CHANGED.filter(({ since }) => isSince({ minor }, since));
  const worded = changes.length === 0 ? found : found.map((error) => reworded(error, changes));
  return !custom && isSince({ minor }, WITHOUT_REPETITION) ? withoutRepetition(worded) : worded;
}

function reworded(error: FieldError, changes: readonly ChangedText[]): FieldError {
  const applied = changes.filter(({ field }) => field?.test(error.field) ?? true);
  const detail = applied.reduce((text, { from, to }) => text.replace(from, to), error.detail);
  return detail === error.detail ? error : { ...error, detail };
}

function withoutRepetition(found: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return found.filter((error) => {
    const text = `${error.field}: ${fieldErrorBody(error)}`;
    return seen.has(text) ? false : seen.add(text);
  });
}
