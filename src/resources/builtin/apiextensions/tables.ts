// The columns of CustomResourceDefinitions.

import { isSince } from '../../../lifecycle/version.ts';
import type { Cell, TableColumns } from '../../definition.ts';
import { boolean, column, table, wide } from '../../table.ts';
import type { CustomResourceDefinition } from './v1-objects.ts';

/** Before 1.37 they had the columns of any kind. */
export function definitionTable(minor: number): TableColumns | undefined {
  return isSince({ minor }, 37) ? DEFINITIONS : undefined;
}

const DEFINITIONS: TableColumns = {
  ...table(
    [
      'Scope',
      'Versions',
      column('Created At', { type: 'date' }),
      wide('Group'),
      wide('Kind'),
      wide('ShortNames'),
      { ...boolean('Established'), priority: 1 },
    ],
    (definition) => cellsOf(definition as unknown as CustomResourceDefinition),
  ),
  emptyRows: null,
};

function cellsOf({ metadata, spec, status }: CustomResourceDefinition): Cell[] {
  return [
    spec?.scope ?? '',
    (spec?.versions ?? [])
      .filter(({ served }) => served)
      .map(({ name, storage }) => `${name}${storage ? '(storage)' : ''}`)
      .sort()
      .join(','),
    metadata.creationTimestamp ?? null,
    spec?.group ?? '',
    spec?.names?.kind ?? '',
    (spec?.names?.shortNames ?? []).join(','),
    (status?.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True'),
  ];
}
