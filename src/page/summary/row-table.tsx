// Rows of a live table within a summary: the server's own columns, with a link to each object.

import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import { toneOf } from '../browse/tone.ts';
import type { Resource } from '../cluster/discovery.ts';
import type { Column, Row, TableState } from '../cluster/live-table.ts';
import { DataTable } from '../understand/data-table.tsx';

interface RowTableProps {
  readonly label: string;
  readonly resource: Resource;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly state: TableState;
  /** Columns of the wide output that are shown as well. */
  readonly also?: readonly string[];
  readonly showsNamespace?: boolean;
}

/** How many rows a summary shows; the list of the kind has all of them. */
const SHOWN = 50;

export function RowTable({ label, resource, columns, rows, state, also = [], showsNamespace = false }: RowTableProps) {
  if (state.phase === 'failed') return <p class="weak">{state.message}</p>;
  if (rows.length === 0 && state.phase === 'loading') return <p class="weak">Loading…</p>;
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  const text = ({ cells, meta }: Row, column: string): string =>
    column === 'Age' ? age(meta.creationTimestamp) : String(cells[places.get(column) ?? -1] ?? '');
  const shown = columns.filter(({ name, priority }) => name !== 'Name' && (priority === 0 || also.includes(name)));
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={({ meta }) => meta.uid}
      empty={`No ${label}.`}
      limit={SHOWN}
      columns={[
        { title: 'Name', cell: ({ meta }) => <a href={objectHref(resource, meta)}>{meta.name}</a> },
        ...(showsNamespace ? [{ title: 'Namespace', cell: ({ meta }: Row) => meta.namespace ?? '' }] : []),
        ...shown.map(({ name }) => ({
          title: name,
          cell: (row: Row) => {
            const tone = toneOf(name, text(row, name));
            return tone === '' ? text(row, name) : <span class={`badge ${tone}`}>{text(row, name)}</span>;
          },
        })),
      ]}
    />
  );
}
