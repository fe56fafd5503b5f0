// The objects of core/reference.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

export type ObjectReference = {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
};

export type LocalObjectReference = {
  readonly name?: string;
};

export type TypedLocalObjectReference = {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
};

export type TypedObjectReference = {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type SecretReference = {
  readonly name?: string;
  readonly namespace?: string;
};

export type ConfigMapKeySelector = {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
};

export type SecretKeySelector = {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
};

export type ObjectFieldSelector = {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
};

export type ResourceFieldSelector = {
  readonly containerName?: string;
  readonly resource?: string;
  readonly divisor?: string;
};

export type FileKeySelector = {
  readonly volumeName?: string;
  readonly path?: string;
  readonly key?: string;
  readonly optional?: boolean;
};
