// Types of the core group, v1: PersistentVolumeClaim.

import { embedded, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { LabelSelector, ObjectMeta } from '../../meta/v1.ts';
import { ResourceRequirements } from '../pod/container.ts';
import { TypedLocalObjectReference, TypedObjectReference } from '../reference.ts';

export const PersistentVolumeClaim = object('core/v1.PersistentVolumeClaim', 'v1', () => ({
  spec: embedded(2, PersistentVolumeClaimSpec),
  status: embedded(3, PersistentVolumeClaimStatus),
}));

export const PersistentVolumeClaimSpec = struct('core/v1.PersistentVolumeClaimSpec', () => ({
  accessModes: list(1, 'string')
    .itemsOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod')
    .atomic(30),
  selector: pointer(4, LabelSelector),
  resources: embedded(2, VolumeResourceRequirements).upTo(28, embedded(2, ResourceRequirements)),
  volumeName: string(3),
  storageClassName: string(5).pointer(),
  volumeMode: string(6).pointer().oneOf('Block', 'Filesystem'),
  dataSource: pointer(7, TypedLocalObjectReference),
  dataSourceRef: pointer(8, TypedObjectReference)
    .behind('AnyVolumeDataSource')
    .upTo(25, pointer(8, TypedLocalObjectReference).behind('AnyVolumeDataSource')),
  volumeAttributesClassName: string(9).pointer().behind('VolumeAttributesClass').since(29),
}));

export const VolumeResourceRequirements = struct('core/v1.VolumeResourceRequirements', () => ({
  limits: map(1, 'quantity'),
  requests: map(2, 'quantity'),
}));

export const PersistentVolumeClaimStatus = struct('core/v1.PersistentVolumeClaimStatus', () => ({
  phase: string(1).oneOf('Bound', 'Lost', 'Pending'),
  accessModes: list(2, 'string')
    .itemsOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod')
    .atomic(30),
  capacity: map(3, 'quantity'),
  conditions: list(4, PersistentVolumeClaimCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(4, PersistentVolumeClaimCondition).mergedBy('type')),
  allocatedResources: map(5, 'quantity').behind('RecoverVolumeExpansionFailure'),
  resizeStatus: string(6)
    .pointer()
    .oneOf(
      '',
      'ControllerExpansionFailed',
      'ControllerExpansionInProgress',
      'NodeExpansionFailed',
      'NodeExpansionInProgress',
      'NodeExpansionPending',
    )
    .until(27),
  allocatedResourceStatuses: map(7, 'string')
    .valuesOneOf(
      'ControllerResizeInProgress',
      'ControllerResizeInfeasible',
      'NodeResizeInProgress',
      'NodeResizeInfeasible',
      'NodeResizePending',
    )
    .granular()
    .behind('RecoverVolumeExpansionFailure')
    .upTo(
      30,
      map(7, 'string')
        .valuesOneOf(
          'ControllerResizeFailed',
          'ControllerResizeInProgress',
          'NodeResizeFailed',
          'NodeResizeInProgress',
          'NodeResizePending',
        )
        .granular()
        .behind('RecoverVolumeExpansionFailure'),
    )
    .since(28),
  currentVolumeAttributesClassName: string(8).pointer().behind('VolumeAttributesClass').since(29),
  modifyVolumeStatus: pointer(9, ModifyVolumeStatus).behind('VolumeAttributesClass').since(29),
  healthStatus: pointer(10, VolumeHealthStatus).behind('CSIVolumeHealth').since(37),
}));

export const VolumeHealthStatus = struct('core/v1.VolumeHealthStatus', () => ({
  healthConditions: list(1, VolumeHealthCondition).keyed('status', 'reason').mergedBy('status'),
  lastTransitionTime: time(2),
}));

export const VolumeHealthCondition = struct('core/v1.VolumeHealthCondition', () => ({
  status: string(1).required().oneOf('DataLoss', 'Degraded', 'Inaccessible'),
  reason: string(2).required(),
  message: string(3),
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
