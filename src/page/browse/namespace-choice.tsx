// The choice of a namespace, from those that the cluster has; any name may be typed where they may not be listed.

import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../cluster/connection.ts';
import { LiveTable } from '../cluster/live-table.ts';

interface NamespaceChoiceProps {
  /** '' for all. */
  readonly chosen: string;
  /** Whether all at once cannot be chosen. */
  readonly isOne?: boolean;
  readonly onChoose: (namespace: string) => void;
}

export function NamespaceChoice({ chosen, isOne = false, onChoose }: NamespaceChoiceProps) {
  const table = useMemo(() => new LiveTable('/api/v1/namespaces', connection), []);
  useEffect(() => () => table.close(), [table]);
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
  return (
    <select aria-label="Namespace" value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {!isOne && <option value="">All namespaces</option>}
      {[...new Set(chosen === '' ? names : [chosen, ...names])].sort().map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
