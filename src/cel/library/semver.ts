// Kubernetes' semver library, version 1.

import { BOOL, INT, STRING } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { perCharacter } from './call-cost.ts';
import { type Library, method, overload } from './library.ts';
import { equalityAtOneCost } from './named-types.ts';
import { readOnce } from './read-once.ts';
import { readLenientVersion, readVersion, SEMVER_TYPE, type SemanticVersion } from './semantic-version.ts';

function read(text: string, normalize: boolean): SemanticVersion | string {
  return normalize ? readLenientVersion(text) : readVersion(text);
}

function versionOf(text: string, normalize: boolean): SemanticVersion {
  const version = read(text, normalize);
  if (typeof version === 'string') throw new EvaluationError(version);
  return version;
}

export const SEMVER: Library = Object.freeze({
  name: 'semver',
  equality: equalityAtOneCost(SEMVER_TYPE),
  functions: [
    {
      name: 'semver',
      overloads: [
        overload('string_to_semver', [[STRING], SEMVER_TYPE], {
          about: 'The version in a string; an error if invalid.',
          evaluate: (text) => versionOf(text, false),
          specialize: readOnce((text) => versionOf(text, false)),
          ...perCharacter(),
        }),
        overload('string_bool_to_semver', [[STRING, BOOL], SEMVER_TYPE], {
          about: 'With `true`, a leading `v`, leading zeros and missing numbers are accepted: `v01.2` is `1.2.0`.',
          evaluate: versionOf,
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isSemver',
      overloads: [
        overload('is_semver_string', [[STRING], BOOL], {
          about: 'Whether a string is a valid version.',
          evaluate: (text) => typeof read(text, false) !== 'string',
          ...perCharacter(),
        }),
        overload('is_semver_string_bool', [[STRING, BOOL], BOOL], {
          about: 'With `true`, whether `semver(text, true)` accepts it.',
          evaluate: (text, normalize) => typeof read(text, normalize) !== 'string',
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isGreaterThan',
      overloads: [
        method('semver_is_greater_than', [[SEMVER_TYPE, SEMVER_TYPE], BOOL], {
          about: 'Whether the version is greater than another.',
          evaluate: (version, other) => version.compareTo(other) > 0,
        }),
      ],
    },
    {
      name: 'isLessThan',
      overloads: [
        method('semver_is_less_than', [[SEMVER_TYPE, SEMVER_TYPE], BOOL], {
          about: 'Whether the version is less than another.',
          evaluate: (version, other) => version.compareTo(other) < 0,
        }),
      ],
    },
    {
      name: 'compareTo',
      overloads: [
        method('semver_compare_to', [[SEMVER_TYPE, SEMVER_TYPE], INT], {
          about: '-1, 0 or 1 if the version is less than, equal to or greater than another.',
          evaluate: (version, other) => version.compareTo(other),
        }),
      ],
    },
    {
      name: 'major',
      overloads: [
        method('semver_major', [[SEMVER_TYPE], INT], {
          about: 'The first number.',
          evaluate: (version) => version.major,
        }),
      ],
    },
    {
      name: 'minor',
      overloads: [
        method('semver_minor', [[SEMVER_TYPE], INT], {
          about: 'The second number.',
          evaluate: (version) => version.minor,
        }),
      ],
    },
    {
      name: 'patch',
      overloads: [
        method('semver_patch', [[SEMVER_TYPE], INT], {
          about: 'The third number.',
          evaluate: (version) => version.patch,
        }),
      ],
    },
  ],
});
