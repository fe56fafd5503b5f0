// API objects in memory: plain JSON values, never a class per kind.

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Read-only JSON: the base of typed objects. */
export type ReadonlyJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ReadonlyJson[]
  | { readonly [key: string]: ReadonlyJson | undefined };

/** The writable form of a read-only type. */
export type Draft<T> = [Json] extends [T]
  ? T
  : T extends readonly (infer Item)[]
    ? Draft<Item>[]
    : T extends object
      ? string extends keyof T
        ? DraftMap<T>
        : { -readonly [Member in keyof T]: Draft<T[Member]> }
      : T;

type DraftMap<T extends object> = [Json] extends [T[keyof T]] ? T : { -readonly [Name in keyof T]: Draft<T[Name]> };

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: JsonObject[];
}

export interface ApiObject extends JsonObject {
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
}
