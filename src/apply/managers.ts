// metadata.managedFields: the entries, their parsing, order and maximum number. See KEP-555.

import type { Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { eachOf, inParts, part } from '../base/resumed.ts';
import { sorting } from '../base/sorting.ts';
import { type FieldNode, type FieldSet, LEAF, unionOfAll } from './field-set.ts';
import { FieldsError, parseFields } from './fields-v1.ts';

/** One entry: what a manager owns by one operation in one version. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** The version of the fields. */
  readonly apiVersion: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** RFC 3339, whole seconds; undefined for a manager that changed nothing that it owns. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** The manager of the merged oldest entries of updaters. */
const ANCIENT = 'ancient-changes';

/** Parses entries that this server wrote. */
export function readManagers(entries: readonly JsonObject[] | undefined): Manager[] {
  return lastOfEach(
    (entries ?? []).map((entry) => managerOf(entry, storedFields(entry.fieldsV1 as unknown as FieldNode | undefined))),
  );
}

/** Of duplicate entries only the last counts, as in Kubernetes. */
function lastOfEach(managers: Manager[]): Manager[] {
  if (managers.length < 2) return managers;
  const last = new Map(managers.map((manager) => [identityOf(manager), manager]));
  return last.size === managers.length ? managers : managers.filter((each) => last.get(identityOf(each)) === each);
}

/** Equal for entries that are the same. */
function identityOf({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([operation, operation === 'Apply' ? '' : apiVersion, subresource, name]);
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

/** Parses entries from a client; undefined if one is invalid. */
export function parseManagers(entries: readonly JsonObject[]): Manager[] | undefined {
  const managers = eachOf(entries, parsedEntry);
  if (managers.some((each) => typeof each === 'string')) return undefined;
  return part(() => lastOfEach(managers as Manager[]));
}

/** Why entries are invalid: what the first wrong one lacks. Undefined if they are valid. */
export function managersFault(entries: readonly JsonObject[]): string | undefined {
  return eachOf(entries, parsedEntry).find((each) => typeof each === 'string');
}

/** An entry, or why it is invalid. */
function parsedEntry(entry: JsonObject, index: number): Manager | string {
  const { operation, apiVersion, fieldsType } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
  if (!apiVersion) return 'apiVersion must not be empty';
  if (!fieldsType) return `missing fieldsType in managed fields entry ${index}`;
  if (fieldsType !== 'FieldsV1')
    return `invalid fieldsType ${goQuote(String(fieldsType))} in managed fields entry ${index}`;
  try {
    return managerOf(entry, parseFields(entry.fieldsV1 as Json | undefined));
  } catch (error) {
    if (error instanceof FieldsError)
      return `error decoding manager from managed fields entry ${index}: ${error.message}`;
    throw error;
  }
}

/** Whether entries from a client request a reset: a list with one empty entry. */
export function isReset(entries: readonly JsonObject[]): boolean {
  return entries.length === 1 && Object.values(entries[0] as JsonObject).every((value) => value === undefined);
}

/** The stored form of entries, in order; undefined for none. */
export function writeManagers(managers: readonly Manager[]): JsonObject[] | undefined {
  return managers.length === 0 ? undefined : inParts(() => sorting([...managers], compareManagers)).map(entryOf);
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

/** Managers in the order of messages: that of their identifiers in Kubernetes, which are JSON. */
export function compareNames(one: Manager, other: Manager): number {
  return compareText(identifierOf(one), identifierOf(other));
}

/** Applies by one manager are the same whatever their version and time. */
function identifierOf({ name, operation, apiVersion, time, subresource }: Manager): string {
  return JSON.stringify({
    ...(name !== '' && { manager: name }),
    operation,
    ...(operation === 'Update' && { apiVersion, time }),
    ...(subresource !== '' && { subresource }),
  });
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

type Identity = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>;

/** Whether two entries are the same: an applier has one for all versions, an updater one per version. */
export function isSame(one: Identity, other: Identity): boolean {
  return (
    one.name === other.name &&
    one.operation === other.operation &&
    one.subresource === other.subresource &&
    (one.operation === 'Apply' || one.apiVersion === other.apiVersion)
  );
}

/** Limits entries of updaters to limits.updateManagers; the oldest of each version are merged. */
export function capped(managers: readonly Manager[]): readonly Manager[] {
  let excess = managers.filter(({ operation }) => operation === 'Update').length - limits.updateManagers;
  if (excess <= 0) return managers;
  const byAge = managers.filter(({ operation }) => operation === 'Update').sort(compareAge);
  const kept = new Set(managers);
  const oldest = new Map<string, Manager[]>();
  for (const manager of byAge) {
    if (excess === 0) break;
    const older = oldest.get(manager.apiVersion);
    if (older === undefined) {
      oldest.set(manager.apiVersion, [manager]);
      continue;
    }
    older.push(manager);
    excess--;
  }
  for (const merged of oldest.values()) {
    if (merged.length === 1) continue;
    for (const each of merged) kept.delete(each);
    const fields = unionOfAll(merged.map((each) => each.fields));
    kept.add({ ...(merged.at(-1) as Manager), name: ANCIENT, subresource: '', fields });
  }
  return [...kept];
}

function compareAge(one: Manager, other: Manager): number {
  return compareText(one.time ?? EPOCH, other.time ?? EPOCH) || compareNames(one, other);
}
