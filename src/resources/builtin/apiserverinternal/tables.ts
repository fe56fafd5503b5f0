// Table columns of StorageVersion.

import type { TableColumns } from '../../definition.ts';
import { age, some, table, UNSET } from '../../table.ts';
import type { StorageVersion } from './v1alpha1-objects.ts';

export const storageVersionTable: TableColumns<StorageVersion> = table(
  ['CommonEncodingVersion', 'StorageVersions', 'Age'],
  (storageVersion) => {
    const versions = (storageVersion.status?.storageVersions ?? []).map(
      (each) => `${each.apiServerID ?? ''}=${each.encodingVersion ?? ''}`,
    );
    return [
      (storageVersion.status?.commonEncodingVersion ?? '') || UNSET,
      some(versions) || UNSET,
      age(storageVersion),
    ];
  },
);
