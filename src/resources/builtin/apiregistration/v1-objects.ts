// The objects of apiregistration/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type APIService = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: APIServiceSpec;
  readonly status?: APIServiceStatus;
};

export type APIServiceSpec = {
  readonly service?: ServiceReference;
  readonly group?: string;
  readonly version?: string;
  readonly insecureSkipTLSVerify?: boolean;
  readonly caBundle?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly port?: number;
};

export type APIServiceStatus = {
  readonly conditions?: readonly APIServiceCondition[];
};

export type APIServiceCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
