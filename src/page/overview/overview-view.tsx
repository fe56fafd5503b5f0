// The first view: how many objects of each kind of workload there are and how they are, which need attention, and what
// happened last. All of it is live.

import { computed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { NamespaceChoice } from '../browse/namespace-choice.tsx';
import { objectHref } from '../browse/object-address.ts';
import { lastNamespace } from '../browse/preferences.ts';
import { StateBadge } from '../browse/state-badge.tsx';
import { connection } from '../cluster/connection.ts';
import { type Resource, resourcePath, resources } from '../cluster/discovery.ts';
import { LiveTable, type TableState } from '../cluster/live-table.ts';
import { useLiveTable } from '../cluster/use-live-table.ts';
import { latestFirst, type ObservedEvent } from '../events/event.ts';
import { EventTable } from '../events/event-table.tsx';
import { href, place, setQuery } from '../shell/router.ts';
import { DataTable } from '../understand/data-table.tsx';
import { examine, type Findings, type Trouble, worstFirst } from './findings.ts';
import { JUDGED_KINDS } from './health.ts';
import { KindCard } from './kind-card.tsx';

/** How many recent events are shown; all of them are in the view of events. */
const RECENT = 20;

/** The objects of a kind. */
interface Watched {
  readonly resource: Resource;
  readonly table: LiveTable;
  readonly findings: ReadonlySignal<Findings>;
}

export function OverviewView() {
  const namespace = place.value.query.get('ns') ?? '';
  const watched = useMemo(() => watchKinds(resources.value, namespace), [resources.value, namespace]);
  useEffect(
    () => () => {
      for (const { table } of watched) table.close();
    },
    [watched],
  );
  const path = namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const table = useLiveTable(path, {}, 'Object');
  const rows = table.rows.value;
  const events = useMemo(() => latestFirst(rows.map(({ object }) => object)), [rows]);
  const choose = (ns: string): void => {
    lastNamespace.value = ns;
    setQuery({ ns });
  };
  return (
    <>
      <div class="bar">
        <h1>Overview</h1>
        <StateBadge state={stateOfAll([table, ...watched.map((one) => one.table)])} />
        <span class="grow" />
        <NamespaceChoice chosen={namespace} onChoose={choose} />
      </div>
      <div class="scroll sections">
        <div class="cards kinds">
          {watched.map(({ resource, table: { state }, findings }) => (
            <KindCard
              key={resource.name}
              resource={resource}
              namespace={namespace}
              state={state.value}
              findings={findings.value}
            />
          ))}
        </div>
        <section>
          <h2>Needs attention</h2>
          <Troubles watched={watched} events={events} />
        </section>
        <section>
          <h2>
            Recent events <a href={eventsHref(namespace)}>all events</a>
          </h2>
          <RecentEvents state={table.state.value} events={events} />
        </section>
      </div>
    </>
  );
}

/** Opens a table of each kind that is judged and that the cluster serves; nodes have no namespace. */
function watchKinds(served: readonly Resource[], namespace: string): readonly Watched[] {
  return JUDGED_KINDS.flatMap((kind) => {
    const resource = served.find(({ group, name }) => `${group}/${name}` === kind);
    if (resource === undefined) return [];
    const table = new LiveTable(resourcePath(resource, namespace), connection);
    const findings = computed(() => examine(resource, table.columns.value, table.rows.value));
    return [{ resource, table, findings }];
  });
}

/** The state of the table that is furthest from being live. */
function stateOfAll(tables: readonly LiveTable[]): TableState {
  const states = tables.map(({ state }) => state.value);
  const order: readonly TableState['phase'][] = ['reconnecting', 'loading', 'still', 'live'];
  const furthest = order.map((phase) => states.find((state) => state.phase === phase)).find((state) => state);
  return furthest ?? { phase: 'loading' };
}

interface TroublesProps {
  readonly watched: readonly Watched[];
  readonly events: readonly ObservedEvent[];
}

function Troubles({ watched, events }: TroublesProps) {
  const troubles = worstFirst(watched.flatMap(({ findings }) => findings.value.troubles));
  const warnings = useMemo(() => lastWarnings(events), [events]);
  const isLoading = watched.some(({ table }) => table.state.value.phase === 'loading');
  if (troubles.length === 0 && isLoading) return <p class="weak">Loading…</p>;
  return (
    <DataTable
      label="Needs attention"
      rows={troubles}
      rowKey={({ meta }) => meta.uid}
      empty="Everything is as it should be."
      limit={100}
      columns={[
        { title: 'Object', cell: (trouble) => <TroubleLink trouble={trouble} /> },
        { title: 'Namespace', cell: ({ meta }) => meta.namespace ?? '' },
        {
          title: 'What is wrong',
          isProse: true,
          cell: ({ finding, meta }) => (
            <>
              <span class={`badge ${finding.health}`}>{finding.text}</span>
              <span class="weak place">{warnings.get(meta.uid)}</span>
            </>
          ),
        },
        { title: 'Age', cell: ({ meta }) => age(meta.creationTimestamp) },
      ]}
    />
  );
}

function TroubleLink({ trouble: { resource, meta } }: { readonly trouble: Trouble }) {
  return (
    <>
      <span class="weak">{resource.kind}</span> <a href={objectHref(resource, meta)}>{meta.name}</a>
    </>
  );
}

/** Returns the message of the last warning about each object, by its uid. */
function lastWarnings(events: readonly ObservedEvent[]): ReadonlyMap<string, string> {
  const warnings = events.filter(({ type, about }) => type === 'Warning' && about.uid !== '');
  return new Map(warnings.toReversed().map(({ about, message }) => [about.uid, message]));
}

interface RecentEventsProps {
  readonly state: TableState;
  readonly events: readonly ObservedEvent[];
}

function RecentEvents({ state, events }: RecentEventsProps) {
  if (state.phase === 'failed') return <p class="notice bad">{state.message}</p>;
  if (events.length === 0 && state.phase === 'loading') return <p class="weak">Loading…</p>;
  return <EventTable events={events.slice(0, RECENT)} empty="No events." namesObjects />;
}

function eventsHref(namespace: string): string {
  return namespace === '' ? href('events') : `${href('events')}?${new URLSearchParams({ ns: namespace })}`;
}
