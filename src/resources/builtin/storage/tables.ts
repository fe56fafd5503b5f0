// How storage kinds are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, boolean, column, integer, NONE, table, UNSET } from '../../table.ts';
import { at, listAt, textAt } from '../../value.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const OLD_DEFAULT_CLASS = 'storageclass.beta.kubernetes.io/is-default-class';

const classTable = table(
  ['Provisioner', 'ReclaimPolicy', 'VolumeBindingMode', 'AllowVolumeExpansion', 'Age'],
  (storageClass) => [
    textAt(storageClass, 'provisioner'),
    textAt(storageClass, 'reclaimPolicy') || 'Delete',
    textAt(storageClass, 'volumeBindingMode') || 'Immediate',
    at(storageClass, 'allowVolumeExpansion') ?? false,
    age(storageClass),
  ],
);

export const storageClassTable: TableColumns = {
  columns: classTable.columns,
  cells: (storageClass) => {
    const [name, ...rest] = classTable.cells(storageClass);
    return [isDefault(storageClass) ? `${name} (default)` : (name ?? null), ...rest];
  },
};

function isDefault({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[DEFAULT_CLASS] === 'true' || metadata.annotations?.[OLD_DEFAULT_CLASS] === 'true';
}

export const volumeAttachmentTable: TableColumns = table(
  [column('Attacher', { format: 'name' }), 'PV', 'Node', boolean('Attached'), 'Age'],
  (attachment) => [
    textAt(attachment, 'spec', 'attacher'),
    textAt(attachment, 'spec', 'source', 'persistentVolumeName'),
    textAt(attachment, 'spec', 'nodeName'),
    at(attachment, 'status', 'attached') ?? false,
    age(attachment),
  ],
);

export const csiDriverTable: TableColumns = table(
  [
    ...['AttachRequired', 'PodInfoOnMount', 'StorageCapacity'].map(boolean),
    'TokenRequests',
    boolean('RequiresRepublish'),
    'Modes',
    'Age',
  ],
  (driver) => [
    at(driver, 'spec', 'attachRequired') ?? true,
    at(driver, 'spec', 'podInfoOnMount') ?? false,
    at(driver, 'spec', 'storageCapacity') ?? false,
    listAt(driver, 'spec', 'tokenRequests')
      .map((request) => textAt(request, 'audience'))
      .join(',') || UNSET,
    at(driver, 'spec', 'requiresRepublish') ?? false,
    listAt(driver, 'spec', 'volumeLifecycleModes').join(',') || NONE,
    age(driver),
  ],
);

export const csiNodeTable: TableColumns = table([integer('Drivers'), 'Age'], (node) => [
  listAt(node, 'spec', 'drivers').length,
  age(node),
]);

export const volumeAttributesClassTable: TableColumns = table(['DriverName', 'Age'], (attributesClass) => [
  textAt(attributesClass, 'driverName'),
  age(attributesClass),
]);
