// Table columns of StorageVersionMigration.

import type { TableColumns } from '../../definition.ts';
import { NAME, table } from '../../table.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';

const columns = table(['Resource'], ({ spec }: StorageVersionMigration) => {
  const { resource = '', version = '', group = '' } = spec?.resource ?? {};
  return [`${resource}.${version}.${group}`];
});

export const migrationTable: TableColumns<StorageVersionMigration> = {
  ...columns,
  columns: [{ ...NAME, format: '' }, ...columns.columns.slice(1)],
};
