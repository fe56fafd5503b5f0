// Ownership of fields, by the entries of managedFields: which manager owns which path, and the lines of the YAML where
// these stand.

import type { ApiObject, FieldsV1, ManagedFieldsEntry } from './live-object.ts';
import type { Path } from './yaml-text.ts';

export interface OwnedPath {
  readonly path: Path;
  /** Numbers of the owners in the list of managers. */
  readonly owners: readonly number[];
}

/** One entry of managedFields, as people tell managers apart. */
export function managerTitle({ manager = '', operation = '', subresource = '' }: ManagedFieldsEntry): string {
  return `${manager} (${operation}${subresource === '' ? '' : `, ${subresource}`})`;
}

/** Every leaf that some manager owns, as a path into the object. Items that are gone are left out. */
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

/** The part of a value that a field set names; items keep the members by which they are told apart. */
export function ownedPart(value: unknown, fields: FieldsV1): unknown {
  const elements = Object.entries(fields).filter(([element]) => element !== '.');
  // A set of nothing but '.' is the map or list itself, whatever others have put into it.
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

/** The member or the place of the item that an element names; undefined where the value does not have it. */
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
