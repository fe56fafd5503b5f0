// Events as a table: when, what, about which object, and why.

import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import { resourceOfKind } from '../cluster/discovery.ts';
import { DataTable } from '../understand/data-table.tsx';
import type { EventSubject, ObservedEvent } from './event.ts';

interface EventTableProps {
  readonly events: readonly ObservedEvent[];
  readonly empty: string;
  readonly limit?: number;
  /** Whether the events are about several objects. */
  readonly namesObjects: boolean;
}

export function EventTable({ events, empty, limit = 500, namesObjects }: EventTableProps) {
  const about = {
    title: 'Object',
    cell: ({ about }: ObservedEvent) => <SubjectLink subject={about} />,
  };
  return (
    <DataTable
      label="Events"
      rows={events}
      rowKey={({ uid }) => uid}
      empty={empty}
      limit={limit}
      columns={[
        { title: 'Age', cell: ({ time }) => <time dateTime={time}>{age(time)}</time> },
        { title: 'Type', cell: ({ type }) => <span class={`badge ${type === 'Warning' ? 'warn' : ''}`}>{type}</span> },
        { title: 'Reason', cell: ({ reason }) => reason },
        ...(namesObjects ? [about] : []),
        {
          title: 'Message',
          isProse: true,
          cell: ({ message, count, reporter }) => (
            <>
              {message} {count > 1 && <span class="weak">{count} times</span>}
              {reporter !== '' && !namesObjects && <span class="weak place">{reporter}</span>}
            </>
          ),
        },
      ]}
    />
  );
}

/** `Pod web-1`, a link where the cluster serves the kind. */
export function SubjectLink({ subject }: { readonly subject: EventSubject }) {
  const { apiVersion, kind, name } = subject;
  const resource = resourceOfKind(apiVersion, kind);
  return (
    <>
      <span class="weak">{kind}</span>{' '}
      {resource === undefined || name === '' ? name : <a href={objectHref(resource, subject)}>{name}</a>}
    </>
  );
}
