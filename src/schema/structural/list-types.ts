// Validation of uniqueness in the sets and keyed lists of custom resources.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { memberPath } from '../../api/member-path.ts';
import type { Json } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { firstBy } from '../../base/first-places.ts';
import type { SchemaPart } from './schema-part.ts';
import { identityText } from './value-identity.ts';

/** Duplicates in sets and keyed lists, and items without keys. */
export function validateListTypes(value: Json, part: SchemaPart, field = ''): FieldError[] {
  if (!part.hasListTypes || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return listErrors(value, part, field);
  const found: FieldError[] = [];
  for (const name of Object.keys(value)) {
    const declared = part.properties.get(name);
    const member = declared ?? part.member(name);
    if (member?.hasListTypes !== true) continue;
    const below = declared === undefined ? `${field}[${name}]` : memberPath(field, name);
    found.push(...validateListTypes(value[name] as Json, member, below));
  }
  return found;
}

function listErrors(items: readonly Json[], part: SchemaPart, field: string): FieldError[] {
  const found: FieldError[] = [];
  const misfit = part.listType === 'map' ? items.findIndex((item) => !mayBeKeyed(item)) : -1;
  if (misfit >= 0) {
    // Without keys all items are equal.
    const detail = 'must be an object for an array of list-type map';
    found.push(fieldError.invalid(`${field}[${misfit}]`, items[misfit] as Json, detail));
  } else if (items.length > 1 && (part.listType === 'set' || part.listType === 'map')) {
    const seen = new Map<string, number>();
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Json;
      const identity = identityOf(item, part);
      const times = seen.get(identity) ?? 0;
      seen.set(identity, times + 1);
      // However often an item recurs, only its second occurrence is reported.
      if (times !== 1) continue;
      const told = part.listType === 'set' ? item : keysOf(item, part);
      found.push(fieldError.duplicate(`${field}[${index}]`, told));
    }
  }
  if (part.items?.hasListTypes !== true) return found;
  for (const [index, item] of items.entries()) found.push(...validateListTypes(item, part.items, `${field}[${index}]`));
  return found;
}

/** Whether an item is an object; null is not, and is left to the schema. */
function mayBeKeyed(item: Json): boolean {
  return typeof item === 'object' && !Array.isArray(item);
}

/** A text that is equal for duplicate items. Most items differ in a single string. */
function identityOf(item: Json, part: SchemaPart): string {
  if (part.listType === 'set') return typeof item === 'string' ? `string ${item}` : identityText(item);
  const { listKeys } = part;
  const hasOneKey = listKeys.length === 1 && isObject(item);
  const key = hasOneKey ? ownMember(item, listKeys[0] as string) : undefined;
  return typeof key === 'string' ? `key ${key}` : identityText(keysOf(item, part));
}

/** The key fields of an item, as far as it has them; null has none. */
function keysOf(item: Json, { listKeys }: SchemaPart): Json {
  if (item === null) return {};
  if (typeof item !== 'object' || Array.isArray(item)) return item;
  const keys = listKeys.toSorted().map((name) => [name, ownMember(item, name)] as const);
  return Object.fromEntries(keys.filter((key): key is readonly [string, Json] => key[1] !== undefined));
}

/** Whether an item has all its keys, as scalars: others are like no previous item. */
function hasKeys(item: Json, { listKeys }: SchemaPart): boolean {
  if (!isObject(item)) return false;
  return listKeys.every((name) => {
    const key = ownMember(item, name);
    return key !== undefined && key !== null && typeof key !== 'object';
  });
}

/**
 * Finds the item of a keyed list with the same keys as another item: undefined if there is none, or if the item lacks a
 * key. The items are looked at once.
 */
export function itemsByKey(items: readonly Json[], part: SchemaPart): (item: Json) => Json | undefined {
  let byKey: ReadonlyMap<string, Json> | undefined;
  return (item) => {
    if (!hasKeys(item, part)) return undefined;
    byKey ??= firstBy(items, (each) => identityOf(each, part));
    return byKey.get(identityOf(item, part));
  };
}
