// The containers of a pod or of a template: each with its image and, where it runs, its state and restarts.

import { age } from '../browse/age.ts';
import { DataTable } from '../understand/data-table.tsx';
import type { ContainerSummary } from './containers.ts';

interface ContainerTableProps {
  readonly containers: readonly ContainerSummary[];
  /** Whether they run, as opposed to those of a template. */
  readonly hasStates: boolean;
}

export function ContainerTable({ containers, hasStates }: ContainerTableProps) {
  const states = [
    { title: 'State', isProse: true, cell: (one: ContainerSummary) => <State container={one} /> },
    { title: 'Restarts', cell: (one: ContainerSummary) => <Restarts container={one} /> },
  ];
  return (
    <DataTable
      label="Containers"
      rows={containers}
      rowKey={({ name }) => name}
      empty="No containers."
      columns={[
        {
          title: 'Name',
          cell: ({ name, role }) => (
            <>
              {name} {role !== '' && <span class="badge">{role}</span>}
            </>
          ),
        },
        ...(hasStates ? states : []),
        { title: 'Image', cell: ({ image }) => <code>{image}</code> },
        ...(containers.some(({ ports }) => ports.length > 0)
          ? [{ title: 'Ports', cell: ({ ports }: ContainerSummary) => ports.join(', ') }]
          : []),
        ...(containers.some(({ resources }) => resources.length > 0)
          ? [{ title: 'Resources', cell: ({ resources }: ContainerSummary) => resources.join(', ') }]
          : []),
      ]}
    />
  );
}

function State({ container: { state, tone, message, since } }: { readonly container: ContainerSummary }) {
  if (state === '') return <span class="weak">not started</span>;
  return (
    <>
      <span class={`badge ${tone}`}>{state}</span>{' '}
      {since !== '' && (
        <time class="weak" dateTime={since}>
          {age(since)}
        </time>
      )}
      {message !== '' && <span class="weak place">{message}</span>}
    </>
  );
}

function Restarts({ container: { restarts, lastEnd, lastEndTime } }: { readonly container: ContainerSummary }) {
  return (
    <>
      {restarts}
      {lastEnd !== '' && (
        <span class="weak place">
          {lastEnd}
          {lastEndTime !== '' && `, ${age(lastEndTime)} ago`}
        </span>
      )}
    </>
  );
}
