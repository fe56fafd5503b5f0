// The summary of an object of any kind, for kinds that have none of their own: custom resources above all. Single values
// are facts, each with the path of its field, and lists of objects are tables.

import { isObject } from '../../api/is-object.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import type { Fact } from './fact.ts';

/** A list of objects in an object: its path, the fields of its items, and the items. */
export interface MemberTable {
  readonly title: string;
  readonly fields: readonly string[];
  readonly items: readonly unknown[];
}

interface ShownMembers {
  readonly facts: readonly Fact[];
  readonly tables: readonly MemberTable[];
}

/** Shown elsewhere, or the same for all objects. */
const ELSEWHERE: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'data', 'binaryData', 'stringData']);
/** Shown as tables of their own, or of no use to readers. */
const OF_STATUS: ReadonlySet<string> = new Set(['status.conditions', 'status.observedGeneration']);

/** More than this is read better as YAML. */
const MOST_FACTS = 40;
const LONGEST_TEXT = 300;

/** Returns what an object says besides its metadata and conditions, in the order of its fields. */
export function shownMembers(object: WholeObject): ShownMembers {
  const facts: Fact[] = [];
  const tables: MemberTable[] = [];
  for (const [name, value] of Object.entries(object)) {
    // Nearly everything is in the spec, which goes without saying.
    if (!ELSEWHERE.has(name)) collect(value, name === 'spec' ? '' : name, { facts, tables });
  }
  return { facts: facts.slice(0, MOST_FACTS), tables };
}

function collect(value: unknown, path: string, found: { facts: Fact[]; tables: MemberTable[] }): void {
  if (OF_STATUS.has(path)) return;
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    const fields = [...new Set(value.flatMap((item) => Object.keys(item)))];
    found.tables.push({ title: path, fields, items: value });
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      collect(inner, path === '' ? name : `${path}.${name}`, found);
    }
  } else if (path !== '') found.facts.push({ label: path, text: memberText(value) });
}

/** Returns a value in one line, in the form of YAML's flow style; '' for one that is not there. */
export function memberText(value: unknown): string {
  const text = textOf(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  // As of the group of Pods, which would not be seen.
  if (value === '') return '""';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${isObject(inner) ? `{${textOf(inner)}}` : textOf(inner)}`)
    .join(', ');
}
