// Types of the core group, v1: PersistentVolume and its sources.

import { bool, embedded, inline, int32, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { NodeSelector } from '../pod/scheduling.ts';
import { ObjectReference, SecretReference } from '../reference.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from '../volume/types.ts';

export const PersistentVolume = object('core/v1.PersistentVolume', 'v1', () => ({
  spec: embedded(2, PersistentVolumeSpec),
  status: embedded(3, PersistentVolumeStatus),
}));

export const PersistentVolumeSpec = struct('core/v1.PersistentVolumeSpec', () => ({
  capacity: map(1, 'quantity'),
  PersistentVolumeSource: inline(2, PersistentVolumeSource),
  accessModes: list(3, 'string')
    .itemsOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod')
    .atomic(30),
  claimRef: pointer(4, ObjectReference).granular().upTo(24, pointer(4, ObjectReference)),
  persistentVolumeReclaimPolicy: string(5).oneOf('Delete', 'Recycle', 'Retain'),
  storageClassName: string(6),
  mountOptions: list(7, 'string').atomic(30),
  volumeMode: string(8).pointer().oneOf('Block', 'Filesystem'),
  nodeAffinity: pointer(9, VolumeNodeAffinity),
  volumeAttributesClassName: string(10).pointer().behind('VolumeAttributesClass').since(29),
}));

export const PersistentVolumeSource = struct('core/v1.PersistentVolumeSource', () => ({
  gcePersistentDisk: pointer(1, GCEPersistentDiskVolumeSource),
  awsElasticBlockStore: pointer(2, AWSElasticBlockStoreVolumeSource),
  hostPath: pointer(3, HostPathVolumeSource),
  glusterfs: pointer(4, GlusterfsPersistentVolumeSource),
  nfs: pointer(5, NFSVolumeSource),
  rbd: pointer(6, RBDPersistentVolumeSource),
  iscsi: pointer(7, ISCSIPersistentVolumeSource),
  cinder: pointer(8, CinderPersistentVolumeSource),
  cephfs: pointer(9, CephFSPersistentVolumeSource),
  fc: pointer(10, FCVolumeSource),
  flocker: pointer(11, FlockerVolumeSource),
  flexVolume: pointer(12, FlexPersistentVolumeSource),
  azureFile: pointer(13, AzureFilePersistentVolumeSource),
  vsphereVolume: pointer(14, VsphereVirtualDiskVolumeSource),
  quobyte: pointer(15, QuobyteVolumeSource),
  azureDisk: pointer(16, AzureDiskVolumeSource),
  photonPersistentDisk: pointer(17, PhotonPersistentDiskVolumeSource),
  portworxVolume: pointer(18, PortworxVolumeSource),
  scaleIO: pointer(19, ScaleIOPersistentVolumeSource),
  local: pointer(20, LocalVolumeSource),
  storageos: pointer(21, StorageOSPersistentVolumeSource),
  csi: pointer(22, CSIPersistentVolumeSource),
}));

export const GlusterfsPersistentVolumeSource = struct('core/v1.GlusterfsPersistentVolumeSource', () => ({
  endpoints: string(1).required(),
  path: string(2).required(),
  readOnly: bool(3),
  endpointsNamespace: string(4).pointer(),
}));

export const RBDPersistentVolumeSource = struct('core/v1.RBDPersistentVolumeSource', () => ({
  monitors: list(1, 'string').required().atomic(30),
  image: string(2).required(),
  fsType: string(3),
  pool: string(4).default('rbd').upTo(30, string(4)),
  user: string(5).default('admin').upTo(30, string(5)),
  keyring: string(6).default('/etc/ceph/keyring').upTo(30, string(6)),
  secretRef: pointer(7, SecretReference),
  readOnly: bool(8),
}));

export const ISCSIPersistentVolumeSource = struct('core/v1.ISCSIPersistentVolumeSource', () => ({
  targetPortal: string(1).required(),
  iqn: string(2).required(),
  lun: int32(3).required(),
  iscsiInterface: string(4).default('default').upTo(30, string(4)),
  fsType: string(5),
  readOnly: bool(6),
  portals: list(7, 'string').atomic(30),
  chapAuthDiscovery: bool(8),
  chapAuthSession: bool(11),
  secretRef: pointer(10, SecretReference),
  initiatorName: string(12).pointer(),
}));

export const CinderPersistentVolumeSource = struct('core/v1.CinderPersistentVolumeSource', () => ({
  volumeID: string(1).required(),
  fsType: string(2),
  readOnly: bool(3),
  secretRef: pointer(4, SecretReference),
}));

export const CephFSPersistentVolumeSource = struct('core/v1.CephFSPersistentVolumeSource', () => ({
  monitors: list(1, 'string').required().atomic(30),
  path: string(2),
  user: string(3),
  secretFile: string(4),
  secretRef: pointer(5, SecretReference),
  readOnly: bool(6),
}));

export const FlexPersistentVolumeSource = struct('core/v1.FlexPersistentVolumeSource', () => ({
  driver: string(1).required(),
  fsType: string(2),
  secretRef: pointer(3, SecretReference),
  readOnly: bool(4),
  options: map(5, 'string'),
}));

export const AzureFilePersistentVolumeSource = struct('core/v1.AzureFilePersistentVolumeSource', () => ({
  secretName: string(1).required(),
  shareName: string(2).required(),
  readOnly: bool(3),
  secretNamespace: string(4).pointer().always(),
}));

export const ScaleIOPersistentVolumeSource = struct('core/v1.ScaleIOPersistentVolumeSource', () => ({
  gateway: string(1).required(),
  system: string(2).required(),
  secretRef: pointer(3, SecretReference).required(),
  sslEnabled: bool(4),
  protectionDomain: string(5),
  storagePool: string(6),
  storageMode: string(7).default('ThinProvisioned').upTo(30, string(7)),
  volumeName: string(8),
  fsType: string(9).default('xfs').upTo(30, string(9)),
  readOnly: bool(10),
}));

export const LocalVolumeSource = struct('core/v1.LocalVolumeSource', () => ({
  path: string(1).required(),
  fsType: string(2).pointer(),
}));

export const StorageOSPersistentVolumeSource = struct('core/v1.StorageOSPersistentVolumeSource', () => ({
  volumeName: string(1),
  volumeNamespace: string(2),
  fsType: string(3),
  readOnly: bool(4),
  secretRef: pointer(5, ObjectReference),
}));

export const CSIPersistentVolumeSource = struct('core/v1.CSIPersistentVolumeSource', () => ({
  driver: string(1).required(),
  volumeHandle: string(2).required(),
  readOnly: bool(3),
  fsType: string(4),
  volumeAttributes: map(5, 'string'),
  controllerPublishSecretRef: pointer(6, SecretReference),
  nodeStageSecretRef: pointer(7, SecretReference),
  nodePublishSecretRef: pointer(8, SecretReference),
  controllerExpandSecretRef: pointer(9, SecretReference),
  nodeExpandSecretRef: pointer(10, SecretReference).since(25),
}));

export const VolumeNodeAffinity = struct('core/v1.VolumeNodeAffinity', () => ({
  required: pointer(1, NodeSelector),
}));

export const PersistentVolumeStatus = struct('core/v1.PersistentVolumeStatus', () => ({
  phase: string(1).oneOf('Available', 'Bound', 'Failed', 'Pending', 'Released'),
  message: string(2),
  reason: string(3),
  lastPhaseTransitionTime: time(4).pointer().since(28),
}));

export const PersistentVolumeList = objectList(PersistentVolume);
