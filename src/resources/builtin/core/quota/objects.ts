// The objects of core/quota/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';

export type LimitRange = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LimitRangeSpec;
};

export type LimitRangeSpec = {
  readonly limits?: readonly LimitRangeItem[] | null;
};

export type LimitRangeItem = {
  readonly type?: string;
  readonly max?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly default?: Readonly<Record<string, string>>;
  readonly defaultRequest?: Readonly<Record<string, string>>;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>;
};

export type ResourceQuota = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceQuotaSpec;
  readonly status?: ResourceQuotaStatus;
};

export type ResourceQuotaSpec = {
  readonly hard?: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: ScopeSelector;
};

export type ScopeSelector = {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
};

export type ScopedResourceSelectorRequirement = {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
};

export type ResourceQuotaStatus = {
  readonly hard?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
};
