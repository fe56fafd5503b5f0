// Pruning of fields that an applier no longer applies, unless another manager owns them: map entries and list items,
// and a map with its last owned entry.

import type { JsonObject } from '../api/object.ts';
import { part } from '../base/resumed.ts';
import { difference, type FieldSet, includes, intersection, union, unionOfAll } from './field-set.ts';
import { isSame, type Manager } from './managers.ts';
import { removeFields } from './remove.ts';
import { withNamedFields } from './schema-change.ts';
import { type Convert, inVersion, type TypedObject } from './typed-object.ts';
import { fieldSetOf } from './typed-walk.ts';

interface Pruning {
  /** Live and applied value merged. */
  readonly merged: TypedObject;
  /** All entries, including the applier's new one. */
  readonly managers: readonly Manager[];
  /** The fields of the previous apply. */
  readonly last: Manager | undefined;
  readonly convert: Convert;
}

/** The merged object in its own version, without fields that nobody applies any more. @throws VersionError */
export function prune(pruning: Pruning): TypedObject {
  const { merged, last, convert } = pruning;
  if (last?.fields === undefined || isAppliedAgain(pruning)) return merged;
  const failure = 'failed to prune fields';
  const toLast = `${failure}: failed to convert merged object to last applied version`;
  const then = inVersion(merged, last.apiVersion, { convert, failure: toLast });
  if (then === undefined) return merged;
  const bare = part(() => removed(then, withNamedFields(then.type, last.fields)));
  const owned = part(() => withOwned(pruning, { merged: then, pruned: bare }));
  const pruned = part(() => withDangling(then, inVersion(owned, last.apiVersion, { convert }) ?? owned, last));
  return inVersion(pruned, merged.apiVersion, { convert, failure }) ?? merged;
}

/** If everything in the last apply is applied again, and all entries have its version, nothing is pruned. */
function isAppliedAgain({ managers, last }: Pruning): boolean {
  if (managers.some((each) => each.apiVersion !== last?.apiVersion)) return false;
  return managers.some(
    (each) =>
      last !== undefined &&
      isSame(each, last) &&
      each.apiVersion === last.apiVersion &&
      includes(each.fields, last.fields),
  );
}

interface Stage {
  readonly merged: TypedObject;
  readonly pruned: TypedObject;
}

/**
 * Restores what is still owned, version by version, beginning with that of the last apply, which conversion may need.
 */
function withOwned({ managers, last, convert }: Pruning, start: Stage): TypedObject {
  const byVersion = new Map<string, FieldSet[]>([[last?.apiVersion ?? '', []]]);
  for (const { apiVersion, fields } of managers) {
    const sets = byVersion.get(apiVersion);
    if (sets === undefined) byVersion.set(apiVersion, [fields]);
    else sets.push(fields);
  }
  let stage = start;
  for (const [apiVersion, sets] of byVersion) {
    const fields = part(() => unionOfAll(sets));
    const merged = converted('merged', stage.merged, { apiVersion, convert });
    const pruned = converted('pruned', stage.pruned, { apiVersion, convert });
    if (merged === undefined || pruned === undefined) continue;
    const { type } = merged;
    const kept = part(() => union(named(pruned), withNamedFields(type, fields)));
    stage = { merged, pruned: part(() => removed(merged, difference(named(merged), kept))) };
  }
  return stage.pruned;
}

function converted(
  what: string,
  object: TypedObject,
  { apiVersion, convert }: { apiVersion: string; convert: Convert },
): TypedObject | undefined {
  const failure = `failed to prune fields: failed add back owned items: failed to convert ${what} object at version`;
  return inVersion(object, apiVersion, { convert, failure: `${failure} ${apiVersion}` });
}

/** Restores what the applier never owned. */
function withDangling(merged: TypedObject, pruned: TypedObject, last: Manager): TypedObject {
  const before = part(() => named(merged));
  const after = part(() => named(pruned));
  const gone = part(() => difference(before, after));
  const owned = part(() => withNamedFields(merged.type, last.fields));
  return removed(
    merged,
    part(() => intersection(gone, owned)),
  );
}

function named({ type, value }: TypedObject): FieldSet {
  const set = part(() => fieldSetOf(type, value));
  return withNamedFields(type, set);
}

function removed(object: TypedObject, set: FieldSet): TypedObject {
  return { ...object, value: (removeFields(object.type, object.value, set) ?? {}) as JsonObject };
}
