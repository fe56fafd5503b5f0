// Deletion of several objects of a kind: which, and what the server had against some of them.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ask, ClusterError } from '../cluster/cluster-api.ts';
import { pluralOf, type Resource, resourcePath } from '../cluster/discovery.ts';
import type { Row } from '../cluster/live-table.ts';
import { ActionDialog } from './action-dialog.tsx';

/** How many deletions are asked for at once. */
const AT_ONCE = 6;
/** The most names that are listed. */
const LISTED = 200;

interface BulkDeleteDialogProps {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}

export function BulkDeleteDialog({ resource, rows: selected, onClose }: BulkDeleteDialogProps) {
  // Those that were selected when it was opened: they vanish from the list while they are deleted.
  const rows = useMemo(() => selected, []);
  const failures = useSignal<readonly string[]>([]);
  const remove = async (): Promise<void> => {
    failures.value = [];
    const waiting = [...rows];
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const failure = await removeOne(resource, row);
        if (failure !== '') failures.value = [...failures.value, `${row.meta.name}: ${failure}`];
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.value.length === 0) onClose();
  };
  const count = rows.length.toLocaleString('en');
  return (
    <ActionDialog
      title={`Delete ${count} ${rows.length === 1 ? resource.kind : pluralOf(resource)}`}
      confirm="Delete"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p class="weak">What belongs to them is deleted afterwards. A deletion cannot be undone.</p>
      <ul class="dependents">
        {rows.slice(0, LISTED).map(({ meta }) => (
          <li key={meta.uid}>{[meta.namespace, meta.name].filter(Boolean).join('/')}</li>
        ))}
        {rows.length > LISTED && <li>and {(rows.length - LISTED).toLocaleString('en')} more</li>}
      </ul>
      {failures.value.length > 0 && (
        <div class="notice bad" role="alert">
          <p>{failures.value.length.toLocaleString('en')} could not be deleted:</p>
          <ul>
            {failures.value.slice(0, 10).map((failure) => (
              <li key={failure}>{failure}</li>
            ))}
          </ul>
        </div>
      )}
    </ActionDialog>
  );
}

/** Returns why an object could not be deleted; '' if it was, or was gone. */
async function removeOne(resource: Resource, { meta: { namespace, name, uid } }: Row): Promise<string> {
  try {
    const body = { propagationPolicy: 'Background', preconditions: { uid } };
    await ask(resourcePath(resource, namespace, name), { method: 'DELETE', body });
    return '';
  } catch (error) {
    return error instanceof ClusterError && error.code === 404 ? '' : (error as Error).message;
  }
}
