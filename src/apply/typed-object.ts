// An object in one of its versions, with the type of that version and a converter to others. Entries refer to fields in
// the version of the write that created them.

import type { JsonObject } from '../api/object.ts';
import { part } from '../base/resumed.ts';
import { type Changes, compareValues } from './compare.ts';
import type { ValueType } from './value-type.ts';

/** An object that cannot be converted to a version. */
export class VersionError extends Error {
  override name = 'VersionError';
}

/** A version that a custom resource does not have, or no longer has. */
export class UnknownVersionError extends VersionError {
  override name = 'UnknownVersionError';

  constructor(apiVersion: string) {
    super(`request to convert CR to an invalid group/version: ${apiVersion}`);
  }
}

export interface TypedObject {
  readonly apiVersion: string;
  readonly type: ValueType;
  /** Must not be modified. */
  readonly value: JsonObject;
}

/**
 * An object in another version. Undefined if the version is unknown, whose entries are then dropped. Throws
 * VersionError if the object cannot be converted.
 */
export type Convert = (object: TypedObject, apiVersion: string) => TypedObject | undefined;

interface Conversion {
  readonly convert: Convert;
  /** Begins the message of a VersionError. */
  readonly failure?: string;
}

export function inVersion(
  object: TypedObject,
  apiVersion: string,
  { convert, failure }: Conversion,
): TypedObject | undefined {
  if (object.apiVersion === apiVersion) return object;
  try {
    return convert(object, apiVersion);
  } catch (error) {
    if (failure === undefined || !(error instanceof VersionError)) throw error;
    throw new VersionError(`${failure}: ${error.message}`);
  }
}

/** The changes between two states of an object, in each requested version. */
export class VersionedChanges {
  readonly #one: TypedObject;
  readonly #other: TypedObject;
  readonly #convert: Convert;
  readonly #narrow: (changes: Changes | undefined, apiVersion: string) => Changes | undefined;
  readonly #byVersion = new Map<string, Changes | 'nothing' | 'unknown version'>();

  /** @param step.narrow excludes changes that do not count */
  constructor(step: {
    one: TypedObject;
    other: TypedObject;
    convert: Convert;
    narrow: (changes: Changes | undefined, apiVersion: string) => Changes | undefined;
  }) {
    this.#one = step.one;
    this.#other = step.other;
    this.#convert = step.convert;
    this.#narrow = step.narrow;
  }

  /** Not within a part, unless the changes are: what is found in it would not be remembered. */
  in(apiVersion: string): Changes | 'nothing' | 'unknown version' {
    let changes = this.#byVersion.get(apiVersion);
    if (changes === undefined) {
      changes = part(() => this.#compare(apiVersion));
      this.#byVersion.set(apiVersion, changes);
    }
    return changes;
  }

  #compare(apiVersion: string): Changes | 'nothing' | 'unknown version' {
    const convert = this.#convert;
    const one = inVersion(this.#one, apiVersion, { convert, failure: 'failed to convert old object' });
    const other = inVersion(this.#other, apiVersion, { convert, failure: 'failed to convert new object' });
    if (one === undefined || other === undefined) return 'unknown version';
    return this.#narrow(compareValues(one.type, one.value, other.value), apiVersion) ?? 'nothing';
  }
}
