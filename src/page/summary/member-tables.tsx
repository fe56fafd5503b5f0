// Tables of the lists of objects in an object whose kind has no summary of its own.

import { DataTable } from '../understand/data-table.tsx';
import { type MemberTable, memberText } from './members-shown.ts';

const SHOWN = 50;

interface Item {
  readonly item: Readonly<Record<string, unknown>>;
  readonly at: number;
}

export function MemberTables({ tables }: { readonly tables: readonly MemberTable[] }) {
  return (
    <>
      {tables.map(({ title, fields, items }) => (
        <section key={title}>
          <h2>{title}</h2>
          <DataTable
            label={title}
            rows={items.map((item, at): Item => ({ item: item as Item['item'], at }))}
            rowKey={({ at }) => String(at)}
            empty=""
            limit={SHOWN}
            columns={fields.map((field) => ({
              title: field,
              isProse: true,
              cell: ({ item }: Item) => memberText(item[field]),
            }))}
          />
        </section>
      ))}
    </>
  );
}
