// Table columns of StorageVersionMigration.

import { isSince } from '../../../lifecycle/version.ts';
import type { TableColumns } from '../../definition.ts';
import { NAME, table } from '../../table.ts';
import type { StorageVersionMigration } from './v1alpha1-objects.ts';

type MigrationTable = TableColumns<StorageVersionMigration>;

/** From 1.35 on a migration names no version, and its state has a column. */
export function migrationTable(minor: number): MigrationTable {
  const { columns, cells } = isSince({ minor }, 35) ? withStatus : withVersion;
  return { columns: [{ ...NAME, format: '' }, ...columns.slice(1)], cells };
}

const withVersion: MigrationTable = table(['Resource'], ({ spec }) => {
  const { resource = '', version = '', group = '' } = spec?.resource ?? {};
  return [`${resource}.${version}.${group}`];
});

const STATES = ['Running', 'Failed', 'Succeeded'];

const withStatus: MigrationTable = table(['Resource', 'Status'], ({ spec, status }) => {
  const { resource = '', group = '' } = spec?.resource ?? {};
  const state = status?.conditions?.findLast((each) => each.status === 'True' && STATES.includes(each.type ?? ''));
  return [group === '' ? resource : `${resource}.${group}`, state?.type ?? 'Unknown'];
});
