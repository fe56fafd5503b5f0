// The choice of a namespace, from those that the cluster has; any name may be typed where they may not be listed.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../cluster/connection.ts';
import { LiveTable } from '../cluster/live-table.ts';
import { NamespacesDialog } from './namespaces-dialog.tsx';

interface NamespaceChoiceProps {
  /** '' for all; several are divided by commas. */
  readonly chosen: string;
  /** How many may be chosen; all at once is possible unless it is one. */
  readonly allows?: 'one' | 'one or all' | 'several';
  readonly onChoose: (namespace: string) => void;
}

/** The choice that opens the dialog; no namespace is called that. */
const SEVERAL = ',';

export function NamespaceChoice({ chosen, allows = 'one or all', onChoose }: NamespaceChoiceProps) {
  const table = useMemo(() => new LiveTable('/api/v1/namespaces', connection), []);
  useEffect(() => () => table.close(), [table]);
  const isPicking = useSignal(false);
  if (table.state.value.phase === 'failed') {
    return (
      <input
        aria-label="Namespace"
        placeholder="Namespace"
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value.trim())}
      />
    );
  }
  const names = table.rows.value.map(({ meta }) => meta.name);
  const several = chosen.split(',').filter(Boolean);
  const isSeveral = several.length > 1;
  return (
    <>
      <select
        aria-label="Namespace"
        value={chosen}
        title={isSeveral ? several.join(', ') : undefined}
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== SEVERAL) return onChoose(currentTarget.value);
          isPicking.value = true;
          currentTarget.value = chosen;
        }}
      >
        {allows !== 'one' && <option value="">All namespaces</option>}
        {isSeveral && <option value={chosen}>{several.length} namespaces</option>}
        {[...new Set(isSeveral || chosen === '' ? names : [chosen, ...names])].sort().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {allows === 'several' && <option value={SEVERAL}>Several…</option>}
      </select>
      {isPicking.value && (
        <NamespacesDialog
          names={names}
          chosen={several}
          onChoose={(picked) => onChoose(picked.join(','))}
          onClose={() => {
            isPicking.value = false;
          }}
        />
      )}
    </>
  );
}
