// How the storage versions of a cluster's servers are listed.

import type { TableColumns } from '../../definition.ts';
import { age, some, table, UNSET } from '../../table.ts';
import { listAt, textAt } from '../../value.ts';

export const storageVersionTable: TableColumns = table(
  ['CommonEncodingVersion', 'StorageVersions', 'Age'],
  (storageVersion) => {
    const versions = listAt(storageVersion, 'status', 'storageVersions').map(
      (each) => `${textAt(each, 'apiServerID')}=${textAt(each, 'encodingVersion')}`,
    );
    return [
      textAt(storageVersion, 'status', 'commonEncodingVersion') || UNSET,
      some(versions) || UNSET,
      age(storageVersion),
    ];
  },
);
