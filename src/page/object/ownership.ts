// Ownership of fields from managedFields: which manager owns which path, and on which lines of the YAML.

import type { ApiObject, FieldsV1, ManagedFieldsEntry } from './live-object.ts';
import type { Path } from './yaml-text.ts';

export interface OwnedPath {
  readonly path: Path;
  /** Indexes of the owners in the list of managers. */
  readonly owners: readonly number[];
}

/** One entry of managedFields, labelled so that users can distinguish managers. */
export function managerTitle({ manager = '', operation = '', subresource = '' }: ManagedFieldsEntry): string {
  return `${manager} (${operation}${subresource === '' ? '' : `, ${subresource}`})`;
}

/** Returns every owned leaf as a path into the object. Items that no longer exist are omitted. */
export function ownedPaths(object: ApiObject): OwnedPath[] {
  const owners = new Map<string, { path: Path; owners: number[] }>();
  for (const [index, { fieldsV1 }] of (object.metadata.managedFields ?? []).entries()) {
    for (const path of leaves(fieldsV1 ?? {}, object, [])) {
      const key = JSON.stringify(path);
      const known = owners.get(key);
      if (known === undefined) owners.set(key, { path, owners: [index] });
      else known.owners.push(index);
    }
  }
  return [...owners.values()];
}

/** Returns the part of a value that a field set covers; items keep their key fields. */
export function ownedPart(value: unknown, fields: FieldsV1): unknown {
  const elements = Object.entries(fields).filter(([element]) => element !== '.');
  // A set that contains only '.' covers the map or list itself, not the entries that others have added.
  if (elements.length === 0) return '.' in fields ? (Array.isArray(value) ? [] : {}) : value;
  const parts = elements.flatMap(([element, inner]) => {
    const step = stepOf(element, value);
    if (step === undefined) return [];
    return [{ element, step, part: ownedPart((value as Record<string | number, unknown>)[step], inner) }];
  });
  if (!Array.isArray(value)) return Object.fromEntries(parts.map(({ step, part }) => [step, part]));
  return parts.map(({ element, part }) =>
    element.startsWith('k:') ? { ...(JSON.parse(element.slice(2)) as object), ...(part as object) } : part,
  );
}

function* leaves(fields: FieldsV1, value: unknown, path: Path): Generator<Path> {
  const elements = Object.keys(fields).filter((element) => element !== '.');
  if (elements.length === 0) {
    yield path;
    return;
  }
  for (const element of elements) {
    const step = stepOf(element, value);
    if (step === undefined) continue;
    const member = (value as Record<string | number, unknown>)[step];
    yield* leaves(fields[element]!, member, [...path, step]);
  }
}

/** Returns the field name or the item index for a path element; undefined if the value does not contain it. */
function stepOf(element: string, value: unknown): string | number | undefined {
  const [form, text] = [element.slice(0, 2), element.slice(2)];
  if (form === 'f:') return typeof value === 'object' && value !== null && text in value ? text : undefined;
  if (!Array.isArray(value)) return undefined;
  if (form === 'i:') return Number(text) < value.length ? Number(text) : undefined;
  const wanted = JSON.parse(text) as unknown;
  const at = value.findIndex((item) => (form === 'v:' ? isSame(item, wanted) : hasKeys(item, wanted)));
  return at < 0 ? undefined : at;
}

function hasKeys(item: unknown, keys: unknown): boolean {
  return Object.entries(keys as object).every(([name, value]) =>
    isSame((item as Record<string, unknown>)?.[name], value),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
