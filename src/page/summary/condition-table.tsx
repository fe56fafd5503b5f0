// The conditions of an object with all that they say.

import { age } from '../browse/age.ts';
import { conditionsOf, toneOfCondition } from '../object/conditions.ts';
import { DataTable } from '../understand/data-table.tsx';

export function ConditionTable({ object }: { readonly object: { readonly [member: string]: unknown } }) {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return null;
  return (
    <section>
      <h2>Conditions</h2>
      <DataTable
        label="Conditions"
        rows={conditions}
        rowKey={({ type }) => type}
        empty="No conditions."
        columns={[
          {
            title: 'Condition',
            cell: (condition) => <span class={`badge ${toneOfCondition(condition)}`}>{condition.type}</span>,
          },
          { title: 'Status', cell: ({ status }) => status },
          { title: 'Reason', cell: ({ reason }) => reason },
          { title: 'Message', isProse: true, cell: ({ message }) => message },
          { title: 'Since', cell: ({ since }) => <time dateTime={since}>{age(since)}</time> },
        ]}
      />
    </section>
  );
}
