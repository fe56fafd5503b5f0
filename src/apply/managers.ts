// metadata.managedFields: who owns which fields. The entries as the server keeps them, their reading, their order, and
// how many of them there may be. (KEP-555)

import type { Json, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { type FieldNode, type FieldSet, LEAF, union } from './field-set.ts';
import { FieldsError, parseFields } from './fields-v1.ts';

/** One entry: what one manager owns, by one kind of write, in one version. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** In which the fields are to be read. */
  readonly apiVersion: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** RFC 3339, whole seconds; undefined for who changed nothing that it owns. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** What the oldest entries of updaters become. */
const ANCIENT = 'ancient-changes';

/** Reads entries that this server wrote. */
export function readManagers(entries: readonly JsonObject[] | undefined): Manager[] {
  return lastOfEach(
    (entries ?? []).map((entry) => managerOf(entry, storedFields(entry.fieldsV1 as unknown as FieldNode | undefined))),
  );
}

/** Of entries that are the same one only the last, as Kubernetes reads them. */
function lastOfEach(managers: Manager[]): Manager[] {
  return managers.filter((manager, index) => !managers.some((each, at) => at > index && isSame(each, manager)));
}

function storedFields(fields: FieldNode | undefined): FieldSet {
  if (fields === undefined || fields === null) return undefined;
  for (const _ in fields) return fields;
  return undefined;
}

function managerOf(entry: JsonObject, fields: FieldSet): Manager {
  const { manager = '', operation, apiVersion = '', subresource = '', time } = entry;
  return {
    name: manager as string,
    operation: operation as Manager['operation'],
    apiVersion: apiVersion as string,
    subresource: subresource as string,
    time: (time ?? undefined) as string | undefined,
    fields,
  };
}

/** Reads entries that a client sent; undefined where one makes no sense. */
export function parseManagers(entries: readonly JsonObject[]): Manager[] | undefined {
  const managers: Manager[] = [];
  for (const entry of entries) {
    const { operation, apiVersion, fieldsType } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || fieldsType !== 'FieldsV1') return undefined;
    try {
      managers.push(managerOf(entry, parseFields(entry.fieldsV1 as Json | undefined)));
    } catch (error) {
      if (error instanceof FieldsError) return undefined;
      throw error;
    }
  }
  return lastOfEach(managers);
}

/** Whether entries that a client sent ask to forget all: a list of one empty entry. */
export function isReset(entries: readonly JsonObject[]): boolean {
  return entries.length === 1 && Object.values(entries[0] as JsonObject).every((value) => value === undefined);
}

/** The entries as they are stored, in order; undefined for none. */
export function writeManagers(managers: readonly Manager[]): JsonObject[] | undefined {
  return managers.length === 0 ? undefined : [...managers].sort(compareManagers).map(entryOf);
}

function entryOf({ name, operation, apiVersion, subresource, time, fields }: Manager): JsonObject {
  const entry: JsonObject = name === '' ? { operation, apiVersion } : { manager: name, operation, apiVersion };
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = (fields ?? LEAF) as unknown as JsonObject;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

const EPOCH = '1970-01-01T00:00:00Z';

function compareManagers(one: Manager, other: Manager): number {
  return (
    compareText(one.operation, other.operation) ||
    compareText(one.time ?? EPOCH, other.time ?? EPOCH) ||
    compareText(one.name, other.name) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource, other.subresource)
  );
}

/** Managers in the order in which messages name them. */
export function compareNames(one: Manager, other: Manager): number {
  return (
    compareText(one.name, other.name) ||
    compareText(one.operation, other.operation) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource, other.subresource)
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

type Identity = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>;

/** Whether two entries are the same one: an applier has one for all versions, an updater one for each. */
export function isSame(one: Identity, other: Identity): boolean {
  return (
    one.name === other.name &&
    one.operation === other.operation &&
    one.subresource === other.subresource &&
    (one.operation === 'Apply' || one.apiVersion === other.apiVersion)
  );
}

/** At most limits.updateManagers entries of updaters stay; the oldest of one version become one. */
export function capped(managers: readonly Manager[]): readonly Manager[] {
  let excess = managers.filter(({ operation }) => operation === 'Update').length - limits.updateManagers;
  if (excess <= 0) return managers;
  const byAge = managers.filter(({ operation }) => operation === 'Update').sort(compareAge);
  const kept = new Set(managers);
  const oldest = new Map<string, Manager>();
  for (const manager of byAge) {
    if (excess === 0) break;
    const older = oldest.get(manager.apiVersion);
    if (older === undefined) {
      oldest.set(manager.apiVersion, manager);
      continue;
    }
    kept.delete(older);
    kept.delete(manager);
    const merged = { ...manager, name: ANCIENT, subresource: '', fields: union(older.fields, manager.fields) };
    oldest.set(manager.apiVersion, merged);
    kept.add(merged);
    excess--;
  }
  return [...kept];
}

function compareAge(one: Manager, other: Manager): number {
  return compareText(one.time ?? EPOCH, other.time ?? EPOCH) || compareNames(one, other);
}
