// The columns that kinds are listed with, as the server prints them: the builder in which a kind's table is declared,
// and the forms that cells of many kinds share. A kind without a table of its own gets the default one.

import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import type { Cell, TableColumn, TableColumns } from './definition.ts';
import { humanDuration } from './duration.ts';
import { at, entriesAt, isObject, listAt, textAt } from './value.ts';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

type ColumnFacts = Partial<Omit<TableColumn, 'name'>>;

export function column(name: string, facts: ColumnFacts = {}): TableColumn {
  return { name, type: 'string', format: '', description: '', priority: 0, ...facts };
}

export const integer = (name: string) => column(name, { type: 'integer' });
export const boolean = (name: string) => column(name, { type: 'boolean' });
/** A column that is shown only when asked for more (`-o wide`). */
export const wide = (name: string) => column(name, { priority: 1 });

export const NAME = column('Name', {
  format: 'name',
  description: 'The name of the object, unique among its kind in its namespace.',
});

/** Columns after the name; a column that is given as text holds text. */
export function table(columns: (string | TableColumn)[], cells: (object: ApiObject) => Cell[]): TableColumns {
  return {
    columns: [NAME, ...columns.map((each) => (typeof each === 'string' ? column(each) : each))],
    cells: (object) => [object.metadata.name ?? '', ...cells(object)],
  };
}

/** The table of kinds that have none of their own: the name and when the object was made. */
export const DEFAULT_TABLE: TableColumns = {
  columns: [
    NAME,
    column('Created At', { type: 'date', description: 'When the object was created, by the clock of the server.' }),
  ],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
};

/** Kinds that have nothing to show but how old they are. */
export const namedTable: TableColumns = table(['Age'], (object) => [age(object)]);

export function age({ metadata }: ApiObject): Cell {
  return since(metadata.creationTimestamp);
}

/** How long ago a time was; `<unknown>` for none. */
export function since(time: Json | undefined): Cell {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? UNKNOWN : (nowMs) => humanDuration(nowMs - at);
}

/** What a cell shows at a time, in milliseconds since the Unix epoch. */
export function cellAt(cell: Cell, nowMs: number): Json {
  return typeof cell === 'function' ? cell(nowMs) : cell;
}

/** The labels at a path as `a=1,b=2`. */
export function labels(value: Json | undefined, ...path: string[]): string {
  return (
    entriesAt(value, ...path)
      .map(([key, each]) => `${key}=${textAt(each)}`)
      .join(',') || NONE
  );
}

/** The label selector at a path, its requirements in the order of their keys: `app=web,tier in (a,b)`. */
export function selector(value: Json | undefined, ...path: string[]): string {
  const found = at(value, ...path);
  const requirements: [string, string][] = [
    ...entriesAt(found, 'matchLabels').map(([key, each]): [string, string] => [key, `${key}=${textAt(each)}`]),
    ...listAt(found, 'matchExpressions').map(requirement),
  ];
  const text = requirements.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, each]) => each);
  return text.join(',') || NONE;
}

function requirement(expression: Json): [string, string] {
  const key = textAt(expression, 'key');
  const values = listAt(expression, 'values').map(String).sort().join(',');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return [key, `${key} in (${values})`];
    case 'NotIn':
      return [key, `${key} notin (${values})`];
    case 'Exists':
      return [key, key];
    default:
      return [key, `!${key}`];
  }
}

/** The names and the images of the containers of the pod spec at a path, as two cells. */
export function containers(value: Json | undefined, ...path: string[]): [string, string] {
  const all = listAt(value, ...path, 'containers');
  return [all.map((each) => textAt(each, 'name')).join(','), all.map((each) => textAt(each, 'image')).join(',')];
}

/** The first `max` of a list, and how many more there are. */
export function some(list: readonly string[], max = 3): string {
  const shown = list.slice(0, max).join(',');
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}

/** The condition of a type in the list at status.conditions. */
export function condition(object: ApiObject, type: string): JsonObject | undefined {
  const found = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type);
  return isObject(found) ? found : undefined;
}

export function isTrue(object: ApiObject, type: string): boolean {
  return textAt(condition(object, type), 'status') === 'True';
}
