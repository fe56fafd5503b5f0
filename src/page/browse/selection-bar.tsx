// What can be done with the selected rows of a list.

import { useSignal } from '@preact/signals';
import { ActionButton } from '../actions/action-button.tsx';
import type { Resource } from '../cluster/discovery.ts';
import type { Row } from '../cluster/live-table.ts';
import { lazy } from '../shell/lazy.tsx';

const BulkDeleteDialog = lazy(() =>
  import('../actions/bulk-delete-dialog.tsx').then(({ BulkDeleteDialog: Dialog }) => Dialog),
);

/** In how many namespaces the rights of the user are asked for one by one. */
const MAX_NAMESPACES = 10;

interface SelectionBarProps {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly onClear: () => void;
}

export function SelectionBar({ resource, rows, onClear }: SelectionBarProps) {
  const isDeleting = useSignal(false);
  const namespaces = [...new Set(rows.map(({ meta }) => meta.namespace ?? ''))];
  // Whoever may delete in so many may do so in all.
  const asked = namespaces.length > MAX_NAMESPACES ? [''] : namespaces;
  const needs = asked.map((namespace) => ({
    verb: 'delete',
    group: resource.group,
    resource: resource.name,
    namespace,
  }));
  const mayDelete = resource.verbs.includes('delete');
  return (
    <div class="actions selection" role="group" aria-label="Selection">
      <strong>{rows.length.toLocaleString('en')} selected</strong>
      <ActionButton
        label="Delete selected…"
        needs={needs}
        hindrance={mayDelete ? '' : 'The server does not delete objects of this kind.'}
        isDangerous
        onClick={() => {
          isDeleting.value = true;
        }}
      />
      <button type="button" onClick={onClear}>
        Clear the selection
      </button>
      {isDeleting.value && (
        <BulkDeleteDialog
          resource={resource}
          rows={rows}
          onClose={() => {
            isDeleting.value = false;
          }}
        />
      )}
    </div>
  );
}
