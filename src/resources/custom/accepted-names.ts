// Uniqueness of custom resource names within a group. A definition gets the names that no other has; its conditions
// report those that it did not get.

import { equalJson } from '../../api/json-equal.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Condition } from '../conditions.ts';
import { at, listAt, textAt } from '../value.ts';

/** The names of a group's definitions. */
export interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

interface NamesDecision {
  readonly acceptedNames: JsonObject;
  readonly condition: Condition;
}

/** The names taken by these definitions. */
export function takenNames(accepted: readonly (Json | undefined)[]): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const names of accepted) {
    for (const name of [textAt(names, 'plural'), textAt(names, 'singular'), ...listAt(names, 'shortNames')]) {
      resources.add(String(name));
    }
    for (const name of [textAt(names, 'kind'), textAt(names, 'listKind')]) kinds.add(name);
  }
  resources.delete('');
  kinds.delete('');
  return { resources, kinds };
}

/** Whether a definition gives up names, which others may wait for. */
export function givesUpNames(before: Json | undefined, after: Json | undefined): boolean {
  const [had, has] = [takenNames([before]), takenNames([after])];
  return !had.resources.isSubsetOf(has.resources) || !had.kinds.isSubsetOf(has.kinds);
}

/** The subset of the requested names that a definition gets. */
export function decideNames(definition: ApiObject, taken: TakenNames): NamesDecision {
  const wanted = (at(definition, 'spec', 'names') ?? {}) as JsonObject;
  const had = (at(definition, 'status', 'acceptedNames') ?? {}) as JsonObject;
  const acceptedNames: JsonObject = { ...had };
  let condition: Condition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const refuse = (reason: string, names: readonly string[]) => {
    const inUse = names.map((name) => `${JSON.stringify(name)} is already in use`);
    const message = inUse.length === 1 ? (inUse[0] as string) : `[${inUse.join(', ')}]`;
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const settle = (member: string, reason: string, used: ReadonlySet<string>) => {
    const name = textAt(wanted, member);
    if (name !== textAt(had, member) && used.has(name)) refuse(reason, [name]);
    else acceptedNames[member] = name;
  };
  settle('plural', 'PluralConflict', taken.resources);
  settle('singular', 'SingularConflict', taken.resources);
  const shortNames = listAt(wanted, 'shortNames') as string[];
  const hadShort = new Set(listAt(had, 'shortNames') as string[]);
  const conflicting = shortNames.filter((name) => !hadShort.has(name) && taken.resources.has(name));
  if (conflicting.length > 0) refuse('ShortNamesConflict', conflicting);
  else acceptedNames['shortNames'] = wanted['shortNames'];
  settle('kind', 'KindConflict', taken.kinds);
  settle('listKind', 'ListKindConflict', taken.kinds);
  acceptedNames['categories'] = wanted['categories'];
  return { acceptedNames: said(acceptedNames), condition };
}

/** Names in a status: always plural and kind, others if present. */
function said({ plural = '', singular, shortNames, kind = '', listKind, categories }: JsonObject): JsonObject {
  const names: JsonObject = { plural };
  if (singular) names['singular'] = singular;
  if (Array.isArray(shortNames) && shortNames.length > 0) names['shortNames'] = shortNames;
  names['kind'] = kind;
  if (listKind) names['listKind'] = listKind;
  if (Array.isArray(categories) && categories.length > 0) names['categories'] = categories;
  return names;
}

/** Whether two sets of names are equal. */
export function sameNames(one: JsonObject, other: JsonObject | undefined): boolean {
  return equalJson(one, said(other ?? {}));
}
