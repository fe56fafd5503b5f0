// Table columns of storage kinds.

import { ownMember } from '../../../api/own-member.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { TableColumns } from '../../definition.ts';
import { age, boolean, column, integer, NONE, table, UNSET } from '../../table.ts';
import type { CSIDriver, CSINode, StorageClass, VolumeAttachment, VolumeAttributesClass } from './v1-objects.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const OLD_DEFAULT_CLASS = 'storageclass.beta.kubernetes.io/is-default-class';

const classTable: TableColumns<StorageClass> = table(
  ['Provisioner', 'ReclaimPolicy', 'VolumeBindingMode', 'AllowVolumeExpansion', 'Age'],
  (storageClass) => [
    storageClass.provisioner ?? '',
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    age(storageClass),
  ],
);

export const storageClassTable: TableColumns<StorageClass> = {
  columns: classTable.columns,
  cells: (storageClass) => {
    const [name, ...rest] = classTable.cells(storageClass);
    return [isDefault(storageClass) ? `${name} (default)` : (name ?? null), ...rest];
  },
};

function isDefault({ metadata }: StorageClass): boolean {
  return metadata.annotations?.[DEFAULT_CLASS] === 'true' || metadata.annotations?.[OLD_DEFAULT_CLASS] === 'true';
}

export const volumeAttachmentTable: TableColumns<VolumeAttachment> = table(
  [column('Attacher', { format: 'name' }), 'PV', 'Node', boolean('Attached'), 'Age'],
  (attachment) => [
    attachment.spec?.attacher ?? '',
    attachment.spec?.source?.persistentVolumeName ?? '',
    attachment.spec?.nodeName ?? '',
    attachment.status?.attached ?? false,
    age(attachment),
  ],
);

export const csiDriverTable: TableColumns<CSIDriver> = table(
  [
    ...['AttachRequired', 'PodInfoOnMount', 'StorageCapacity'].map(boolean),
    'TokenRequests',
    boolean('RequiresRepublish'),
    'Modes',
    'Age',
  ],
  (driver) => [
    driver.spec?.attachRequired ?? true,
    driver.spec?.podInfoOnMount ?? false,
    driver.spec?.storageCapacity ?? false,
    driver.spec?.tokenRequests?.map((request) => request.audience ?? '').join(',') ?? UNSET,
    driver.spec?.requiresRepublish ?? false,
    (driver.spec?.volumeLifecycleModes ?? []).join(',') || NONE,
    age(driver),
  ],
);

export const csiNodeTable: TableColumns<CSINode> = table([integer('Drivers'), 'Age'], (node) => [
  (node.spec?.drivers ?? []).length,
  age(node),
]);

/** Until 1.33 the name column marks the default class. */
export function volumeAttributesClassTable(minor: number): TableColumns<VolumeAttributesClass> {
  const { columns, cells } = table(['DriverName', 'Age'], (attributesClass: VolumeAttributesClass) => [
    attributesClass.driverName ?? '',
    age(attributesClass),
  ]);
  if (isSince({ minor }, 34)) return { columns, cells };
  return {
    columns,
    cells: (attributesClass) => {
      const [name = '', ...rest] = cells(attributesClass);
      const isDefault = ownMember(attributesClass.metadata.annotations, DEFAULT_ATTRIBUTES_CLASS) === 'true';
      return [isDefault ? `${name} (default)` : name, ...rest];
    },
  };
}

const DEFAULT_ATTRIBUTES_CLASS = 'volumeattributesclass.alpha.kubernetes.io/is-default-class';
