// Ownership of a new object: its creator owns everything beyond an empty object. A single walk, which compares only the
// few fields that an empty object has.

import { isObject } from '../api/is-object.ts';
import type { Json } from '../api/object.ts';
import { compareValues } from './compare.ts';
import { differenceBelow, type FieldNode, type FieldSet, union } from './field-set.ts';
import { ShapeMemory } from './field-shape.ts';
import type { Manager } from './managers.ts';
import { withoutUnowned } from './owned-metadata.ts';
import type { TypedObject } from './typed-object.ts';
import { membersBeyond, newItems } from './typed-walk.ts';
import { UNTYPED, type ValueType } from './value-type.ts';

interface Creation {
  /** An empty object of the version. */
  readonly empty: TypedObject;
  readonly created: TypedObject;
  /** Fields that this write cannot set. */
  readonly ignored: FieldSet;
  readonly by: { readonly name: string; readonly subresource: string };
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** Whether it is too large for the shape cache. */
  readonly isLong?: boolean;
}

/** The creator's entry; undefined if it owns nothing. @throws ItemError for items without keys */
export function managersAfterCreation(creation: Creation): readonly Manager[] {
  const { empty, created, ignored, by, now, isLong = false } = creation;
  const { type, apiVersion, value } = created;
  const all = () => withoutUnowned(beyond(type, empty.value, value));
  const said = isLong ? all() : memoryOf(type, empty.value).of(value, all);
  const fields = differenceBelow(said, ignored);
  return fields === undefined ? [] : [{ ...by, operation: 'Update', apiVersion, time: now, fields }];
}

/** Field sets of new objects, by type and shape: only a cache. */
const memories = new WeakMap<ValueType, ShapeMemory<FieldSet>>();

function memoryOf(type: ValueType, empty: Json): ShapeMemory<FieldSet> {
  let memory = memories.get(type);
  if (memory?.before !== empty) {
    memory = new ShapeMemory(type, { before: empty });
    memories.set(type, memory);
  }
  return memory;
}

/** What was added or changed in a value; removed fields leave no trace. */
function beyond(type: ValueType | undefined = UNTYPED, before: Json, value: Json): FieldNode | undefined {
  if (before === value) return undefined;
  const { map, list } = type;
  if (map !== undefined && !map.atomic && isObject(before) && isObject(value)) {
    return membersBeyond(map, { before, value }, beyond);
  }
  // A list without items is null, which counts as a map if the type has one.
  if (before === null && map === undefined && list?.atomic === false && Array.isArray(value) && value.length > 0) {
    return newItems(list, value);
  }
  const changes = compareValues(type, before, value);
  return union(changes?.modified, changes?.added);
}
