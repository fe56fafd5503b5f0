// Events about an object, the newest first, live.

import { useEffect, useMemo } from 'preact/hooks';
import { toneOf } from '../browse/tone.ts';
import { connection } from '../cluster/connection.ts';
import type { Resource } from '../cluster/discovery.ts';
import { LiveTable } from '../cluster/live-table.ts';
import { WideContent } from '../understand/wide-content.tsx';
import type { LiveObject } from './live-object.ts';

export function EventsTab({ live, resource }: { readonly live: LiveObject; readonly resource: Resource }) {
  const meta = live.object.value?.metadata;
  const table = useMemo(() => {
    const fieldSelector = `involvedObject.uid=${meta?.uid ?? ''}`;
    const namespace = resource.namespaced ? (meta?.namespace ?? '') : 'default';
    return new LiveTable(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, { fieldSelector }, connection);
  }, [meta?.uid]);
  useEffect(() => () => table.close(), [table]);
  const state = table.state.value;
  if (state.phase === 'failed') return <p class="notice bad">{state.message}</p>;
  const columns = table.columns.value;
  const shown = columns.map((column, at) => ({ column, at })).filter(({ column }) => column.priority === 0);
  const rows = table.rows.value.toSorted((a, b) => Number(b.meta.resourceVersion) - Number(a.meta.resourceVersion));
  if (rows.length === 0) return <p class="empty">{state.phase === 'live' ? 'No events.' : 'Loading…'}</p>;
  return (
    <div class="scroll">
      <WideContent label="Events">
        <table class="plain-table">
          <thead>
            <tr>
              {shown.map(({ column }) => (
                <th key={column.name} scope="col">
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells, meta: { uid } }) => (
              <tr key={uid}>
                {shown.map(({ column, at }) => (
                  <td key={column.name}>
                    <Cell title={column.name} text={String(cells[at] ?? '')} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideContent>
    </div>
  );
}

function Cell({ title, text }: { readonly title: string; readonly text: string }) {
  const tone = toneOf(title, text);
  return tone === '' ? text : <span class={`badge ${tone}`}>{text}</span>;
}
