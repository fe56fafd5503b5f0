// How current a table is: live, on its way, or being connected again.

import type { TableState } from '../cluster/live-table.ts';

export function StateBadge({ state }: { readonly state: TableState }) {
  if (state.phase === 'live') return <span class="badge good">live</span>;
  if (state.phase === 'loading') return <span class="badge">loading</span>;
  if (state.phase === 'failed') return null;
  if (state.phase === 'still') {
    return (
      <span class="badge" title={state.message}>
        not live
      </span>
    );
  }
  return (
    <span class="badge warn" title={state.message}>
      reconnecting
    </span>
  );
}
