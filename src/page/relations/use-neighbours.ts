// The objects of several kinds in a namespace, live, as far as the user may see them: what links among objects are found in.

import { computed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../cluster/connection.ts';
import { type Resource, resourcePath, resources } from '../cluster/discovery.ts';
import { type Column, LiveTable, type Row } from '../cluster/live-table.ts';
import { type IsComplete, type Known, kindOf, SELECTING_KINDS } from './links.ts';
import { REFERRING_KINDS } from './references.ts';

/** An object with what the server prints of it. */
export interface Neighbour extends Known {
  readonly row: Row;
  readonly columns: readonly Column[];
}

export interface Neighbours {
  readonly all: readonly Neighbour[];
  readonly isComplete: IsComplete;
  readonly isLoading: boolean;
  /** Kinds that the user may not list. */
  readonly refused: readonly Resource[];
}

/**
 * Returns the objects of kinds (group and plural name) in a namespace, kept current while the view is shown. Whole ones are
 * read only of kinds that select or refer to others.
 */
export function useNeighbours(kinds: readonly string[], namespace: string): ReadonlySignal<Neighbours> {
  const key = kinds.join(' ');
  const tables = useMemo(() => open(key.split(' '), namespace), [key, namespace, resources.value]);
  useEffect(
    () => () => {
      for (const { table } of tables) table.close();
    },
    [tables],
  );
  return useMemo(() => computed(() => neighboursIn(tables)), [tables]);
}

interface Opened {
  readonly resource: Resource;
  readonly table: LiveTable;
}

function open(kinds: readonly string[], namespace: string): readonly Opened[] {
  return resources.value
    .filter((resource) => kinds.includes(kindOf(resource)))
    .map((resource) => {
      const kind = kindOf(resource);
      const isRead = REFERRING_KINDS.includes(kind) || SELECTING_KINDS.includes(kind);
      const path = resourcePath(resource, namespace);
      return { resource, table: new LiveTable(path, connection, { include: isRead ? 'Object' : 'Metadata' }) };
    });
}

function neighboursIn(tables: readonly Opened[]): Neighbours {
  const phases = new Map(
    tables.map(({ resource, table }) => [`${resource.group} ${resource.kind}`, table.state.value.phase]),
  );
  return {
    all: tables.flatMap(({ resource, table }) =>
      table.rows.value.map((row) => ({ resource, object: row.object, row, columns: table.columns.value })),
    ),
    isComplete: (group, kind) => ['live', 'still'].includes(phases.get(`${group} ${kind}`) ?? ''),
    isLoading: [...phases.values()].includes('loading'),
    refused: tables.filter(({ table }) => table.state.value.phase === 'failed').map(({ resource }) => resource),
  };
}
