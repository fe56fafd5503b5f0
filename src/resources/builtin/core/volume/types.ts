// Types of the core group, v1: volumes of pods.

import { bool, inline, int32, int64, list, map, pointer, quantity, string, struct } from '../../../../schema/build.ts';
import { LabelSelector } from '../../meta/v1.ts';
import { PersistentVolumeClaimTemplate } from '../persistent-volume-claim/types.ts';
import { LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from '../reference.ts';

export const Volume = struct('core/v1.Volume', () => ({
  name: string(1).required(),
  VolumeSource: inline(2, VolumeSource),
}));

export const VolumeSource = struct('core/v1.VolumeSource', () => ({
  hostPath: pointer(1, HostPathVolumeSource),
  emptyDir: pointer(2, EmptyDirVolumeSource),
  gcePersistentDisk: pointer(3, GCEPersistentDiskVolumeSource),
  awsElasticBlockStore: pointer(4, AWSElasticBlockStoreVolumeSource),
  gitRepo: pointer(5, GitRepoVolumeSource),
  secret: pointer(6, SecretVolumeSource),
  nfs: pointer(7, NFSVolumeSource),
  iscsi: pointer(8, ISCSIVolumeSource),
  glusterfs: pointer(9, GlusterfsVolumeSource),
  persistentVolumeClaim: pointer(10, PersistentVolumeClaimVolumeSource),
  rbd: pointer(11, RBDVolumeSource),
  flexVolume: pointer(12, FlexVolumeSource),
  cinder: pointer(13, CinderVolumeSource),
  cephfs: pointer(14, CephFSVolumeSource),
  flocker: pointer(15, FlockerVolumeSource),
  downwardAPI: pointer(16, DownwardAPIVolumeSource),
  fc: pointer(17, FCVolumeSource),
  azureFile: pointer(18, AzureFileVolumeSource),
  configMap: pointer(19, ConfigMapVolumeSource),
  vsphereVolume: pointer(20, VsphereVirtualDiskVolumeSource),
  quobyte: pointer(21, QuobyteVolumeSource),
  azureDisk: pointer(22, AzureDiskVolumeSource),
  photonPersistentDisk: pointer(23, PhotonPersistentDiskVolumeSource),
  projected: pointer(26, ProjectedVolumeSource),
  portworxVolume: pointer(24, PortworxVolumeSource),
  scaleIO: pointer(25, ScaleIOVolumeSource),
  storageos: pointer(27, StorageOSVolumeSource),
  csi: pointer(28, CSIVolumeSource),
  ephemeral: pointer(29, EphemeralVolumeSource),
  image: pointer(30, ImageVolumeSource).showsUseOf('ImageVolume').since(31),
}));

export const HostPathVolumeSource = struct('core/v1.HostPathVolumeSource', () => ({
  path: string(1).required(),
  type: string(2)
    .pointer()
    .oneOf('', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'),
}));

export const EmptyDirVolumeSource = struct('core/v1.EmptyDirVolumeSource', () => ({
  medium: string(1),
  sizeLimit: quantity(2).pointer(),
  mode: int32(3).pointer().behind('EmptyDirVolumeMode').since(37),
}));

export const GCEPersistentDiskVolumeSource = struct('core/v1.GCEPersistentDiskVolumeSource', () => ({
  pdName: string(1).required(),
  fsType: string(2),
  partition: int32(3),
  readOnly: bool(4),
}));

export const AWSElasticBlockStoreVolumeSource = struct('core/v1.AWSElasticBlockStoreVolumeSource', () => ({
  volumeID: string(1).required(),
  fsType: string(2),
  partition: int32(3),
  readOnly: bool(4),
}));

export const GitRepoVolumeSource = struct('core/v1.GitRepoVolumeSource', () => ({
  repository: string(1).required(),
  revision: string(2),
  directory: string(3),
}));

export const SecretVolumeSource = struct('core/v1.SecretVolumeSource', () => ({
  secretName: string(1),
  items: list(2, KeyToPath).atomic(30),
  defaultMode: int32(3).pointer(),
  optional: bool(4).pointer(),
  defaultUser: int64(5).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const KeyToPath = struct('core/v1.KeyToPath', () => ({
  key: string(1).required(),
  path: string(2).required(),
  mode: int32(3).pointer(),
  user: int64(4).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const NFSVolumeSource = struct('core/v1.NFSVolumeSource', () => ({
  server: string(1).required(),
  path: string(2).required(),
  readOnly: bool(3),
}));

export const ISCSIVolumeSource = struct('core/v1.ISCSIVolumeSource', () => ({
  targetPortal: string(1).required(),
  iqn: string(2).required(),
  lun: int32(3).required(),
  iscsiInterface: string(4).default('default').upTo(30, string(4)),
  fsType: string(5),
  readOnly: bool(6),
  portals: list(7, 'string').atomic(30),
  chapAuthDiscovery: bool(8),
  chapAuthSession: bool(11),
  secretRef: pointer(10, LocalObjectReference),
  initiatorName: string(12).pointer(),
}));

export const GlusterfsVolumeSource = struct('core/v1.GlusterfsVolumeSource', () => ({
  endpoints: string(1).required(),
  path: string(2).required(),
  readOnly: bool(3),
}));

export const PersistentVolumeClaimVolumeSource = struct('core/v1.PersistentVolumeClaimVolumeSource', () => ({
  claimName: string(1).required(),
  readOnly: bool(2),
}));

export const RBDVolumeSource = struct('core/v1.RBDVolumeSource', () => ({
  monitors: list(1, 'string').required().atomic(30),
  image: string(2).required(),
  fsType: string(3),
  pool: string(4).default('rbd').upTo(30, string(4)),
  user: string(5).default('admin').upTo(30, string(5)),
  keyring: string(6).default('/etc/ceph/keyring').upTo(30, string(6)),
  secretRef: pointer(7, LocalObjectReference),
  readOnly: bool(8),
}));

export const FlexVolumeSource = struct('core/v1.FlexVolumeSource', () => ({
  driver: string(1).required(),
  fsType: string(2),
  secretRef: pointer(3, LocalObjectReference),
  readOnly: bool(4),
  options: map(5, 'string'),
}));

export const CinderVolumeSource = struct('core/v1.CinderVolumeSource', () => ({
  volumeID: string(1).required(),
  fsType: string(2),
  readOnly: bool(3),
  secretRef: pointer(4, LocalObjectReference),
}));

export const CephFSVolumeSource = struct('core/v1.CephFSVolumeSource', () => ({
  monitors: list(1, 'string').required().atomic(30),
  path: string(2),
  user: string(3),
  secretFile: string(4),
  secretRef: pointer(5, LocalObjectReference),
  readOnly: bool(6),
}));

export const FlockerVolumeSource = struct('core/v1.FlockerVolumeSource', () => ({
  datasetName: string(1),
  datasetUUID: string(2),
}));

export const DownwardAPIVolumeSource = struct('core/v1.DownwardAPIVolumeSource', () => ({
  items: list(1, DownwardAPIVolumeFile).atomic(30),
  defaultMode: int32(2).pointer(),
  defaultUser: int64(3).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const DownwardAPIVolumeFile = struct('core/v1.DownwardAPIVolumeFile', () => ({
  path: string(1).required(),
  fieldRef: pointer(2, ObjectFieldSelector),
  resourceFieldRef: pointer(3, ResourceFieldSelector),
  mode: int32(4).pointer(),
  user: int64(5).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const FCVolumeSource = struct('core/v1.FCVolumeSource', () => ({
  targetWWNs: list(1, 'string').atomic(30),
  lun: int32(2).pointer(),
  fsType: string(3),
  readOnly: bool(4),
  wwids: list(5, 'string').atomic(30),
}));

export const AzureFileVolumeSource = struct('core/v1.AzureFileVolumeSource', () => ({
  secretName: string(1).required(),
  shareName: string(2).required(),
  readOnly: bool(3),
}));

export const ConfigMapVolumeSource = struct('core/v1.ConfigMapVolumeSource', () => ({
  LocalObjectReference: inline(1, LocalObjectReference),
  items: list(2, KeyToPath).atomic(30),
  defaultMode: int32(3).pointer(),
  optional: bool(4).pointer(),
  defaultUser: int64(5).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const VsphereVirtualDiskVolumeSource = struct('core/v1.VsphereVirtualDiskVolumeSource', () => ({
  volumePath: string(1).required(),
  fsType: string(2),
  storagePolicyName: string(3),
  storagePolicyID: string(4),
}));

export const QuobyteVolumeSource = struct('core/v1.QuobyteVolumeSource', () => ({
  registry: string(1).required(),
  volume: string(2).required(),
  readOnly: bool(3),
  user: string(4),
  group: string(5),
  tenant: string(6),
}));

export const AzureDiskVolumeSource = struct('core/v1.AzureDiskVolumeSource', () => ({
  diskName: string(1).required(),
  diskURI: string(2).required(),
  cachingMode: string(3)
    .pointer()
    .default('ReadWrite')
    .oneOf('None', 'ReadOnly', 'ReadWrite')
    .upTo(30, string(3).pointer().oneOf('None', 'ReadOnly', 'ReadWrite')),
  fsType: string(4).pointer().default('ext4').upTo(30, string(4).pointer()),
  readOnly: bool(5).pointer().default(false).upTo(30, bool(5).pointer()),
  kind: string(6)
    .pointer()
    .default('Shared')
    .oneOf('Dedicated', 'Managed', 'Shared')
    .upTo(30, string(6).pointer().oneOf('Dedicated', 'Managed', 'Shared')),
}));

export const PhotonPersistentDiskVolumeSource = struct('core/v1.PhotonPersistentDiskVolumeSource', () => ({
  pdID: string(1).required(),
  fsType: string(2),
}));

export const ProjectedVolumeSource = struct('core/v1.ProjectedVolumeSource', () => ({
  sources: list(1, VolumeProjection).always().atomic(30),
  defaultMode: int32(2).pointer(),
  defaultUser: int64(3).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const VolumeProjection = struct('core/v1.VolumeProjection', () => ({
  secret: pointer(1, SecretProjection),
  downwardAPI: pointer(2, DownwardAPIProjection),
  configMap: pointer(3, ConfigMapProjection),
  serviceAccountToken: pointer(4, ServiceAccountTokenProjection),
  clusterTrustBundle: pointer(5, ClusterTrustBundleProjection).behind('ClusterTrustBundleProjection').since(29),
  podCertificate: pointer(6, PodCertificateProjection).behind('PodCertificateRequest').since(34),
}));

export const SecretProjection = struct('core/v1.SecretProjection', () => ({
  LocalObjectReference: inline(1, LocalObjectReference),
  items: list(2, KeyToPath).atomic(30),
  optional: bool(4).pointer(),
}));

export const DownwardAPIProjection = struct('core/v1.DownwardAPIProjection', () => ({
  items: list(1, DownwardAPIVolumeFile).atomic(30),
}));

export const ConfigMapProjection = struct('core/v1.ConfigMapProjection', () => ({
  LocalObjectReference: inline(1, LocalObjectReference),
  items: list(2, KeyToPath).atomic(30),
  optional: bool(4).pointer(),
}));

export const ServiceAccountTokenProjection = struct('core/v1.ServiceAccountTokenProjection', () => ({
  audience: string(1),
  expirationSeconds: int64(2).pointer(),
  path: string(3).required(),
  user: int64(4).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const ClusterTrustBundleProjection = struct('core/v1.ClusterTrustBundleProjection', () => ({
  name: string(1).pointer(),
  signerName: string(2).pointer(),
  labelSelector: pointer(3, LabelSelector),
  optional: bool(5).pointer(),
  path: string(4).required(),
  user: int64(6).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const PodCertificateProjection = struct('core/v1.PodCertificateProjection', () => ({
  signerName: string(1).required().omitEmpty(),
  keyType: string(2).required().omitEmpty(),
  maxExpirationSeconds: int32(3).pointer(),
  credentialBundlePath: string(4),
  keyPath: string(5),
  certificateChainPath: string(6),
  userAnnotations: map(7, 'string').since(35),
  user: int64(8).pointer().behind('AtomicWriteVolumeUserFields').since(37),
}));

export const PortworxVolumeSource = struct('core/v1.PortworxVolumeSource', () => ({
  volumeID: string(1).required(),
  fsType: string(2),
  readOnly: bool(3),
}));

export const ScaleIOVolumeSource = struct('core/v1.ScaleIOVolumeSource', () => ({
  gateway: string(1).required(),
  system: string(2).required(),
  secretRef: pointer(3, LocalObjectReference).required(),
  sslEnabled: bool(4),
  protectionDomain: string(5),
  storagePool: string(6),
  storageMode: string(7).default('ThinProvisioned').upTo(30, string(7)),
  volumeName: string(8),
  fsType: string(9).default('xfs').upTo(30, string(9)),
  readOnly: bool(10),
}));

export const StorageOSVolumeSource = struct('core/v1.StorageOSVolumeSource', () => ({
  volumeName: string(1),
  volumeNamespace: string(2),
  fsType: string(3),
  readOnly: bool(4),
  secretRef: pointer(5, LocalObjectReference),
}));

export const CSIVolumeSource = struct('core/v1.CSIVolumeSource', () => ({
  driver: string(1).required(),
  readOnly: bool(2).pointer(),
  fsType: string(3).pointer(),
  volumeAttributes: map(4, 'string'),
  nodePublishSecretRef: pointer(5, LocalObjectReference),
}));

export const EphemeralVolumeSource = struct('core/v1.EphemeralVolumeSource', () => ({
  volumeClaimTemplate: pointer(1, PersistentVolumeClaimTemplate),
}));

export const ImageVolumeSource = struct('core/v1.ImageVolumeSource', () => ({
  reference: string(1),
  pullPolicy: string(2).oneOf('Always', 'IfNotPresent', 'Never'),
}));
