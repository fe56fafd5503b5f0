// The objects of core/volume/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { LabelSelector } from '../../meta/v1-objects.ts';
import type { PersistentVolumeClaimTemplate } from '../persistent-volume-claim/objects.ts';
import type { LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from '../reference-objects.ts';

export type Volume = {
  readonly name?: string;
  readonly hostPath?: HostPathVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
};

export type VolumeSource = {
  readonly hostPath?: HostPathVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
};

export type HostPathVolumeSource = {
  readonly path?: string;
  readonly type?: string;
};

export type EmptyDirVolumeSource = {
  readonly medium?: string;
  readonly sizeLimit?: string;
};

export type GCEPersistentDiskVolumeSource = {
  readonly pdName?: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
};

export type AWSElasticBlockStoreVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
};

export type GitRepoVolumeSource = {
  readonly repository?: string;
  readonly revision?: string;
  readonly directory?: string;
};

export type SecretVolumeSource = {
  readonly secretName?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
};

export type KeyToPath = {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
};

export type NFSVolumeSource = {
  readonly server?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
};

export type ISCSIVolumeSource = {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly initiatorName?: string;
};

export type GlusterfsVolumeSource = {
  readonly endpoints?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
};

export type PersistentVolumeClaimVolumeSource = {
  readonly claimName?: string;
  readonly readOnly?: boolean;
};

export type RBDVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly image?: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
};

export type FlexVolumeSource = {
  readonly driver?: string;
  readonly fsType?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
  readonly options?: Readonly<Record<string, string>>;
};

export type CinderVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
};

export type CephFSVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
};

export type FlockerVolumeSource = {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
};

export type DownwardAPIVolumeSource = {
  readonly items?: readonly DownwardAPIVolumeFile[];
  readonly defaultMode?: number;
};

export type DownwardAPIVolumeFile = {
  readonly path?: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
};

export type FCVolumeSource = {
  readonly targetWWNs?: readonly string[];
  readonly lun?: number;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly wwids?: readonly string[];
};

export type AzureFileVolumeSource = {
  readonly secretName?: string;
  readonly shareName?: string;
  readonly readOnly?: boolean;
};

export type ConfigMapVolumeSource = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
};

export type VsphereVirtualDiskVolumeSource = {
  readonly volumePath?: string;
  readonly fsType?: string;
  readonly storagePolicyName?: string;
  readonly storagePolicyID?: string;
};

export type QuobyteVolumeSource = {
  readonly registry?: string;
  readonly volume?: string;
  readonly readOnly?: boolean;
  readonly user?: string;
  readonly group?: string;
  readonly tenant?: string;
};

export type AzureDiskVolumeSource = {
  readonly diskName?: string;
  readonly diskURI?: string;
  readonly cachingMode?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly kind?: string;
};

export type PhotonPersistentDiskVolumeSource = {
  readonly pdID?: string;
  readonly fsType?: string;
};

export type ProjectedVolumeSource = {
  readonly sources?: readonly VolumeProjection[] | null;
  readonly defaultMode?: number;
};

export type VolumeProjection = {
  readonly secret?: SecretProjection;
  readonly downwardAPI?: DownwardAPIProjection;
  readonly configMap?: ConfigMapProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly podCertificate?: PodCertificateProjection;
};

export type SecretProjection = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
};

export type DownwardAPIProjection = {
  readonly items?: readonly DownwardAPIVolumeFile[];
};

export type ConfigMapProjection = {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
};

export type ServiceAccountTokenProjection = {
  readonly audience?: string;
  readonly expirationSeconds?: number | bigint;
  readonly path?: string;
};

export type ClusterTrustBundleProjection = {
  readonly name?: string;
  readonly signerName?: string;
  readonly labelSelector?: LabelSelector;
  readonly optional?: boolean;
  readonly path?: string;
};

export type PodCertificateProjection = {
  readonly signerName?: string;
  readonly keyType?: string;
  readonly maxExpirationSeconds?: number;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly certificateChainPath?: string;
};

export type PortworxVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type ScaleIOVolumeSource = {
  readonly gateway?: string;
  readonly system?: string;
  readonly secretRef?: LocalObjectReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type StorageOSVolumeSource = {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
};

export type CSIVolumeSource = {
  readonly driver?: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly nodePublishSecretRef?: LocalObjectReference;
};

export type EphemeralVolumeSource = {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
};

export type ImageVolumeSource = {
  readonly reference?: string;
  readonly pullPolicy?: string;
};
