// Ownership after a create, an update or a patch other than an apply: the writer owns what it changed, in its own
// entry, and others lose it.

import { part } from '../base/resumed.ts';
import { type Changes, compareValues } from './compare.ts';
import { difference, union } from './field-set.ts';
import { capped, isSame, type Manager } from './managers.ts';
import { withoutUnowned } from './owned-metadata.ts';
import { type Change, changesOf, ownershipAfter, underCurrentSchema } from './ownership.ts';
import { inVersion } from './typed-object.ts';

export interface Update extends Change {
  readonly by: { readonly name: string; readonly subresource: string };
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/**
 * The resulting entries: the given ones that own something in a known version, if the change touches no field.
 * @throws VersionError if an entry's version is unavailable; ItemError for items without keys
 */
export function managersAfterUpdate(update: Update, managers: readonly Manager[]): readonly Manager[] {
  const { live, by, now } = update;
  const changes = changesOf(update);
  const own = changes.in(live.apiVersion);
  if (own === 'nothing' && !concernsOthers(update)) {
    return part(() => managers.filter((each) => each.fields !== undefined && isKnown(each.apiVersion, update)));
  }
  const current = part(() => underCurrentSchema(managers, live, update.convert));
  const changed = own === 'nothing' ? NO_CHANGES : (own as Changes);
  const taken = part(() => union(changed.modified, changed.added));
  const fields = part(() => withoutUnowned(taken));
  const entry: Manager = { ...by, operation: 'Update', apiVersion: live.apiVersion, time: now, fields };
  const before = current.find((each) => isSame(each, entry));
  const { managers: others } = part(() => ownershipAfter(changes, current, fields === undefined ? undefined : before));
  if (fields === undefined) return part(() => capped(others));
  // The writer's own entry keeps what it would take anyway, so it usually does not change.
  const kept = part(() => difference(difference(before?.fields, difference(taken, fields)), changed.removed));
  const mine = { ...entry, fields: part(() => union(kept, fields)) };
  return part(() => capped([...others.filter((each) => each !== before), mine]));
}

const NO_CHANGES: Changes = Object.freeze({ added: undefined, modified: undefined, removed: undefined });

/** Whether there are changes that are ignored in the version of the write only. */
function concernsOthers({ ignoredIn, live, next }: Update): boolean {
  return ignoredIn !== undefined && part(() => compareValues(live.type, live.value, next.value)) !== undefined;
}

/** Whether the object has the version of an entry. Determined without converting anything. */
function isKnown(apiVersion: string, { live, convert }: Update): boolean {
  return inVersion({ ...live, value: {} }, apiVersion, { convert }) !== undefined;
}
