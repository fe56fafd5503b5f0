// Types of storage.k8s.io/v1beta1.

import {
  bool,
  embedded,
  inline,
  int32,
  int64,
  list,
  map,
  pointer,
  quantity,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { PersistentVolumeSpec } from '../core/persistent-volume/types.ts';
import { TopologySelectorTerm } from '../core/pod/scheduling.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector, ListMeta, TypeMeta } from '../meta/v1.ts';

export const CSIDriver = object('storage/v1beta1.CSIDriver', 'storage.k8s.io/v1beta1', () => ({
  spec: embedded(2, CSIDriverSpec).required(),
}));

export const CSIDriverSpec = struct('storage/v1beta1.CSIDriverSpec', () => ({
  attachRequired: bool(1).pointer(),
  podInfoOnMount: bool(2).pointer(),
  volumeLifecycleModes: list(3, 'string').atomic(30),
  storageCapacity: bool(4).pointer(),
  fsGroupPolicy: string(5).pointer(),
  tokenRequests: list(6, TokenRequest).atomic(),
  requiresRepublish: bool(7).pointer(),
  seLinuxMount: bool(8).pointer().behind('SELinuxMountReadWriteOncePod').since(25),
  nodeAllocatableUpdatePeriodSeconds: int64(9).pointer().behind('MutableCSINodeAllocatableCount').since(33),
  serviceAccountTokenInSecrets: bool(10).pointer().behind('CSIServiceAccountTokenSecrets').since(35),
  preventPodSchedulingIfMissing: bool(11).pointer().behind('VolumeLimitScaling').since(36),
}));

export const TokenRequest = struct('storage/v1beta1.TokenRequest', () => ({
  audience: string(1).required(),
  expirationSeconds: int64(2).pointer(),
}));

export const CSIDriverList = objectList(CSIDriver);

export const CSINode = object('storage/v1beta1.CSINode', 'storage.k8s.io/v1beta1', () => ({
  spec: embedded(2, CSINodeSpec).required(),
  status: embedded(3, CSINodeStatus).since(37),
}));

export const CSINodeStatus = struct('storage/v1beta1.CSINodeStatus', () => ({
  storageHealth: list(1, StorageHealth).keyed('name').mergedBy('name').behind('CSIVolumeHealth'),
}));

export const StorageHealth = struct('storage/v1beta1.StorageHealth', () => ({
  name: string(1).required(),
  healthConditions: list(2, StorageHealthCondition).atomic(),
}));

export const StorageHealthCondition = struct('storage/v1beta1.StorageHealthCondition', () => ({
  status: string(1).required().oneOf('StorageDegraded', 'StorageUnreachable'),
  reason: string(2).required(),
  message: string(3),
  accessMode: string(4).pointer().oneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'),
  volumeMode: string(5).pointer().oneOf('Block', 'Filesystem'),
  lastTransitionTime: time(6),
}));

export const CSINodeSpec = struct('storage/v1beta1.CSINodeSpec', () => ({
  drivers: list(1, CSINodeDriver)
    .required()
    .keyed('name')
    .mergedBy('name')
    .upTo(29, list(1, CSINodeDriver).required().mergedBy('name')),
}));

export const CSINodeDriver = struct('storage/v1beta1.CSINodeDriver', () => ({
  name: string(1).required(),
  nodeID: string(2).required(),
  topologyKeys: list(3, 'string').always().atomic(30),
  allocatable: pointer(4, VolumeNodeResources),
}));

export const VolumeNodeResources = struct('storage/v1beta1.VolumeNodeResources', () => ({
  count: int32(1).pointer(),
}));

export const CSINodeList = objectList(CSINode);

export const CSIStorageCapacity = object('storage/v1beta1.CSIStorageCapacity', 'storage.k8s.io/v1beta1', () => ({
  nodeTopology: pointer(2, LabelSelector),
  storageClassName: string(3).required(),
  capacity: quantity(4).pointer(),
  maximumVolumeSize: quantity(5).pointer(),
}));

export const CSIStorageCapacityList = struct(
  'storage/v1beta1.CSIStorageCapacityList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, CSIStorageCapacity).required().upTo(29, list(2, CSIStorageCapacity).required().keyed('name')),
  }),
  { kinds: ['storage.k8s.io/v1beta1/CSIStorageCapacityList'] },
);

export const StorageClass = object('storage/v1beta1.StorageClass', 'storage.k8s.io/v1beta1', () => ({
  provisioner: string(2).required(),
  parameters: map(3, 'string'),
  reclaimPolicy: string(4).pointer().oneOf('Delete', 'Recycle', 'Retain'),
  mountOptions: list(5, 'string').atomic(30),
  allowVolumeExpansion: bool(6).pointer(),
  volumeBindingMode: string(7).pointer(),
  allowedTopologies: list(8, TopologySelectorTerm).atomic(),
}));

export const StorageClassList = objectList(StorageClass);

export const VolumeAttachment = object('storage/v1beta1.VolumeAttachment', 'storage.k8s.io/v1beta1', () => ({
  spec: embedded(2, VolumeAttachmentSpec).required(),
  status: embedded(3, VolumeAttachmentStatus),
}));

export const VolumeAttachmentSpec = struct('storage/v1beta1.VolumeAttachmentSpec', () => ({
  attacher: string(1).required(),
  source: embedded(2, VolumeAttachmentSource).required(),
  nodeName: string(3).required(),
}));

export const VolumeAttachmentSource = struct('storage/v1beta1.VolumeAttachmentSource', () => ({
  persistentVolumeName: string(1).pointer(),
  inlineVolumeSpec: pointer(2, PersistentVolumeSpec),
}));

export const VolumeAttachmentStatus = struct('storage/v1beta1.VolumeAttachmentStatus', () => ({
  attached: bool(1).required(),
  attachmentMetadata: map(2, 'string'),
  attachError: pointer(3, VolumeError),
  detachError: pointer(4, VolumeError),
}));

export const VolumeError = struct('storage/v1beta1.VolumeError', () => ({
  time: time(1),
  message: string(2),
  errorCode: int32(3).pointer().behind('MutableCSINodeAllocatableCount').since(33),
}));

export const VolumeAttachmentList = objectList(VolumeAttachment);

export const VolumeAttributesClass = object(
  'storage/v1beta1.VolumeAttributesClass',
  'storage.k8s.io/v1beta1',
  () => ({
    driverName: string(2).required(),
    parameters: map(3, 'string'),
  }),
  { since: 31 },
);

export const VolumeAttributesClassList = objectList(VolumeAttributesClass);
