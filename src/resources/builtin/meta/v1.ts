// Types common to all groups: metadata, lists, Status, options, discovery and tables (meta/v1).

import {
  bool,
  embedded,
  fields,
  inline,
  int32,
  int64,
  list,
  map,
  pointer,
  raw,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { inEveryGroup, statusKinds } from './every-group.ts';

export const APIGroup = struct(
  'meta/v1.APIGroup',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    name: string(1).required(),
    versions: list(2, GroupVersionForDiscovery).required().atomic(30),
    preferredVersion: embedded(3, GroupVersionForDiscovery),
    serverAddressByClientCIDRs: list(4, ServerAddressByClientCIDR).atomic(30),
  }),
  { kinds: ['v1/APIGroup'] },
);

export const TypeMeta = struct('meta/v1.TypeMeta', () => ({
  kind: string(1),
  apiVersion: string(2),
}));

export const GroupVersionForDiscovery = struct('meta/v1.GroupVersionForDiscovery', () => ({
  groupVersion: string(1).required(),
  version: string(2).required(),
}));

export const ServerAddressByClientCIDR = struct('meta/v1.ServerAddressByClientCIDR', () => ({
  clientCIDR: string(1).required(),
  serverAddress: string(2).required(),
}));

export const APIGroupList = struct(
  'meta/v1.APIGroupList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    groups: list(1, APIGroup).required().atomic(30),
  }),
  { kinds: ['v1/APIGroupList'] },
);

export const APIVersions = struct(
  'meta/v1.APIVersions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    versions: list(1, 'string').required().atomic(30),
    serverAddressByClientCIDRs: list(2, ServerAddressByClientCIDR).required().atomic(30),
  }),
  { kinds: ['v1/APIVersions'] },
);

export const Status = struct(
  'meta/v1.Status',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    status: string(2),
    message: string(3),
    reason: string(4),
    details: pointer(5, StatusDetails).atomic(30).from(35, pointer(5, StatusDetails)),
    code: int32(6),
  }),
  { kinds: statusKinds },
);

export const ListMeta = struct('meta/v1.ListMeta', () => ({
  selfLink: string(1),
  resourceVersion: string(2),
  continue: string(3),
  remainingItemCount: int64(4).pointer(),
  shardInfo: pointer(5, ShardInfo).behind('ShardedListAndWatch').since(36),
}));

export const ShardInfo = struct('meta/v1.ShardInfo', () => ({
  selector: string(1).required(),
}));

export const StatusDetails = struct('meta/v1.StatusDetails', () => ({
  name: string(1),
  group: string(2),
  kind: string(3),
  uid: string(6),
  causes: list(4, StatusCause).atomic(30),
  retryAfterSeconds: int32(5),
}));

export const StatusCause = struct('meta/v1.StatusCause', () => ({
  reason: string(1),
  message: string(2),
  field: string(3),
}));

export const APIResourceList = struct(
  'meta/v1.APIResourceList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    groupVersion: string(1).required(),
    resources: list(2, APIResource).required().atomic(30),
  }),
  { kinds: ['v1/APIResourceList'] },
);

export const APIResource = struct('meta/v1.APIResource', () => ({
  name: string(1).required(),
  singularName: string(6).required(),
  namespaced: bool(2).required(),
  group: string(8),
  version: string(9),
  kind: string(3).required(),
  verbs: list(4, 'string').required().named(),
  shortNames: list(5, 'string').atomic(30),
  categories: list(7, 'string').atomic(30),
  storageVersionHash: string(10),
}));

export const Condition = struct('meta/v1.Condition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  observedGeneration: int64(3),
  lastTransitionTime: time(4).required(),
  reason: string(5).required(),
  message: string(6).required(),
}));

export const CreateOptions = struct('meta/v1.CreateOptions', () => ({
  TypeMeta: inline(0, TypeMeta),
  dryRun: list(1, 'string').atomic(30),
  fieldManager: string(3),
  fieldValidation: string(4),
}));

export const DeleteOptions = struct(
  'meta/v1.DeleteOptions',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    gracePeriodSeconds: int64(1).pointer(),
    preconditions: pointer(2, Preconditions),
    orphanDependents: bool(3).pointer(),
    propagationPolicy: string(4).pointer(),
    dryRun: list(5, 'string').atomic(30),
    ignoreStoreReadErrorWithClusterBreakingPotential: bool(6).pointer().since(32),
  }),
  { kinds: inEveryGroup('DeleteOptions') },
);

export const Preconditions = struct('meta/v1.Preconditions', () => ({
  uid: string(1).pointer(),
  resourceVersion: string(2).pointer(),
}));

export const FieldSelectorRequirement = struct('meta/v1.FieldSelectorRequirement', () => ({
  key: string(1).required(),
  operator: string(2).required(),
  values: list(3, 'string').atomic(),
}));

export const GetOptions = struct('meta/v1.GetOptions', () => ({
  TypeMeta: inline(0, TypeMeta),
  resourceVersion: string(1),
}));

export const GroupVersionKind = struct('meta/v1.GroupVersionKind', () => ({
  group: string(1).required(),
  version: string(2).required(),
  kind: string(3).required(),
}));

export const GroupVersionResource = struct('meta/v1.GroupVersionResource', () => ({
  group: string(1).required(),
  version: string(2).required(),
  resource: string(3).required(),
}));

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  () => ({
    matchLabels: map(1, 'string'),
    matchExpressions: list(2, LabelSelectorRequirement).atomic(30),
  }),
  { mapType: 'atomic' },
);

export const LabelSelectorRequirement = struct('meta/v1.LabelSelectorRequirement', () => ({
  key: string(1).required().upTo(27, string(1).required().mergedBy('key')),
  operator: string(2).required(),
  values: list(3, 'string').atomic(30),
}));

export const ListOptions = struct('meta/v1.ListOptions', () => ({
  TypeMeta: inline(0, TypeMeta),
  labelSelector: string(1),
  fieldSelector: string(2),
  watch: bool(3),
  allowWatchBookmarks: bool(9),
  resourceVersion: string(4),
  resourceVersionMatch: string(10),
  timeoutSeconds: int64(5).pointer(),
  limit: int64(7),
  continue: string(8),
  sendInitialEvents: bool(11).pointer().since(27),
  shardSelector: string(15).behind('ShardedListAndWatch').since(36),
}));

export const ManagedFieldsEntry = struct('meta/v1.ManagedFieldsEntry', () => ({
  manager: string(1),
  operation: string(2),
  apiVersion: string(3),
  time: time(4).pointer(),
  fieldsType: string(6),
  fieldsV1: fields(7).pointer(),
  subresource: string(8),
}));

export const ObjectMeta = struct('meta/v1.ObjectMeta', () => ({
  name: string(1),
  generateName: string(2),
  namespace: string(3),
  selfLink: string(4),
  uid: string(5),
  resourceVersion: string(6),
  generation: int64(7),
  creationTimestamp: time(8).omitZero().upTo(33, time(8)),
  deletionTimestamp: time(9).pointer(),
  deletionGracePeriodSeconds: int64(10).pointer(),
  labels: map(11, 'string'),
  annotations: map(12, 'string'),
  ownerReferences: list(13, OwnerReference)
    .keyed('uid')
    .mergedBy('uid')
    .upTo(29, list(13, OwnerReference).mergedBy('uid')),
  finalizers: list(14, 'string').set().patchStrategy('merge').upTo(29, list(14, 'string').patchStrategy('merge')),
  clusterName: string(15).until(24),
  managedFields: list(17, ManagedFieldsEntry).atomic(30),
}));

export const OwnerReference = struct(
  'meta/v1.OwnerReference',
  () => ({
    apiVersion: string(5).required(),
    kind: string(1).required(),
    name: string(3).required(),
    uid: string(4).required(),
    controller: bool(6).pointer(),
    blockOwnerDeletion: bool(7).pointer(),
  }),
  { mapType: 'atomic' },
);

export const PartialObjectMetadata = struct('meta/v1.PartialObjectMetadata', () => ({
  TypeMeta: inline(0, TypeMeta),
  metadata: embedded(1, ObjectMeta),
}));

export const PartialObjectMetadataList = struct('meta/v1.PartialObjectMetadataList', () => ({
  TypeMeta: inline(0, TypeMeta),
  metadata: embedded(1, ListMeta),
  items: list(2, PartialObjectMetadata).required(),
}));

export const PatchOptions = struct('meta/v1.PatchOptions', () => ({
  TypeMeta: inline(0, TypeMeta),
  dryRun: list(1, 'string').atomic(30),
  force: bool(2).pointer(),
  fieldManager: string(3),
  fieldValidation: string(4),
}));

export const Table = struct('meta/v1.Table', () => ({
  TypeMeta: inline(0, TypeMeta),
  metadata: embedded(0, ListMeta),
  columnDefinitions: list(0, TableColumnDefinition).required(),
  rows: list(0, TableRow).required(),
}));

export const TableColumnDefinition = struct('meta/v1.TableColumnDefinition', () => ({
  name: string(0).required(),
  type: string(0).required(),
  format: string(0).required(),
  description: string(0).required(),
  priority: int32(0).required(),
}));

export const TableRow = struct('meta/v1.TableRow', () => ({
  cells: list(0, 'json').required(),
  conditions: list(0, TableRowCondition),
  object: raw(0),
}));

export const TableRowCondition = struct('meta/v1.TableRowCondition', () => ({
  type: string(0).required(),
  status: string(0).required(),
  reason: string(0),
  message: string(0),
}));

export const UpdateOptions = struct('meta/v1.UpdateOptions', () => ({
  TypeMeta: inline(0, TypeMeta),
  dryRun: list(1, 'string').atomic(30),
  fieldManager: string(2),
  fieldValidation: string(3),
}));

export const WatchEvent = struct(
  'meta/v1.WatchEvent',
  () => ({
    type: string(1).required(),
    object: raw(2).required(),
  }),
  { kinds: inEveryGroup('WatchEvent') },
);

export const GroupResource = struct('meta/v1.GroupResource', () => ({
  group: string(1).required(),
  resource: string(2).required(),
}));
