// The status of a StorageVersion: an entry for each server, and their common encoding version.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { objectIn } from '../resources/fill-in.ts';
import { listAt, textAt } from '../resources/value.ts';

const CONDITION = 'AllEncodingVersionsEqual';

/** Sets the entry of a server. @returns whether anything changed */
export function setServerRow(object: ApiObject, row: JsonObject, nowMs: number): boolean {
  const rows = rowsOf(object);
  const at = rows.findIndex(({ apiServerID }) => apiServerID === row['apiServerID']);
  if (at >= 0 && equalJson(rows[at] as JsonObject, row) && isSettled(object)) return false;
  const next = at < 0 ? [...rows, row] : rows.with(at, row);
  setRows(object, next, nowMs);
  return true;
}

/** Keeps the entries of live servers. @returns the numbers of remaining and removed entries */
export function keepServerRows(
  object: ApiObject,
  isThere: (apiServerId: string) => boolean,
  nowMs: number,
): { left: number; gone: number } {
  const rows = rowsOf(object);
  const left = rows.filter(({ apiServerID }) => isThere(String(apiServerID)));
  if (left.length < rows.length) setRows(object, left, nowMs);
  return { left: left.length, gone: rows.length - left.length };
}

/** The servers with entries in a StorageVersion. */
export function serversOf(object: ApiObject): string[] {
  return rowsOf(object).map(({ apiServerID }) => String(apiServerID));
}

function rowsOf(object: ApiObject): JsonObject[] {
  return listAt(object, 'status', 'storageVersions') as JsonObject[];
}

function isSettled(object: ApiObject): boolean {
  const common = commonVersion(rowsOf(object));
  return textAt(object, 'status', 'commonEncodingVersion') === (common ?? '') && conditionOf(object) !== undefined;
}

function setRows(object: ApiObject, rows: readonly JsonObject[], nowMs: number): void {
  const before = textAt(object, 'status', 'commonEncodingVersion');
  const condition = conditionOf(object);
  const common = commonVersion(rows);
  const status = objectIn(object, 'status');
  status['storageVersions'] = [...rows];
  delete status['commonEncodingVersion'];
  if (common !== undefined) status['commonEncodingVersion'] = common;
  const others = (listAt(object, 'status', 'conditions') as JsonObject[]).filter(({ type }) => type !== CONDITION);
  const next = common === undefined ? UNSET : SET;
  const isOther =
    condition?.['status'] !== next['status'] || (common !== undefined && before !== '' && before !== common);
  const changedAt = timestamp(nowMs);
  const lastTransitionTime = isOther ? changedAt : (condition?.['lastTransitionTime'] ?? changedAt);
  const { generation } = object.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  status['conditions'] = [...others, { type: CONDITION, ...observed, ...next, lastTransitionTime }];
}

const SET: JsonObject = {
  status: 'True',
  reason: 'CommonEncodingVersionSet',
  message: 'Common encoding version set',
};
const UNSET: JsonObject = {
  status: 'False',
  reason: 'CommonEncodingVersionUnset',
  message: 'Common encoding version unset',
};

function conditionOf(object: ApiObject): JsonObject | undefined {
  return (listAt(object, 'status', 'conditions') as JsonObject[]).find(({ type }) => type === CONDITION);
}

/** The common encoding version; undefined if servers differ, and if there are none. */
function commonVersion(rows: readonly JsonObject[]): string | undefined {
  const versions = new Set(rows.map((row) => row['encodingVersion'] as string));
  return versions.size === 1 ? [...versions][0] : undefined;
}
