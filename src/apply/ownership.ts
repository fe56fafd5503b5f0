// Ownership after a change: managers lose fields that were changed or removed. Shared by updates, which take over what
// they change, and by applies, which conflict instead unless forced.

import { eachOf, part } from '../base/resumed.ts';
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
  const changesIn = new Map<string, ReturnType<VersionedChanges['in']>>();
  for (const manager of managers) {
    if (manager !== by) changesIn.set(manager.apiVersion, versions.in(manager.apiVersion));
  }
  const outcomes = eachOf(managers, (manager): Outcome => {
    const changes = changesIn.get(manager.apiVersion);
    if (manager === by || changes === undefined) return { managers: [manager], conflicts: [] };
    if (changes === 'unknown version') return { managers: [], conflicts: [] };
    if (changes === 'nothing') return { managers: withFields(manager, manager.fields), conflicts: [] };
    const taken = intersection(
      manager.fields,
      part(() => union(changes.added, changes.modified)),
    );
    const fields = difference(difference(manager.fields, taken), changes.removed);
    return {
      managers: withFields(manager, fields),
      conflicts: taken === undefined ? [] : [{ manager, fields: taken }],
    };
  });
  return {
    managers: outcomes.flatMap(({ managers: kept }) => kept),
    conflicts: outcomes.flatMap(({ conflicts }) => conflicts),
  };
}

function withFields(manager: Manager, fields: FieldSet): Manager[] {
  if (fields === undefined) return [];
  return [fields === manager.fields ? manager : { ...manager, fields }];
}

/**
 * Entries reconciled with the current types. Entries of unknown versions are dropped.
 * @throws VersionError that names the entry, or UnknownVersionError
 */
export function underCurrentSchema(managers: readonly Manager[], live: TypedObject, convert: Convert): Manager[] {
  const current = eachOf(managers, (manager) => {
    const type = typeInVersion(manager, live, convert);
    if (type === undefined) return undefined;
    const fields = underSchema(type, manager.fields);
    return fields === manager.fields ? manager : { ...manager, fields };
  });
  return current.filter((manager) => manager !== undefined);
}

function typeInVersion({ name, apiVersion }: Manager, live: TypedObject, convert: Convert): ValueType | undefined {
  try {
    return inVersion(live, apiVersion, { convert })?.type;
  } catch (error) {
    if (!(error instanceof VersionError) || error instanceof UnknownVersionError) throw error;
    throw new VersionError(`the entry of ${JSON.stringify(name)} in metadata.managedFields: ${error.message}`);
  }
}
