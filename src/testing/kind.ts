// What types know about a kind whose objects tests send and read: built-in kinds from the declarations, custom resources
// from their definitions. Objects here are JSON, so a type of decoded objects becomes one without big integers.

import type { Json } from '../api/object.ts';

/** Verbs of requests for objects. `apply` is a server-side apply. */
export type ObjectVerb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** Any kind. */
export interface AnyKind {
  readonly object: unknown;
  readonly sent: unknown;
  readonly namespaced: boolean;
  readonly verbs: ObjectVerb;
}

/** A kind: the type of its objects, whether they have a namespace, and its verbs. */
export interface Kind<Object, Namespaced extends boolean, Verbs extends ObjectVerb = ObjectVerb> extends AnyKind {
  /** An object in a response. */
  readonly object: Answered<Object, Verbs>;
  /** An object in a request. */
  readonly sent: Sent<Object, Namespaced>;
  readonly namespaced: Namespaced;
  readonly verbs: Verbs;
}

/** The metadata of an object in a request. */
export interface Metadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata of a stored object. */
export interface StoredMetadata extends Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

type Answered<Object, Verbs> = Omit<Plain<Object>, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: 'get' extends Verbs ? StoredMetadata : Metadata;
};

type Sent<Object, Namespaced> = Omit<Plain<Object>, 'apiVersion' | 'kind' | 'metadata'> & {
  /** Those of the kind by default. */
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Namespaced extends false ? Metadata & { readonly namespace?: never } : Metadata;
};

/** JSON in place of decoded values. */
type Plain<T> = [Json] extends [T]
  ? unknown
  : T extends bigint
    ? never
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { [Member in keyof T]: Member extends 'metadata' ? Metadata : Plain<T[Member]> }
        : T;
