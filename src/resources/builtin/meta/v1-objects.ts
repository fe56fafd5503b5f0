// The objects of meta/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { Json, ObjectMeta } from '../../../api/object.ts';

export type APIGroup = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly versions?: readonly GroupVersionForDiscovery[] | null;
  readonly preferredVersion?: GroupVersionForDiscovery;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
};

export type TypeMeta = {
  readonly kind?: string;
  readonly apiVersion?: string;
};

export type GroupVersionForDiscovery = {
  readonly groupVersion?: string;
  readonly version?: string;
};

export type ServerAddressByClientCIDR = {
  readonly clientCIDR?: string;
  readonly serverAddress?: string;
};

export type APIVersions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly versions?: readonly string[] | null;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[] | null;
};

export type Status = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: ListMeta;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
};

export type ListMeta = {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number | bigint;
};

export type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

export type StatusCause = {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
};

export type APIResource = {
  readonly name?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
};

export type Condition = {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number | bigint;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type CreateOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type DeleteOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly gracePeriodSeconds?: number | bigint;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

export type Preconditions = {
  readonly uid?: string;
  readonly resourceVersion?: string;
};

export type FieldSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type GetOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
};

export type GroupVersionKind = {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
};

export type GroupVersionResource = {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
};

export type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
};

export type LabelSelectorRequirement = {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type ListOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly timeoutSeconds?: number | bigint;
  readonly limit?: number | bigint;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
};

export type ManagedFieldsEntry = {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Json;
  readonly subresource?: string;
};

export type OwnerReference = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type PartialObjectMetadata = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: ObjectMeta;
};

export type PartialObjectMetadataList = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: ListMeta;
  readonly items?: readonly PartialObjectMetadata[] | null;
};

export type PatchOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly force?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type Table = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: ListMeta;
  readonly columnDefinitions?: readonly TableColumnDefinition[] | null;
  readonly rows?: readonly TableRow[] | null;
};

export type TableColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

export type TableRow = {
  readonly cells?: readonly Json[] | null;
  readonly conditions?: readonly TableRowCondition[];
  readonly object?: Json;
};

export type TableRowCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type UpdateOptions = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
};

export type WatchEvent = {
  readonly type?: string;
  readonly object?: Json;
};
