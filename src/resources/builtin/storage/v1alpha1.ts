// Types of storage.k8s.io/v1alpha1.

import {
  bool,
  embedded,
  inline,
  int32,
  list,
  map,
  pointer,
  quantity,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { PersistentVolumeSpec } from '../core/persistent-volume/types.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector, ListMeta, TypeMeta } from '../meta/v1.ts';

export const CSIStorageCapacity = object('storage/v1alpha1.CSIStorageCapacity', 'storage.k8s.io/v1alpha1', () => ({
  nodeTopology: pointer(2, LabelSelector),
  storageClassName: string(3).required(),
  capacity: quantity(4).pointer(),
  maximumVolumeSize: quantity(5).pointer(),
}));

export const CSIStorageCapacityList = struct(
  'storage/v1alpha1.CSIStorageCapacityList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, CSIStorageCapacity).required().upTo(29, list(2, CSIStorageCapacity).required().keyed('name')),
  }),
  { kinds: ['storage.k8s.io/v1alpha1/CSIStorageCapacityList'] },
);

export const VolumeAttachment = object('storage/v1alpha1.VolumeAttachment', 'storage.k8s.io/v1alpha1', () => ({
  spec: embedded(2, VolumeAttachmentSpec).required(),
  status: embedded(3, VolumeAttachmentStatus),
}));

export const VolumeAttachmentSpec = struct('storage/v1alpha1.VolumeAttachmentSpec', () => ({
  attacher: string(1).required(),
  source: embedded(2, VolumeAttachmentSource).required(),
  nodeName: string(3).required(),
}));

export const VolumeAttachmentSource = struct('storage/v1alpha1.VolumeAttachmentSource', () => ({
  persistentVolumeName: string(1).pointer(),
  inlineVolumeSpec: pointer(2, PersistentVolumeSpec),
}));

export const VolumeAttachmentStatus = struct('storage/v1alpha1.VolumeAttachmentStatus', () => ({
  attached: bool(1).required(),
  attachmentMetadata: map(2, 'string'),
  attachError: pointer(3, VolumeError),
  detachError: pointer(4, VolumeError),
}));

export const VolumeError = struct('storage/v1alpha1.VolumeError', () => ({
  time: time(1),
  message: string(2),
  errorCode: int32(3).pointer().behind('MutableCSINodeAllocatableCount').since(33),
}));

export const VolumeAttachmentList = objectList(VolumeAttachment);

export const VolumeAttributesClass = object(
  'storage/v1alpha1.VolumeAttributesClass',
  'storage.k8s.io/v1alpha1',
  () => ({
    driverName: string(2).required(),
    parameters: map(3, 'string'),
  }),
  { since: 29 },
);

export const VolumeAttributesClassList = objectList(VolumeAttributesClass);
