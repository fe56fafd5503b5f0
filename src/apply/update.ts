// Ownership after a create, an update or a patch that is no apply: the writer owns what it changed, in an entry of its
// own, and nobody else does any more.

import { union } from './field-set.ts';
import { capped, isSame, type Manager } from './managers.ts';
import { withoutUnowned } from './owned-metadata.ts';
import { type Change, ownershipAfter, underCurrentSchema } from './ownership.ts';

export interface Update extends Change {
  readonly by: { readonly name: string; readonly subresource: string };
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** @throws VersionError where an entry's version can't be had; ItemError for items without keys */
export function managersAfterUpdate(update: Update, managers: readonly Manager[]): readonly Manager[] {
  const { live, by, now } = update;
  const current = underCurrentSchema(managers, live, update.convert);
  const { managers: others, changes } = ownershipAfter(update, current, undefined);
  const fields = withoutUnowned(union(changes?.modified, changes?.added));
  if (fields === undefined) return capped(others);
  const entry: Manager = { ...by, operation: 'Update', apiVersion: live.apiVersion, time: now, fields };
  const own = others.find((each) => isSame(each, entry));
  const rest = others.filter((each) => each !== own);
  return capped([...rest, own === undefined ? entry : { ...entry, fields: union(own.fields, fields) }]);
}
