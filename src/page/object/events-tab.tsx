// Events about an object, the newest first, live.

import { useMemo } from 'preact/hooks';
import type { Resource } from '../cluster/discovery.ts';
import { useLiveTable } from '../cluster/use-live-table.ts';
import { latestFirst } from '../events/event.ts';
import { EventTable } from '../events/event-table.tsx';
import type { LiveObject } from './live-object.ts';

interface ObjectEventsProps {
  readonly live: LiveObject;
  readonly resource: Resource;
}

export function EventsTab(props: ObjectEventsProps) {
  return (
    <div class="scroll">
      <ObjectEvents {...props} />
    </div>
  );
}

export function ObjectEvents({ live, resource }: ObjectEventsProps) {
  const meta = live.object.value?.metadata;
  // A node's kubelet puts its name where the uid belongs.
  const isNode = resource.group === '' && resource.name === 'nodes';
  const fieldSelector = isNode
    ? `involvedObject.kind=Node,involvedObject.name=${meta?.name ?? ''}`
    : `involvedObject.uid=${meta?.uid ?? ''}`;
  const namespace = resource.namespaced ? (meta?.namespace ?? '') : 'default';
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const table = useLiveTable(path, { fieldSelector }, 'Object');
  const rows = table.rows.value;
  const events = useMemo(() => latestFirst(rows.map(({ object }) => object)), [rows]);
  const state = table.state.value;
  if (state.phase === 'failed') return <p class="notice bad">{state.message}</p>;
  if (rows.length === 0 && state.phase === 'loading') return <p class="weak">Loading…</p>;
  return <EventTable events={events} empty="No events." namesObjects={false} />;
}
