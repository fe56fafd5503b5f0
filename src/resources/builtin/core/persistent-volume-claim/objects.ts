// The objects of core/persistent-volume-claim/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { LabelSelector } from '../../meta/v1-objects.ts';
import type { TypedLocalObjectReference, TypedObjectReference } from '../reference-objects.ts';

export type PersistentVolumeClaim = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus;
};

export type PersistentVolumeClaimSpec = {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelector;
  readonly resources?: VolumeResourceRequirements;
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly volumeAttributesClassName?: string;
};

export type VolumeResourceRequirements = {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
};

export type PersistentVolumeClaimStatus = {
  readonly phase?: string;
  readonly accessModes?: readonly string[];
  readonly capacity?: Readonly<Record<string, string>>;
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
  readonly currentVolumeAttributesClassName?: string;
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
};

export type PersistentVolumeClaimCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type ModifyVolumeStatus = {
  readonly targetVolumeAttributesClassName?: string;
  readonly status?: string;
};

export type PersistentVolumeClaimTemplate = {
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
};
