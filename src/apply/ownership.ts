// Ownership after a change: managers lose fields that were changed or removed. Shared by updates, which take over what
// they change, and by applies, which conflict instead unless forced.

import { type Changes, without } from './compare.ts';
import { difference, type FieldSet, intersection, union } from './field-set.ts';
import type { Manager } from './managers.ts';
import { underSchema } from './schema-change.ts';
import {
  type Convert,
  inVersion,
  type TypedObject,
  UnknownVersionError,
  VersionError,
  VersionedChanges,
} from './typed-object.ts';
import type { ValueType } from './value-type.ts';

/** A change of an object, in the version of the write. */
export interface Change {
  readonly live: TypedObject;
  readonly next: TypedObject;
  readonly convert: Convert;
  /** Fields that this write cannot change. */
  readonly ignored: FieldSet;
  /** The only version whose managers this concerns; undefined for all. */
  readonly ignoredIn?: string | undefined;
}

/** A field of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

interface Outcome {
  readonly managers: Manager[];
  readonly conflicts: Conflict[];
}

export function changesOf({ live, next, convert, ignored, ignoredIn }: Change): VersionedChanges {
  const narrow = (changes: Changes | undefined, apiVersion: string) =>
    ignoredIn === undefined || ignoredIn === apiVersion ? without(changes, ignored) : changes;
  return new VersionedChanges({ one: live, other: next, convert, narrow });
}

/** @param by the writing manager, whose entry is unchanged; undefined for none */
export function ownershipAfter(
  versions: VersionedChanges,
  managers: readonly Manager[],
  by: Manager | undefined,
): Outcome {
  const kept: Manager[] = [];
  const conflicts: Conflict[] = [];
  for (const manager of managers) {
    if (manager === by) {
      kept.push(manager);
      continue;
    }
    const changes = versions.in(manager.apiVersion);
    if (changes === 'unknown version') continue;
    let { fields } = manager;
    if (changes !== 'nothing') {
      const taken = intersection(fields, union(changes.added, changes.modified));
      if (taken !== undefined) conflicts.push({ manager, fields: taken });
      fields = difference(difference(fields, taken), changes.removed);
    }
    if (fields !== undefined) kept.push(fields === manager.fields ? manager : { ...manager, fields });
  }
  return { managers: kept, conflicts };
}

/**
 * Entries reconciled with the current types. Entries of unknown versions are dropped.
 * @throws VersionError that names the entry, or UnknownVersionError
 */
export function underCurrentSchema(managers: readonly Manager[], live: TypedObject, convert: Convert): Manager[] {
  const current: Manager[] = [];
  for (const manager of managers) {
    const type = typeInVersion(manager, live, convert);
    if (type === undefined) continue;
    const fields = underSchema(type, manager.fields);
    current.push(fields === manager.fields ? manager : { ...manager, fields });
  }
  return current;
}

function typeInVersion({ name, apiVersion }: Manager, live: TypedObject, convert: Convert): ValueType | undefined {
  try {
    return inVersion(live, apiVersion, { convert })?.type;
  } catch (error) {
    if (!(error instanceof VersionError) || error instanceof UnknownVersionError) throw error;
    throw new VersionError(`the entry of ${JSON.stringify(name)} in metadata.managedFields: ${error.message}`);
  }
}
