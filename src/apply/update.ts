// Ownership after a create, an update or a patch that is no apply: the writer owns what it changed, in an entry of its
// own, and nobody else does any more.

import type { Changes } from './compare.ts';
import { union } from './field-set.ts';
import { capped, isSame, type Manager } from './managers.ts';
import { withoutUnowned } from './owned-metadata.ts';
import { type Change, changesOf, ownershipAfter, underCurrentSchema } from './ownership.ts';

export interface Update extends Change {
  readonly by: { readonly name: string; readonly subresource: string };
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/**
 * The entries afterwards: those given that own something, where the change touches no field.
 * @throws VersionError where an entry's version can't be had; ItemError for items without keys
 */
export function managersAfterUpdate(update: Update, managers: readonly Manager[]): readonly Manager[] {
  const { live, by, now } = update;
  const changes = changesOf(update);
  if (changes.in(live.apiVersion) === 'nothing') return managers.filter(({ fields }) => fields !== undefined);
  const current = underCurrentSchema(managers, live, update.convert);
  const outcome = ownershipAfter(changes, current, undefined);
  const changed = changes.in(live.apiVersion) as Changes;
  const fields = withoutUnowned(union(changed.modified, changed.added));
  if (fields === undefined) return capped(outcome.managers);
  const entry: Manager = { ...by, operation: 'Update', apiVersion: live.apiVersion, time: now, fields };
  const own = outcome.managers.find((each) => isSame(each, entry));
  const rest = outcome.managers.filter((each) => each !== own);
  return capped([...rest, own === undefined ? entry : { ...entry, fields: union(own.fields, fields) }]);
}
