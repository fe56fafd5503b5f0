// Ownership of a new object: its creator owns all that it has beyond an object without a field said. One walk, which
// compares nothing but the few parts that such an object has already.

import type { Json } from '../api/object.ts';
import type { LeftForLater } from '../base/steps.ts';
import { compareValues } from './compare.ts';
import { differenceBelow, type FieldNode, type FieldSet, union } from './field-set.ts';
import { ShapeMemory } from './field-shape.ts';
import type { Manager } from './managers.ts';
import { withoutUnowned } from './owned-metadata.ts';
import type { TypedObject } from './typed-object.ts';
import { membersBeyond, newItems } from './typed-walk.ts';
import { isMap, UNTYPED, type ValueType } from './value-type.ts';

interface Creation {
  /** An object of the version without a field said. */
  readonly empty: TypedObject;
  readonly created: TypedObject;
  /** Fields that this write can't set. */
  readonly ignored: FieldSet;
  readonly by: { readonly name: string; readonly subresource: string };
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /**
   * Of an object too long for its shape to be remembered: takes what is left of large sets, which are in their places
   * and filled by this.
   */
  readonly later?: LeftForLater | undefined;
}

/** The creator's entry; none where it said nothing that can be owned. @throws ItemError for items without keys */
export function managersAfterCreation(creation: Creation): readonly Manager[] {
  const { empty, created, ignored, by, now, later } = creation;
  const { type, apiVersion, value } = created;
  const all = () => withoutUnowned(beyondOf(later)(type, empty.value, value));
  // A set that is still to be filled is nobody else's.
  const said = later !== undefined ? all() : memoryOf(type, empty.value).of(value, all);
  const fields = differenceBelow(said, ignored);
  return fields === undefined ? [] : [{ ...by, operation: 'Update', apiVersion, time: now, fields }];
}

/** What new objects owned, by type and shape: a memory only. */
const memories = new WeakMap<ValueType, ShapeMemory<FieldSet>>();

function memoryOf(type: ValueType, empty: Json): ShapeMemory<FieldSet> {
  let memory = memories.get(type);
  if (memory?.before !== empty) {
    memory = new ShapeMemory(type, { before: empty });
    memories.set(type, memory);
  }
  return memory;
}

type Beyond = (type: ValueType | undefined, before: Json, value: Json) => FieldNode | undefined;

/** What was added to a value or changed in it; what went leaves no trace. */
function beyondOf(later: LeftForLater | undefined): Beyond {
  const beyond: Beyond = (type = UNTYPED, before, value) => {
    if (before === value) return undefined;
    const { map, list } = type;
    if (map !== undefined && !map.atomic && isMap(before) && isMap(value)) {
      return membersBeyond(map, { before, value, later }, beyond);
    }
    // What has no items is written as null, which is taken for a map where the type has one.
    if (before === null && map === undefined && list?.atomic === false && Array.isArray(value) && value.length > 0) {
      return newItems(list, value);
    }
    const changes = compareValues(type, before, value);
    return union(changes?.modified, changes?.added);
  };
  return beyond;
}
