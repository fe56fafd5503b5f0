// Functions on semantic versions: Kubernetes' semver library, version 1.

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
          about: 'The version that a text is; an error if it is none.',
          evaluate: (text) => versionOf(text, false),
          specialize: readOnce((text) => versionOf(text, false)),
          ...perCharacter(),
        }),
        overload('string_bool_to_semver', [[STRING, BOOL], SEMVER_TYPE], {
          about: 'With `true`, a `v` and zeros in front and missing numbers are forgiven: `v01.2` is `1.2.0`.',
          evaluate: versionOf,
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isSemver',
      overloads: [
        overload('is_semver_string', [[STRING], BOOL], {
          about: 'Whether a text is a version.',
          evaluate: (text) => typeof read(text, false) !== 'string',
          ...perCharacter(),
        }),
        overload('is_semver_string_bool', [[STRING, BOOL], BOOL], {
          about: 'With `true`, whether `semver(text, true)` would make a version of it.',
          evaluate: (text, normalize) => typeof read(text, normalize) !== 'string',
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isGreaterThan',
      overloads: [
        method('semver_is_greater_than', [[SEMVER_TYPE, SEMVER_TYPE], BOOL], {
          about: 'Whether the version comes after another.',
          evaluate: (version, other) => version.compareTo(other) > 0,
        }),
      ],
    },
    {
      name: 'isLessThan',
      overloads: [
        method('semver_is_less_than', [[SEMVER_TYPE, SEMVER_TYPE], BOOL], {
          about: 'Whether the version comes before another.',
          evaluate: (version, other) => version.compareTo(other) < 0,
        }),
      ],
    },
    {
      name: 'compareTo',
      overloads: [
        method('semver_compare_to', [[SEMVER_TYPE, SEMVER_TYPE], INT], {
          about: '-1, 0 or 1, as the version comes before, with or after another.',
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
