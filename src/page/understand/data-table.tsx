// A table of what a view found out: a title, columns, and how many rows were left out.

import type { ComponentChildren } from 'preact';
import { WideContent } from './wide-content.tsx';

interface DataColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right, under one another. */
  readonly isNumber?: boolean;
  /** Sentences need room to be read. */
  readonly isProse?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The most rows that are shown. */
  readonly limit?: number;
  /** The text that is shown if there are no rows. */
  readonly empty: string;
}

export function DataTable<Row>({ label, columns, rows, rowKey, limit = 500, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="weak">{empty}</p>;
  const left = rows.length - limit;
  return (
    <>
      <WideContent label={label}>
        <table class="plain-table data" aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" class={isNumber === true ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, limit).map((row) => (
              <tr key={rowKey(row)}>
                {columns.map(({ title, cell, isNumber, isProse }) => (
                  <td key={title} class={isNumber === true ? 'number' : isProse === true ? 'prose' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideContent>
      {left > 0 && <p class="weak">{left} more are not shown.</p>}
    </>
  );
}
