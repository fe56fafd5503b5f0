// Types of the core group, v1: LimitRange and ResourceQuota.

import { embedded, list, map, pointer, string, struct } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';

export const LimitRange = object('core/v1.LimitRange', 'v1', () => ({
  spec: embedded(2, LimitRangeSpec),
}));

export const LimitRangeSpec = struct('core/v1.LimitRangeSpec', () => ({
  limits: list(1, LimitRangeItem).required().atomic(30),
}));

export const LimitRangeItem = struct('core/v1.LimitRangeItem', () => ({
  type: string(1).required(),
  max: map(2, 'quantity'),
  min: map(3, 'quantity'),
  default: map(4, 'quantity'),
  defaultRequest: map(5, 'quantity'),
  maxLimitRequestRatio: map(6, 'quantity'),
}));

export const LimitRangeList = objectList(LimitRange);

export const ResourceQuota = object('core/v1.ResourceQuota', 'v1', () => ({
  spec: embedded(2, ResourceQuotaSpec),
  status: embedded(3, ResourceQuotaStatus),
}));

export const ResourceQuotaSpec = struct('core/v1.ResourceQuotaSpec', () => ({
  hard: map(1, 'quantity'),
  scopes: list(2, 'string')
    .atomic()
    .itemsOneOf(
      'BestEffort',
      'CrossNamespacePodAffinity',
      'NotBestEffort',
      'NotTerminating',
      'PriorityClass',
      'Terminating',
      'VolumeAttributesClass',
    )
    .upTo(
      32,
      list(2, 'string')
        .atomic()
        .itemsOneOf(
          'BestEffort',
          'CrossNamespacePodAffinity',
          'NotBestEffort',
          'NotTerminating',
          'PriorityClass',
          'Terminating',
        ),
    )
    .upTo(
      29,
      list(2, 'string').itemsOneOf(
        'BestEffort',
        'CrossNamespacePodAffinity',
        'NotBestEffort',
        'NotTerminating',
        'PriorityClass',
        'Terminating',
      ),
    ),
  scopeSelector: pointer(3, ScopeSelector),
}));

export const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  () => ({
    matchExpressions: list(1, ScopedResourceSelectorRequirement).atomic(30),
  }),
  { mapType: 'atomic' },
);

export const ScopedResourceSelectorRequirement = struct('core/v1.ScopedResourceSelectorRequirement', () => ({
  scopeName: string(1)
    .required()
    .oneOf(
      'BestEffort',
      'CrossNamespacePodAffinity',
      'NotBestEffort',
      'NotTerminating',
      'PriorityClass',
      'Terminating',
      'VolumeAttributesClass',
    )
    .upTo(
      32,
      string(1)
        .required()
        .oneOf(
          'BestEffort',
          'CrossNamespacePodAffinity',
          'NotBestEffort',
          'NotTerminating',
          'PriorityClass',
          'Terminating',
        ),
    ),
  operator: string(2).required().oneOf('DoesNotExist', 'Exists', 'In', 'NotIn'),
  values: list(3, 'string').atomic(30),
}));

export const ResourceQuotaStatus = struct('core/v1.ResourceQuotaStatus', () => ({
  hard: map(1, 'quantity'),
  used: map(2, 'quantity'),
}));

export const ResourceQuotaList = objectList(ResourceQuota);
