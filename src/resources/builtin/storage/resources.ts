// StorageClasses, CSI drivers and nodes, VolumeAttachments.

import { combined } from '../../combined-rules.ts';
import { RESET_METADATA, type ResourceDefinition, STATUS_APART } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { INLINE_VOLUME_GATES } from '../core/persistent-volume-claim/gates.ts';
import { csiDriverDefaults, storageClassDefaults, volumeAttachmentDefaults } from './defaults.ts';
import { csiDriverStrategy } from './strategy.ts';
import {
  csiDriverTable,
  csiNodeTable,
  storageClassTable,
  volumeAttachmentTable,
  volumeAttributesClassTable,
} from './tables.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from './v1-objects.ts';
import {
  attributesClassRules,
  csiDriverRules,
  csiNodeRules,
  storageCapacityRules,
  storageClassRules,
} from './validation.ts';
import { volumeAttachmentRules } from './validation-attachment.ts';

const storage = group('storage.k8s.io', 'v1');

export const storageResources: readonly ResourceDefinition[] = [
  storage<CSIDriver>({
    resource: 'csidrivers',
    kind: 'CSIDriver',
    cluster: true,
    strategy: {
      ...csiDriverRules,
      ...csiDriverStrategy,
      defaults: csiDriverDefaults,
      unconditionalUpdate: false,
      deletion: { returnsObject: true },
    },
    table: csiDriverTable,
  }),
  storage<CSINode>({
    resource: 'csinodes',
    kind: 'CSINode',
    cluster: true,
    subresources: { status: { ...own, since: 37 } },
    strategy: combined(STATUS_APART, csiNodeRules, { unconditionalUpdate: false, deletion: { returnsObject: true } }),
    table: csiNodeTable,
  }),
  storage<CSIStorageCapacity>({
    resource: 'csistoragecapacities',
    kind: 'CSIStorageCapacity',
    strategy: { ...storageCapacityRules, unconditionalUpdate: false },
  }),
  storage<StorageClass>({
    resource: 'storageclasses',
    kind: 'StorageClass',
    cluster: true,
    shortNames: ['sc'],
    strategy: { ...storageClassRules, defaults: storageClassDefaults, deletion: { returnsObject: true } },
    table: storageClassTable,
  }),
  storage<VolumeAttachment>({
    resource: 'volumeattachments',
    kind: 'VolumeAttachment',
    cluster: true,
    subresources: { status: own },
    keptGates: INLINE_VOLUME_GATES,
    strategy: (minor) =>
      combined(volumeAttachmentRules(minor), {
        defaults: volumeAttachmentDefaults,
        unconditionalUpdate: false,
        deletion: { returnsObject: true },
        subresources: { status: { checks: { update: ['change'] }, keeps: RESET_METADATA } },
      }),
    table: volumeAttachmentTable,
  }),
  storage<VolumeAttributesClass>({
    resource: 'volumeattributesclasses',
    kind: 'VolumeAttributesClass',
    cluster: true,
    shortNames: ['vac'],
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    storage: { 0: 'v1alpha1', 31: 'v1beta1', 36: 'v1' },
    strategy: { ...attributesClassRules, deletion: { returnsObject: true } },
    table: volumeAttributesClassTable,
  }),
];
