// Types of the core group, v1: PersistentVolumeClaim.

import { embedded, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { LabelSelector, ObjectMeta } from '../../meta/v1.ts';
import { TypedLocalObjectReference, TypedObjectReference } from '../reference.ts';

export const PersistentVolumeClaim = object('core/v1.PersistentVolumeClaim', 'v1', () => ({
  spec: embedded(2, PersistentVolumeClaimSpec),
  status: embedded(3, PersistentVolumeClaimStatus),
}));

export const PersistentVolumeClaimSpec = struct('core/v1.PersistentVolumeClaimSpec', () => ({
  accessModes: list(1, 'string')
    .atomic()
    .itemsOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'),
  selector: pointer(4, LabelSelector),
  resources: embedded(2, VolumeResourceRequirements),
  volumeName: string(3),
  storageClassName: string(5).pointer(),
  volumeMode: string(6).pointer().oneOf('Block', 'Filesystem'),
  dataSource: pointer(7, TypedLocalObjectReference),
  dataSourceRef: pointer(8, TypedObjectReference).behind('AnyVolumeDataSource'),
  volumeAttributesClassName: string(9).pointer().behind('VolumeAttributesClass'),
}));

export const VolumeResourceRequirements = struct('core/v1.VolumeResourceRequirements', () => ({
  limits: map(1, 'quantity'),
  requests: map(2, 'quantity'),
}));

export const PersistentVolumeClaimStatus = struct('core/v1.PersistentVolumeClaimStatus', () => ({
  phase: string(1).oneOf('Bound', 'Lost', 'Pending'),
  accessModes: list(2, 'string')
    .atomic()
    .itemsOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'),
  capacity: map(3, 'quantity'),
  conditions: list(4, PersistentVolumeClaimCondition).keyed('type').mergedBy('type'),
  allocatedResources: map(5, 'quantity').behind('RecoverVolumeExpansionFailure'),
  allocatedResourceStatuses: map(7, 'string')
    .granular()
    .valuesOneOf(
      'ControllerResizeInProgress',
      'ControllerResizeInfeasible',
      'NodeResizeInProgress',
      'NodeResizeInfeasible',
      'NodeResizePending',
    )
    .behind('RecoverVolumeExpansionFailure'),
  currentVolumeAttributesClassName: string(8).pointer().behind('VolumeAttributesClass'),
  modifyVolumeStatus: pointer(9, ModifyVolumeStatus).behind('VolumeAttributesClass'),
}));

export const PersistentVolumeClaimCondition = struct('core/v1.PersistentVolumeClaimCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastProbeTime: time(3),
  lastTransitionTime: time(4),
  reason: string(5),
  message: string(6),
}));

export const ModifyVolumeStatus = struct('core/v1.ModifyVolumeStatus', () => ({
  targetVolumeAttributesClassName: string(1),
  status: string(2).required().oneOf('InProgress', 'Infeasible', 'Pending'),
}));

export const PersistentVolumeClaimList = objectList(PersistentVolumeClaim);

export const PersistentVolumeClaimTemplate = struct('core/v1.PersistentVolumeClaimTemplate', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, PersistentVolumeClaimSpec).required(),
}));
