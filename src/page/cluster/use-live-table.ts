// Live tables of views: opened with the view, and closed with it.

import { useEffect, useMemo } from 'preact/hooks';
import { connection } from './connection.ts';
import { LiveTable } from './live-table.ts';

interface TableQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Returns the rows of a collection, kept current while the view is shown; of another one when the path changes. */
export function useLiveTable(path: string, query: TableQuery = {}, include: 'Metadata' | 'Object' = 'Metadata') {
  const { labelSelector = '', fieldSelector = '' } = query;
  const table = useMemo(
    () =>
      new LiveTable(path, connection, {
        query: { ...(labelSelector !== '' && { labelSelector }), ...(fieldSelector !== '' && { fieldSelector }) },
        include,
      }),
    [path, labelSelector, fieldSelector, include],
  );
  useEffect(() => () => table.close(), [table]);
  return table;
}
