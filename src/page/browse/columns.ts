// Columns of a list, and the filtering and sorting of its rows.

import { lookup } from '../../base/lookup.ts';
import type { Column, Row } from '../cluster/live-table.ts';
import { age } from './age.ts';
import { toneOf } from './tone.ts';
import type { GridColumn } from './virtual-rows.tsx';

const OWNER: GridColumn = {
  title: 'Owner',
  minWidth: 190,
  share: 1.2,
  cell: ({ meta: { ownerReferences = [] } }) => ownerReferences.map(({ kind, name }) => `${kind}/${name}`).join(', '),
};
const LABELS: GridColumn = {
  title: 'Labels',
  minWidth: 220,
  share: 2,
  cell: ({ meta: { labels = {} } }) =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
};

/**
 * Returns the columns of a list: the server's, the namespace if several are shown, and extra columns where there is
 * room.
 * @param isWide whether to include the columns of kubectl's wide output, owners and labels
 */
export function gridColumns(
  columns: readonly Column[],
  { showsNamespace, isWide }: { showsNamespace: boolean; isWide: boolean },
): GridColumn[] {
  const named: GridColumn[] = columns.flatMap((column, at) => {
    if (column.priority > 0 && !isWide) return [];
    const isAge = column.name === 'Age';
    const cell = isAge
      ? ({ meta }: Row) => age(meta.creationTimestamp)
      : ({ cells }: Row) => (cells[at] === null || cells[at] === undefined ? '' : String(cells[at]));
    return [
      {
        title: column.name,
        ...(column.description !== undefined && { description: column.description }),
        minWidth: isAge ? 76 : leastWidth(column.name),
        ...(!isAge && { share: SHARES[column.name] ?? 1 }),
        cell,
        tone: (row: Row) => toneOf(column.name, cell(row)),
      },
    ];
  });
  const more = isWide ? [OWNER, LABELS] : [];
  if (!showsNamespace) return [...named, ...more];
  const namespace = { title: 'Namespace', minWidth: 120, share: 1, cell: ({ meta }: Row) => meta.namespace ?? '' };
  return [...named.slice(0, 1), namespace, ...named.slice(1), ...more];
}

/** The parts that columns with long texts have of the room that is left. */
const SHARES: Readonly<Record<string, number>> = lookup({ Name: 2.4, Message: 4, Object: 1.6, Reason: 1.4 });
const LEAST: Readonly<Record<string, number>> = lookup({ Name: 200, Status: 160, Message: 260 });

/** Leaves room for the whole title and for long status words. */
function leastWidth(title: string): number {
  return Math.max(LEAST[title] ?? 100, title.length * 8 + 24);
}

/** Returns the rows that contain every word of the text, in a cell, a label or an owner. */
export function filtered(rows: readonly Row[], columns: readonly GridColumn[], text: string): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const searched = [...columns, OWNER, LABELS];
  return rows.filter((row) => {
    const texts = searched.map(({ cell }) => cell(row).toLowerCase());
    return words.every((word) => texts.some((one) => one.includes(word)));
  });
}

const collator = new Intl.Collator('en', { numeric: true });

/** Returns the rows sorted by a column; without one, in their original order. */
export function sorted(rows: readonly Row[], column: GridColumn | undefined, descending: boolean): readonly Row[] {
  if (column === undefined) return rows;
  const key =
    column.title === 'Age' ? ({ meta }: Row) => String(-Date.parse(meta.creationTimestamp ?? '')) : column.cell;
  const order = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, text: key(row) }))
    .sort((a, b) => order * collator.compare(a.text, b.text))
    .map(({ row }) => row);
}
