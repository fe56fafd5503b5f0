// The objects of core/persistent-volume/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { NodeSelector } from '../pod/scheduling-objects.ts';
import type { ObjectReference, SecretReference } from '../reference-objects.ts';
import type {
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
} from '../volume/objects.ts';

export type PersistentVolume = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PersistentVolumeSpec;
  readonly status?: PersistentVolumeStatus;
};

export type PersistentVolumeSpec = {
  readonly capacity?: Readonly<Record<string, string>>;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly rbd?: RBDPersistentVolumeSource;
  readonly iscsi?: ISCSIPersistentVolumeSource;
  readonly cinder?: CinderPersistentVolumeSource;
  readonly cephfs?: CephFSPersistentVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly flexVolume?: FlexPersistentVolumeSource;
  readonly azureFile?: AzureFilePersistentVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  readonly local?: LocalVolumeSource;
  readonly storageos?: StorageOSPersistentVolumeSource;
  readonly csi?: CSIPersistentVolumeSource;
  readonly accessModes?: readonly string[];
  readonly claimRef?: ObjectReference;
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly mountOptions?: readonly string[];
  readonly volumeMode?: string;
  readonly nodeAffinity?: VolumeNodeAffinity;
  readonly volumeAttributesClassName?: string;
};

export type PersistentVolumeSource = {
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly rbd?: RBDPersistentVolumeSource;
  readonly iscsi?: ISCSIPersistentVolumeSource;
  readonly cinder?: CinderPersistentVolumeSource;
  readonly cephfs?: CephFSPersistentVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly flexVolume?: FlexPersistentVolumeSource;
  readonly azureFile?: AzureFilePersistentVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  readonly local?: LocalVolumeSource;
  readonly storageos?: StorageOSPersistentVolumeSource;
  readonly csi?: CSIPersistentVolumeSource;
};

export type GlusterfsPersistentVolumeSource = {
  readonly endpoints?: string;
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly endpointsNamespace?: string;
};

export type RBDPersistentVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly image?: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
};

export type ISCSIPersistentVolumeSource = {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: SecretReference;
  readonly initiatorName?: string;
};

export type CinderPersistentVolumeSource = {
  readonly volumeID?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: SecretReference;
};

export type CephFSPersistentVolumeSource = {
  readonly monitors?: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
};

export type FlexPersistentVolumeSource = {
  readonly driver?: string;
  readonly fsType?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
  readonly options?: Readonly<Record<string, string>>;
};

export type AzureFilePersistentVolumeSource = {
  readonly secretName?: string;
  readonly shareName?: string;
  readonly readOnly?: boolean;
  readonly secretNamespace?: string | null;
};

export type ScaleIOPersistentVolumeSource = {
  readonly gateway?: string;
  readonly system?: string;
  readonly secretRef?: SecretReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
};

export type LocalVolumeSource = {
  readonly path?: string;
  readonly fsType?: string;
};

export type StorageOSPersistentVolumeSource = {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: ObjectReference;
};

export type CSIPersistentVolumeSource = {
  readonly driver?: string;
  readonly volumeHandle?: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly controllerPublishSecretRef?: SecretReference;
  readonly nodeStageSecretRef?: SecretReference;
  readonly nodePublishSecretRef?: SecretReference;
  readonly controllerExpandSecretRef?: SecretReference;
  readonly nodeExpandSecretRef?: SecretReference;
};

export type VolumeNodeAffinity = {
  readonly required?: NodeSelector;
};

export type PersistentVolumeStatus = {
  readonly phase?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly lastPhaseTransitionTime?: string;
};
