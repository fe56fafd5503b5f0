// What happened in the cluster or a namespace: a timeline with a lane for each object, and all events below it, live.

import { useMemo } from 'preact/hooks';
import { NamespaceChoice } from '../browse/namespace-choice.tsx';
import { lastNamespace } from '../browse/preferences.ts';
import { StateBadge } from '../browse/state-badge.tsx';
import { useLiveTable } from '../cluster/use-live-table.ts';
import { place, setQuery } from '../shell/router.ts';
import { latestFirst, type ObservedEvent } from './event.ts';
import { EventTable } from './event-table.tsx';
import { TimelineChart } from './timeline-chart.tsx';

export function EventsView() {
  const { query } = place.value;
  const namespace = query.get('ns') ?? '';
  const path = namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const table = useLiveTable(path, {}, 'Object');
  const rows = table.rows.value;
  const text = query.get('q') ?? '';
  const onlyWarnings = query.get('type') === 'Warning';
  const all = useMemo(() => latestFirst(rows.map(({ object }) => object)), [rows]);
  const events = useMemo(() => chosen(all, text, onlyWarnings), [all, text, onlyWarnings]);
  const state = table.state.value;
  return (
    <>
      <div class="bar">
        <h1>Events</h1>
        <span class="weak" role="status" aria-label="Count">
          {state.phase === 'loading'
            ? ''
            : events.length === all.length
              ? all.length
              : `${events.length} of ${all.length}`}
        </span>
        <StateBadge state={state} />
        <span class="grow" />
        <NamespaceChoice
          chosen={namespace}
          onChoose={(ns) => {
            lastNamespace.value = ns;
            setQuery({ ns });
          }}
        />
        <input
          type="search"
          aria-label="Filter events"
          placeholder="Filter events"
          value={text}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={onlyWarnings}
            onChange={({ currentTarget }) => setQuery({ type: currentTarget.checked ? 'Warning' : undefined })}
          />
          Warnings only
        </label>
      </div>
      <div class="scroll sections">
        {state.phase === 'failed' ? (
          <p class="notice bad" role="alert">
            {state.message}
          </p>
        ) : all.length === 0 && state.phase === 'loading' ? (
          <p class="weak">Loading…</p>
        ) : (
          <>
            {events.length > 0 && <TimelineChart events={events} />}
            <EventTable events={events} empty="No events." namesObjects />
          </>
        )}
      </div>
    </>
  );
}

/** Returns the events in which every word of a text occurs. */
function chosen(events: readonly ObservedEvent[], text: string, onlyWarnings: boolean): readonly ObservedEvent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !onlyWarnings) return events;
  return events.filter(({ type, reason, message, about, reporter }) => {
    const searched = `${type} ${reason} ${message} ${about.kind} ${about.name} ${reporter}`.toLowerCase();
    return (!onlyWarnings || type === 'Warning') && words.every((word) => searched.includes(word));
  });
}
