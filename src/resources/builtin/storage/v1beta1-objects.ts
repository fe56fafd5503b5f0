// The objects of storage/v1beta1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { PersistentVolumeSpec } from '../core/persistent-volume/objects.ts';
import type { TopologySelectorTerm } from '../core/pod/scheduling-objects.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type CSIDriver = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CSIDriverSpec;
};

export type CSIDriverSpec = {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly volumeLifecycleModes?: readonly string[];
  readonly storageCapacity?: boolean;
  readonly fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | bigint;
};

export type TokenRequest = {
  readonly audience?: string;
  readonly expirationSeconds?: number | bigint;
};

export type CSINode = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CSINodeSpec;
};

export type CSINodeSpec = {
  readonly drivers?: readonly CSINodeDriver[] | null;
};

export type CSINodeDriver = {
  readonly name?: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[] | null;
  readonly allocatable?: VolumeNodeResources;
};

export type VolumeNodeResources = {
  readonly count?: number;
};

export type CSIStorageCapacity = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
};

export type StorageClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
};

export type VolumeAttachment = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
};

export type VolumeAttachmentSpec = {
  readonly attacher?: string;
  readonly source?: VolumeAttachmentSource;
  readonly nodeName?: string;
};

export type VolumeAttachmentSource = {
  readonly persistentVolumeName?: string;
  readonly inlineVolumeSpec?: PersistentVolumeSpec;
};

export type VolumeAttachmentStatus = {
  readonly attached?: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
};

export type VolumeError = {
  readonly time?: string | null;
  readonly message?: string;
  readonly errorCode?: number;
};

export type VolumeAttributesClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly driverName?: string;
  readonly parameters?: Readonly<Record<string, string>>;
};
