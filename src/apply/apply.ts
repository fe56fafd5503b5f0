// Server-side apply: the fields that a client declares are merged into the live object, fields that it applied before
// and omits now are removed, and changing fields of other managers is a conflict. See KEP-555.

import { equalJson } from '../api/json-equal.ts';
import type { JsonObject } from '../api/object.ts';
import { part } from '../base/resumed.ts';
import { ConflictError } from './conflict.ts';
import { managersAfterCreation } from './creation.ts';
import { differenceBelow, type FieldSet } from './field-set.ts';
import { ShapeMemory } from './field-shape.ts';
import { isSame, type Manager } from './managers.ts';
import { mergeValues } from './merge.ts';
import { withoutUnowned } from './owned-metadata.ts';
import { changesOf, ownershipAfter, underCurrentSchema } from './ownership.ts';
import { prune } from './prune.ts';
import type { Convert, TypedObject } from './typed-object.ts';
import { fieldSetOf } from './typed-walk.ts';
import type { ValueType } from './value-type.ts';

export interface Apply {
  /** The current object, or an empty one, in the version of the apply. */
  readonly live: TypedObject;
  /** An empty object of that version. */
  readonly empty: TypedObject;
  /** The applied configuration; checked by typeFaults. */
  readonly applied: JsonObject;
  readonly by: { readonly name: string; readonly subresource: string };
  /** Takes fields from other managers instead of reporting a conflict. */
  readonly force: boolean;
  readonly convert: Convert;
  /** Fields that this write cannot change. */
  readonly ignored: FieldSet;
  /** The only version whose managers this concerns; undefined for all. */
  readonly ignoredIn?: string | undefined;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** Whether what was sent is too long for its shape to be remembered. */
  readonly isLong?: boolean;
}

export interface Applied {
  /** Undefined if the object does not change. */
  readonly object: JsonObject | undefined;
  readonly managers: readonly Manager[];
}

/** The manager of everything that existed before the first apply. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** @throws ConflictError; VersionError if an entry's version is unavailable; ItemError for items without keys */
export function applyConfiguration(apply: Apply, managers: readonly Manager[]): Applied {
  const { live, by, convert } = apply;
  const known = managers.length === 0 ? untracked(apply) : managers;
  const current = part(() => underCurrentSchema(known, live, convert));
  const fields = part(() => differenceBelow(claimed(apply), apply.ignored));
  const identity = { ...by, operation: 'Apply', apiVersion: live.apiVersion } as const;
  const last = current.find((each) => isSame(each, identity));
  const own: Manager = { ...identity, time: last?.time, fields };
  const all = part(() => [...current.filter((each) => each !== last), own]);
  const next = part(() => pruned(apply, all, last));
  const outcome = part(() => ownershipAfter(changesOf({ ...apply, next }), all, all.at(-1)));
  if (outcome.conflicts.length > 0 && !apply.force) throw new ConflictError(outcome.conflicts);
  const isChanged = part(() => !equalJson(live.value, next.value));
  return {
    object: isChanged ? next.value : undefined,
    managers: outcome.managers.flatMap((each) =>
      each === all.at(-1) ? settled(each, isChanged ? apply.now : own.time) : each,
    ),
  };
}

/** Field sets of applied values, by type and shape: only a cache. */
const memories = new WeakMap<ValueType, ShapeMemory<FieldSet>>();

/** The fields in the applied value. @throws ItemError */
function claimed({ live: { type }, applied: value, isLong }: Apply): FieldSet {
  if (isLong === true) return fieldSetOf(type, value);
  let memory = memories.get(type);
  if (memory === undefined) {
    memory = new ShapeMemory(type);
    memories.set(type, memory);
  }
  return memory.of(value, () => fieldSetOf(type, value));
}

function untracked({ live, empty, ignored, by, now, isLong = false }: Apply): readonly Manager[] {
  const before = { name: BEFORE_FIRST_APPLY, subresource: by.subresource };
  return part(() => managersAfterCreation({ empty, created: live, ignored, by: before, now, isLong }));
}

function pruned(
  { live, applied, convert }: Apply,
  managers: readonly Manager[],
  last: Manager | undefined,
): TypedObject {
  const merged = { ...live, value: mergeValues(live.type, live.value, applied) as JsonObject };
  return prune({ merged, managers, last, convert });
}

/** The applier's entry; undefined if it owns nothing. */
function settled(own: Manager, time: string | undefined): Manager[] {
  const fields = withoutUnowned(own.fields);
  return fields === undefined ? [] : [{ ...own, time, fields }];
}
