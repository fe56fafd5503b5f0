// The objects of storage/v1alpha1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { PersistentVolumeSpec } from '../core/persistent-volume/objects.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type CSIStorageCapacity = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
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
