// Several collections of one kind as one table: the objects of some namespaces.

import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { connection } from './connection.ts';
import { LiveTable, type TableState } from './live-table.ts';

interface TablesQuery {
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Returns the rows of all collections at paths, kept current while the view is shown. */
export function useLiveTables(paths: readonly string[], { labelSelector, fieldSelector }: TablesQuery) {
  const key = paths.join(' ');
  const tables = useMemo(() => {
    const query = { ...(labelSelector !== '' && { labelSelector }), ...(fieldSelector !== '' && { fieldSelector }) };
    return paths.map((path) => new LiveTable(path, connection, { query }));
  }, [key, labelSelector, fieldSelector]);
  useEffect(
    () => () => {
      for (const table of tables) table.close();
    },
    [tables],
  );
  return useMemo(
    () => ({
      columns: computed(() => tables.map(({ columns }) => columns.value).find(({ length }) => length > 0) ?? []),
      rows: computed(() => (tables.length === 1 ? tables[0]!.rows.value : tables.flatMap(({ rows }) => rows.value))),
      state: computed(() => worst(tables.map(({ state }) => state.value))),
    }),
    [tables],
  );
}

const ORDER: readonly TableState['phase'][] = ['failed', 'reconnecting', 'loading', 'still', 'live'];

function worst(states: readonly TableState[]): TableState {
  const found = ORDER.flatMap((phase) => states.find((state) => state.phase === phase) ?? []);
  return found[0] ?? { phase: 'loading' };
}
