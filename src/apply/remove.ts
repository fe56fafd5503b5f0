// Removal of the fields of a set from a value. Emptied lists and maps become null.

import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { eachOf, part } from '../base/resumed.ts';
import { type FieldNode, type FieldSet, isMember } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement } from './path-element.ts';
import { formOf, type ListValueType, type MapValueType, memberType, UNTYPED, type ValueType } from './value-type.ts';

/** The value without the fields in the set; shares the rest. */
export function removeFields(type: ValueType, value: Json, set: FieldSet): Json {
  if (set === undefined) return value;
  switch (formOf(type, value)) {
    case 'scalar':
      return value;
    case 'list':
      return withoutItems(type.list as ListValueType, value, set);
    case 'map':
      return withoutMembers(type.map as MapValueType, value, set);
  }
}

function withoutItems(list: ListValueType, value: Json, set: FieldNode): Json {
  if (list.atomic) return value;
  if (!Array.isArray(value)) return null;
  const left = eachOf(value, (item) => {
    const below = ownMember(set, itemElement(list, item));
    return isMember(below) ? undefined : removeFields(list.items, item, below);
  });
  const kept = left.filter((item) => item !== undefined);
  return kept.length === 0 ? null : kept;
}

function withoutMembers(map: MapValueType, value: Json, set: FieldNode): Json {
  if (!isObject(value)) return null;
  const names = part(() => Object.keys(value));
  const left = eachOf(names, (name) => {
    const below = ownMember(set, fieldElement(name));
    const given = ownMember(value, name);
    if (given === undefined || isMember(below)) return undefined;
    return removeFields(memberType(map, name) ?? UNTYPED, given, below);
  });
  const kept: JsonObject = {};
  let size = 0;
  for (const [index, member] of left.entries()) {
    if (member === undefined) continue;
    size++;
    setMember(kept, names[index] as string, member);
  }
  return size === 0 ? null : kept;
}
