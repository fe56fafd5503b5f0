// Builder for the table columns of a kind, as printed by kubectl get, and cell formats common to many kinds. A kind
// without a table gets the default one.

import type { ApiObject, Json } from '../api/object.ts';
import { compareText } from '../base/compare-text.ts';
import type { PodSpec } from './builtin/core/pod/objects.ts';
import type { LabelSelector, LabelSelectorRequirement } from './builtin/meta/v1-objects.ts';
import type { Cell, TableColumn, TableColumns } from './definition.ts';
import { humanDuration } from './duration.ts';
import { sortedEntries } from './value.ts';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

type HasMetadata = Pick<ApiObject, 'metadata'>;

type ColumnFacts = Partial<Omit<TableColumn, 'name'>>;

export function column(name: string, facts: ColumnFacts = {}): TableColumn {
  return { name, type: 'string', format: '', description: '', priority: 0, ...facts };
}

export const integer = (name: string) => column(name, { type: 'integer' });
export const boolean = (name: string) => column(name, { type: 'boolean' });
/** A column that is only shown in wide output (`-o wide`). */
export const wide = (name: string) => column(name, { priority: 1 });

export const NAME = column('Name', {
  format: 'name',
  description: 'The name of the object, unique among its kind in its namespace.',
});

/** Columns after the name; a string declares a string column. */
export function table<T extends HasMetadata = ApiObject>(
  columns: (string | TableColumn)[],
  cells: (object: T) => Cell[],
): TableColumns<T> {
  return {
    columns: [NAME, ...columns.map((each) => (typeof each === 'string' ? column(each) : each))],
    cells: (object) => [object.metadata.name ?? '', ...cells(object)],
  };
}

/** The default table: name and creation time. */
export const DEFAULT_TABLE: TableColumns<HasMetadata> = {
  columns: [
    NAME,
    column('Created At', { type: 'date', description: 'When the object was created, by the clock of the server.' }),
  ],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
};

/** Kinds that only have an age. */
export const namedTable: TableColumns<HasMetadata> = table(['Age'], (object) => [age(object)]);

export function age({ metadata }: HasMetadata): Cell {
  return since(metadata.creationTimestamp);
}

/** The age of a time; `<unknown>` if absent. */
export function since(time: Json | undefined): Cell {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? UNKNOWN : (nowMs) => humanDuration(nowMs - at);
}

/** The value of a cell at a time, in milliseconds since the Unix epoch. */
export function cellAt(cell: Cell, nowMs: number): Json {
  return typeof cell === 'function' ? cell(nowMs) : cell;
}

/** Labels as `a=1,b=2`. */
export function labels(map: Readonly<Record<string, string>> | null | undefined): string {
  return (
    sortedEntries(map)
      .map(([key, each]) => `${key}=${each}`)
      .join(',') || NONE
  );
}

/** A label selector with its requirements sorted by key: `app=web,tier in (a,b)`. */
export function selector(found: LabelSelector | null | undefined): string {
  const requirements: [string, string][] = [
    ...sortedEntries(found?.matchLabels).map(([key, each]): [string, string] => [key, `${key}=${each}`]),
    ...(found?.matchExpressions ?? []).map(requirement),
  ];
  const text = requirements.sort(([one], [other]) => compareText(one, other)).map(([, each]) => each);
  return text.join(',') || NONE;
}

function requirement({ key = '', operator = '', values }: LabelSelectorRequirement): [string, string] {
  const sorted = [...(values ?? [])].sort().join(',');
  switch (operator) {
    case 'In':
      return [key, `${key} in (${sorted})`];
    case 'NotIn':
      return [key, `${key} notin (${sorted})`];
    case 'Exists':
      return [key, key];
    default:
      return [key, `!${key}`];
  }
}

/** The names and images of the containers of a pod spec, as two cells. */
export function containers(spec: PodSpec | undefined): [string, string] {
  const all = spec?.containers ?? [];
  return [all.map(({ name }) => name).join(','), all.map(({ image }) => image).join(',')];
}

/** The first `max` items of a list, and the number of further ones. */
export function some(list: readonly string[], max = 3): string {
  const shown = list.slice(0, max).join(',');
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}
